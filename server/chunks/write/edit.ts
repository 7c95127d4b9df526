/** An edit of an object, or of a part of a shard: computes its new bytes from the old ones. */
import type { MutableValues } from '../../core/bytes/values.js';
import type { Element } from '../../core/dtype/data-type.js';
import type { CodecPool } from '../../threads/codec-pool.js';
import type { ChunkForm, InnerChunkLayout } from '../../format/plan/layout.js';
import type { StagedFile } from '../../store/store.js';
import type { Pause } from '../../core/turns.js';

/** Counts of the results of edits, in inner chunks. */
export interface EditTally {
  written: number;
  /** Number of chunks that were stored and are now deleted. */
  deleted: number;
  /**
   * Number of chunks with only the fill value, which are not stored. It is unknown whether they were stored
   * before, because the old bytes were not read.
   */
  leftOut: number;
}

export function createEditTally(): EditTally {
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
  /**
   * @param release function to call when the bytes that `run` returned have been stored, or when storing them
   * has failed
   */
  readonly defer: (release: () => void) => void;
}

export interface Edit {
  /** Whether `run` needs the old bytes. */
  readonly needsOld: boolean;
  /**
   * @param old old bytes; undefined if the object is absent or was not read
   * @returns the bytes to store; `old` if nothing changes; undefined to store nothing
   * @throws CodecError or ChecksumError if the old bytes cannot be decoded; LimitError for values that are
   * too large
   */
  run(
    old: Uint8Array | undefined,
    tally: EditTally,
    resources: EditResources,
  ): Promise<Uint8Array | StagedContent | undefined>;
}

/** The edit of one chunk, from its old bytes to its new values. */
export interface ChunkEdit {
  readonly form: ChunkForm;
  /** Whether `values` needs the old bytes. */
  readonly needsOld: boolean;
  /**
   * @param memory memory for fixed-size values
   * @returns the new values; 'unchanged' if the old bytes remain valid; undefined to store nothing
   * @throws errors from `Edit.run`
   */
  values(
    old: Uint8Array | undefined,
    memory: Uint8Array | undefined,
  ): Promise<MutableValues | 'unchanged' | undefined>;
}

/** The context that all edits of an array share. */
export interface ChunkContext {
  readonly layout: InnerChunkLayout;
  readonly fill: Element;
  /** Whether to store chunks even if all their elements have the fill value. */
  readonly writeEmptyChunks: boolean;
  /** Maximum size, in bytes, of the variable-length values in one chunk. */
  readonly maxChunkBytes: number;
  readonly threads: EditThreads;
  readonly signal: AbortSignal | undefined;
  /** Called between pieces of a large chunk. */
  readonly pause: Pause;
}

/** The threads that encode chunks, and decode old ones. */
interface EditThreads {
  /** The pool; without a pool, everything runs inline. */
  readonly pool: CodecPool | undefined;
  /** Whether small chunks are processed inline while all threads are busy. */
  readonly here: boolean;
}
