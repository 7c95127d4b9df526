/** An edit of an object, or of a part of a shard, from its old to its new bytes. */

/** The results of an edit, in inner chunks. */
export interface Tally {
  written: number;
  /** Chunks that were stored and are now deleted. */
  deleted: number;
  /**
   * Chunks with only the fill value, which are not stored. It is unknown whether they were stored before, because the
   * old bytes were not read.
   */
  leftOut: number;
}

export function createTally(): Tally {
  return { written: 0, deleted: 0, leftOut: 0 };
}

export interface Edit {
  /** Whether `run` needs the old bytes. */
  readonly needsOld: boolean;
  /**
   * @param old undefined if nothing is stored, or it was not read
   * @returns the bytes to store: `old` itself if nothing changes, undefined to store nothing
   * @throws CodecError or similar if the old bytes cannot be decoded
   */
  run(old: Uint8Array | undefined, tally: Tally): Promise<Uint8Array | undefined>;
}
