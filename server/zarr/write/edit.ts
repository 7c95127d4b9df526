/** An edit of an object, or of a part of a shard, from its old to its new bytes. */
import type { MutableValues } from '../bytes/values.js';
import type { StagedFile } from '../store/store.js';

/** The results of an edit, in inner chunks. */
export interface Tally {
  written: number;
  /** Chunks that were stored and are now deleted. */
  deleted: number;
  /**
   * Chunks with only the fill value, which are not stored. Because the old bytes were not read, it is unknown whether
   * they were stored before.
   */
  leftOut: number;
}

export function createTally(): Tally {
  return { written: 0, deleted: 0, leftOut: 0 };
}

/** The bytes of an object in a file that a thread has written. */
export interface StagedContent {
  readonly file: StagedFile;
  readonly length: number;
}

export interface EditResources {
  /** Names a file for the object; undefined if `run` must return bytes. */
  readonly stage: (() => Promise<StagedFile | undefined>) | undefined;
  /** @param release called when the bytes that `run` returned have been stored, or storing them has failed */
  readonly defer: (release: () => void) => void;
}

export interface Edit {
  /** Whether `run` needs the old bytes. */
  readonly needsOld: boolean;
  /**
   * @param old old bytes; undefined if the object is absent or was not read
   * @returns the bytes to store: `old` if nothing changes, undefined to store nothing
   * @throws CodecError, ChecksumError if the old bytes cannot be decoded
   */
  run(
    old: Uint8Array | undefined,
    tally: Tally,
    resources: EditResources,
  ): Promise<Uint8Array | StagedContent | undefined>;
}

/** The edit of one chunk, from its old bytes to its new values. */
export interface ChunkEdit {
  /** Whether `values` needs the old bytes. */
  readonly needsOld: boolean;
  /**
   * @param memory memory for fixed-size values
   * @returns 'unchanged': the old bytes remain valid; undefined: nothing is stored
   * @throws errors from `Edit.run`
   */
  values(
    old: Uint8Array | undefined,
    memory: Uint8Array | undefined,
  ): Promise<MutableValues | 'unchanged' | undefined>;
}
