/** Converts replies of decoding threads to results and errors of this thread. */
import { CodecError, errorOfCode, LimitError, ZarrError } from '../core/errors.js';
import type { ByteSpan } from '../core/bytes/values.js';
import type { DecodedChunk } from '../format/codec/run-chain.js';
import type { ReduceWork } from '../compute/reduce/partial.js';
import type { Outcome } from './protocol.js';

/** A decoded chunk or an error. For a small chunk whose thread was lost, its encoded bytes. */
export type Decoded =
  | {
      readonly chunk: DecodedChunk;
      /** The chunk's partial result, for a reduction; a large chunk then has no bytes. */
      readonly partial?: unknown;
    }
  | { readonly error: Error }
  | { readonly encoded: Uint8Array };

export interface EncodedChunk {
  readonly encoded: Uint8Array;
  /** The needed part of the decoded chunk; see `decodeChunk`. */
  readonly needed: ByteSpan;
  /** Processing of the decoded chunk on the thread. */
  readonly reduce?: ReduceWork | undefined;
}

export function decodedOf(outcome: Outcome | undefined, slotted: Uint8Array | undefined): Decoded {
  if (outcome === undefined || !('strides' in outcome)) return { error: errorOf(outcome) };
  const { items } = outcome;
  if (items !== undefined) return { chunk: { values: { items }, strides: outcome.strides } };
  const { partial, strides } = outcome;
  const bytes = outcome.bytes ?? slotted;
  if (partial !== undefined)
    return { chunk: { values: { bytes: bytes ?? new Uint8Array(0) }, strides }, partial };
  return bytes === undefined
    ? { error: errorOf(undefined) }
    : { chunk: { values: { bytes }, strides: outcome.strides } };
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
