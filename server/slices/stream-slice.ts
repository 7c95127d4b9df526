/**
 * Reads a slice block by block. A block is read only after the previous one has been consumed, so memory is
 * bounded.
 */
import { sizeOf } from '../core/bytes/shape.js';
import { ConflictError } from '../core/errors.js';
import type { LazySlice, ReadObject, SliceBlock, SliceStreamOptions, StreamSession } from './lazy-slice.js';
import { defaultLimits } from '../core/limits.js';
import { objectName } from './slice-inputs.js';
import { splitSlice } from './split-slice.js';

/**
 * Maximum decoded size, in bytes, of a stream whose chunks are cached. Larger streams would evict too many other
 * chunks.
 */
const MAX_KEPT_BYTES = 32 * 2 ** 20;

export function createStreamSession(): StreamSession {
  const seen = new Map<string, string | undefined>();
  return {
    ...createBlockMemory(),
    isUnchanged(name, version) {
      if (seen.has(name)) return seen.get(name) === version;
      seen.set(name, version);
      return true;
    },
  };
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

/**
 * Compares the versions of objects with the expected versions, or with those that were read first.
 * @param session state shared with other reads, if any
 */
export function watchVersions(
  { where }: Pick<LazySlice, 'where'>,
  {
    versions,
    session = createStreamSession(),
    onVersion: report,
  }: Pick<SliceStreamOptions, 'versions' | 'session' | 'onVersion'>,
): {
  readonly onVersion: (object: ReadObject, version: string | undefined) => void;
  /** Checks all objects. @throws ConflictError if one of them does not have the expected version */
  readonly assertUnchanged: () => void;
} {
  let changed: ReadObject | undefined;
  return {
    onVersion(object, version) {
      report?.(object, version);
      const name = objectName(object);
      const isUnchanged =
        versions === undefined ? session.isUnchanged(name, version) : versions.get(name) === version;
      if (!isUnchanged) changed ??= object;
    },
    assertUnchanged() {
      if (changed === undefined) return;
      throw new ConflictError('the array changed during the request; try again', {
        where: { ...changed, ...(where.store === undefined ? {} : { store: where.store }) },
      });
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
  const { onVersion, assertUnchanged } = watchVersions(slice, { versions, session, onVersion: report });
  for (const { slice: part, from, to } of splitSlice(slice, range, limits)) {
    const block = await part.read({ signal, limits, keepChunks, onVersion, ...session.outFor(part) });
    assertUnchanged();
    yield { block, from, to };
  }
}
