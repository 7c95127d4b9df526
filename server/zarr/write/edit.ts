/** An object (or a part of a shard) on its way from its old bytes to its new ones. */

/** What an edit did, in innermost chunks. */
export interface Tally {
  written: number;
  /** Were stored, are not any more. */
  deleted: number;
  /** Hold nothing but the fill value and are not stored; whether they were is not known, as the old bytes were not read. */
  leftOut: number;
}

export function createTally(): Tally {
  return { written: 0, deleted: 0, leftOut: 0 };
}

export interface Edit {
  /** Whether `run` has to know the old bytes. */
  readonly needsOld: boolean;
  /**
   * @param old undefined where nothing is stored, or where it was not read because it does not matter
   * @returns what to store: `old` itself where nothing changes, undefined where nothing is to be stored
   * @throws CodecError and the like, where the old bytes cannot be decoded
   */
  run(old: Uint8Array | undefined, tally: Tally): Promise<Uint8Array | undefined>;
}
