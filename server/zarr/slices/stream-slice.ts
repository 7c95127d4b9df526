/**
 * Reads a slice block by block. A block is read only after the previous one has been consumed, so memory is
 * bounded.
 */
import { sizeOf } from '../bytes/shape.js';
import { ConflictError } from '../errors.js';
import type { LazySlice, ReadObject, SliceBlock, SliceStreamOptions, StreamSession } from './lazy-slice.js';
import { defaultLimits } from '../limits.js';
import { objectName } from './slice-inputs.js';
import { splitSlice } from './split-slice.js';

/**
 * Maximum decoded size, in bytes, of a stream whose chunks are cached. Larger streams would evict all other
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

/** Compares the versions of objects with the expected versions. */
export function watchVersions(
  slice: LazySlice,
  { versions, session, onVersion: report }: Pick<SliceStreamOptions, 'versions' | 'session' | 'onVersion'>,
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
        versions === undefined
          ? (session?.isUnchanged(name, version) ?? true)
          : versions.get(name) === version;
      if (!isUnchanged) changed ??= object;
    },
    assertUnchanged() {
      if (changed !== undefined) throw changedError(slice, changed);
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
  for (const { slice: part, from, to } of splitSlice(slice, range, limits)) {
    const changed: ReadObject[] = [];
    const onVersion = (object: ReadObject, version: string | undefined): void => {
      report?.(object, version);
      const name = objectName(object);
      const isUnchanged =
        versions === undefined ? session.isUnchanged(name, version) : versions.get(name) === version;
      if (!isUnchanged) changed.push(object);
    };
    const block = await part.read({ signal, limits, keepChunks, onVersion, ...session.outFor(part) });
    if (changed[0] !== undefined) throw changedError(slice, changed[0]);
    yield { block, from, to };
  }
}

export function changedError({ where }: LazySlice, object: ReadObject): ConflictError {
  return new ConflictError('the array changed while it was being downloaded; try again', {
    where: { ...object, ...(where.store === undefined ? {} : { store: where.store }) },
  });
}
