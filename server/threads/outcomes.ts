/** Converts replies of decoding threads to results and errors of this thread. */
import { CodecError, errorOfCode, LimitError, ZarrError } from '../core/errors.js';
import type { ByteSpan } from '../core/bytes/values.js';
import type { ChunkValues } from '../format/codec/codec.js';
import type { ReduceWork } from '../compute/reduce/partial.js';
import type { Outcome } from './protocol.js';

/** A chunk of a job, as it arrives from a thread. */
export type Decoded =
  | {
      /** The chunk, or for the destination `regions` its selected elements. Undefined if it is elsewhere. */
      readonly values: ChunkValues | undefined;
      /** Whether the memory of the values belongs to the receiver. */
      readonly isOwn: boolean;
      /** The chunk's partial results, for reductions. */
      readonly partials?: readonly unknown[] | undefined;
      /** Version of the chunk's file. */
      readonly version: string | undefined;
    }
  | { readonly absent: true; readonly bytes: Uint8Array | undefined }
  | { readonly error: Error }
  /** The thread was lost. For a small chunk, a copy of its encoded bytes. */
  | { readonly lost: Error; readonly encoded: Uint8Array | undefined };

export interface EncodedChunk {
  readonly encoded: Uint8Array;
  /** The needed part of the decoded chunk; see `decodeChunk`. */
  readonly needed: ByteSpan;
  /** Maximum size of a chunk of variable length in bytes. */
  readonly limit?: number;
  /** Processing of the decoded chunk on the thread. */
  readonly reduce?: readonly ReduceWork[] | undefined;
  /** Memory for the decoded chunk, which is transferred to the thread and back. Otherwise it is in the slot. */
  readonly into?: Uint8Array | undefined;
}

/** @param slotted the chunk's memory in the slot, if it has any */
export function decodedOf(outcome: Outcome | undefined, slotted: Uint8Array | undefined): Decoded {
  if (outcome === undefined) return { error: errorOf(outcome) };
  if ('absent' in outcome) return outcome;
  if (!('decoded' in outcome)) return { error: errorOf(outcome) };
  const { items, partials, version } = outcome;
  const bytes = outcome.bytes ?? slotted;
  const values = items !== undefined ? { items } : bytes === undefined ? undefined : { bytes };
  return { values, isOwn: items !== undefined || outcome.bytes !== undefined, partials, version };
}

export function errorOf(outcome: Outcome | undefined): Error {
  if (outcome === undefined || !('detail' in outcome))
    return new CodecError('decoding thread returned no result');
  return errorOfCode(outcome.code, outcome.detail, outcome.excess);
}

/** Runs one job on a thread; an error becomes plain data. */
export function attempt(work: () => Outcome): Outcome {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ZarrError))
      return { code: undefined, detail: error instanceof Error ? error.message : String(error), excess: [] };
    return {
      code: error.code,
      detail: error.detail,
      excess: error instanceof LimitError ? error.excess : [],
    };
  }
}
