/** Jobs as the owner of the threads describes them. */
import { LARGE_CHUNK_BYTES } from '../core/bytes/large-buffers.js';
import type { CodecChain } from '../format/codec/codec.js';
import type { Decoded, EncodedChunk } from './outcomes.js';
import type { BoxMessage, BoxReadMessage, BoxValues, FileChunk, FileReads, ReadMessage } from './protocol.js';
import type { Span } from './spans.js';

/** What the jobs of a read have in common. Threads receive it once. */
export interface JobRead extends Omit<ReadMessage, 'chain'> {
  readonly chain: CodecChain;
}

/** The chunks of a job. */
export type JobChunks =
  { readonly encoded: readonly EncodedChunk[] } | { readonly spans: readonly Span<FileChunk>[] };

export interface UseResults {
  /** Receives each chunk, in order, asynchronously. Memory of the slot is valid only within the call. */
  readonly each: (i: number, decoded: Decoded) => void;
  readonly reads?: (reads: FileReads) => void;
  /** Called once, when the encoded bytes are no longer needed. */
  readonly released?: () => void;
}

interface BoxRead extends Omit<BoxReadMessage, 'read'> {
  readonly chain: CodecChain;
  readonly read: Omit<BoxReadMessage['read'], 'chain'>;
}

export type BoxInput = BoxRead | BoxValues;

export interface BoxJob extends Pick<BoxMessage, 'shape' | 'rules'> {
  readonly inputs: readonly BoxInput[];
}

/**
 * Takes a job back that its thread has not begun, or cancels a box.
 * @returns whether the thread will not run the job; its results are then not received
 */
export type TakeBack = () => boolean;

/** Whether the thread processes a single chunk of the read at a time, in separate memory. */
export function isLargeJob({
  destination,
  chunkBytes,
}: Pick<JobRead, 'destination' | 'chunkBytes'>): boolean {
  return destination.kind === 'items' || chunkBytes > LARGE_CHUNK_BYTES;
}
