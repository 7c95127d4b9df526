/**
 * Reads a slice block by block. A block is read only after the previous one has been consumed, so memory is
 * bounded.
 */
import { sizeOf } from '../core/bytes/shape.js';
import type { LazySlice, SliceBlock, SliceStreamOptions, StreamSession } from './lazy-slice.js';
import { defaultLimits } from '../core/limits.js';
import { FirstVersions, OneState } from './one-state.js';
import { splitSlice } from './split-slice.js';

/**
 * Maximum decoded size, in bytes, of a stream whose chunks are cached. Larger streams would evict too many other
 * chunks.
 */
const MAX_KEPT_BYTES = 32 * 2 ** 20;

export function createStreamSession(): StreamSession {
  return { ...createBlockMemory(), versions: new FirstVersions() };
}

export type BlockMemory = Pick<StreamSession, 'outFor'>;

/** @param isShared whether threads may write the values directly, if the platform has shared memory */
export function createBlockMemory(isShared = false): BlockMemory {
  const shares = isShared && typeof SharedArrayBuffer !== 'undefined';
  let memory: Uint8Array = new Uint8Array(0);
  return {
    outFor(slice) {
      const needed = slice.cost().outputBytes;
      if (needed === undefined || !slice.takesOut) return {};
      if (memory.length < needed)
        memory = shares ? new Uint8Array(new SharedArrayBuffer(needed)) : new Uint8Array(needed);
      return { out: memory.subarray(0, needed) };
    },
  };
}

/** Implements `LazySlice.stream`. */
export async function* streamSlice(
  slice: LazySlice,
  {
    range = { from: 0, to: sizeOf(slice.shape) },
    limits = slice.inputs[0]?.array.context.limits ?? defaultLimits,
    signal,
    versions,
    session = createStreamSession(),
    onVersion: report,
    keepChunks = slice.cost().decodedBytes <= MAX_KEPT_BYTES,
  }: SliceStreamOptions = {},
): AsyncGenerator<SliceBlock> {
  const state = new OneState(slice, { versions, session, onVersion: report });
  for (const { slice: part, from, to } of splitSlice(slice, range, limits)) {
    const block = await part.read({
      signal,
      limits,
      keepChunks,
      onVersion: state.onVersion,
      ...session.outFor(part),
    });
    state.assertUnchanged();
    yield { block, from, to };
  }
}
