/** Reads a slice part by part, each only when the one before it has been taken. */
import {
  type Block,
  ConflictError,
  itemBytes,
  type LazySlice,
  LimitError,
  type Limits,
  objectName,
  type ObjectVersions,
  type ReadObject,
} from '../../zarr/index.js';
import type { ReadParts } from '../forms/form.js';
import { splitSlice } from './split-slice.js';

/** Decoded bytes up to which chunks are kept for other reads; larger downloads would drive everything else out. */
const MAX_KEPT_BYTES = 32 * 2 ** 20;

export interface PartReading {
  /** Of one part. */
  readonly limits: Limits;
  readonly signal: AbortSignal | undefined;
  /** Of all values of variable length, whose size shows only when they are read. */
  readonly maxBytes: number;
  /** By `objectName`: what must still be stored when a part is read. Then all parts are of one state. */
  readonly versions: ObjectVersions | undefined;
}

/**
 * @returns a reader whose iterations throw ConflictError where the array changed since `versions` was taken (or since an
 *   earlier part of the same object), LimitError past `maxBytes`, and what reads throw
 */
export function readInParts({ limits, signal, maxBytes, versions }: PartReading): ReadParts {
  const seen = new Map<string, string | undefined>();
  const scratch = createScratch();
  let left = maxBytes;
  return async function* read(slice, range) {
    const keepChunks = slice.cost().decodedBytes <= MAX_KEPT_BYTES;
    for (const part of splitSlice(slice, range, limits)) {
      const changed: ReadObject[] = [];
      const onVersion = (object: ReadObject, version: string | undefined): void => {
        const name = objectName(object);
        if (versions !== undefined) {
          if (versions.get(name) !== version) changed.push(object);
        } else if (seen.has(name) && seen.get(name) !== version) changed.push(object);
        else seen.set(name, version);
      };
      const out = scratch(part.slice);
      const block = await part.slice.read({ signal, limits, keepChunks, onVersion, ...out });
      if (changed[0] !== undefined) throw changedError(slice, changed[0]);
      if ('items' in block) left = charged(left, block, maxBytes);
      yield { block, from: part.from, to: part.to };
    }
  };
}

/**
 * Memory for one part after the other: fresh memory for each would be given back late, and take several times as much.
 */
function createScratch(): (slice: LazySlice) => { readonly out?: Uint8Array } {
  let memory = new Uint8Array(0);
  return (slice) => {
    const needed = slice.cost().outputBytes;
    if (needed === undefined || !slice.takesOut) return {};
    if (memory.length < needed) memory = new Uint8Array(needed);
    return { out: memory.subarray(0, needed) };
  };
}

function changedError({ where }: LazySlice, object: ReadObject): ConflictError {
  return new ConflictError('the array was changed while it was being downloaded; begin again', {
    where: { ...object, ...(where.store === undefined ? {} : { store: where.store }) },
  });
}

/** @returns what is left. @throws LimitError */
function charged(left: number, block: Block, maxBytes: number): number {
  if (!('items' in block)) return left;
  const rest = left - itemBytes(block.items);
  if (rest >= 0) return rest;
  throw new LimitError(`the values take more than the ${maxBytes} bytes that maxHrefBytes allows`, {
    excess: [{ limit: 'maxHrefBytes', allowed: maxBytes, needed: maxBytes - rest }],
  });
}
