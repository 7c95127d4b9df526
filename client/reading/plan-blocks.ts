/** Plans blocks of whole chunks. */
import { defined } from '../../wire/guards.js';
import { ZarrqlError } from '../errors.js';
import { assertDType, type DTypeOption, toNames } from '../handles/dtype-option.js';
import { joinPath } from '../info/info.js';
import type { AnyStores, DTypeAt, StoreType, StoreTypes } from '../handles/stores.js';
import type { DTypeName, NDArrayUnion } from '../ndarray/ndarray.js';
import { type Selection, toSelectionInput } from '../selection/selection.js';
import type { Connection } from '../transport/connection.js';
import type { RequestOptions } from '../transport/document.js';

export interface BlockArray {
  readonly shape: readonly number[];
  readonly chunkShape: readonly number[];
  /** Bytes per element; null for variable-length types. */
  readonly itemSize: number | null;
}

interface Region {
  readonly start: readonly number[];
  /** Exclusive end. */
  readonly stop: readonly number[];
}

/** Assumed size of a value of variable length in bytes. */
const ASSUMED_ITEM_SIZE = 32;

/**
 * Regions of whole chunks in C order that cover the array exactly once. Each has at most `maxBytes`, or is a single
 * chunk.
 */
export function* planBlocks(array: BlockArray, maxBytes: number): Generator<Region, void> {
  const { shape } = array;
  const block = blockShape(array, maxBytes);
  if (shape.includes(0)) return;
  const start = shape.map(() => 0);
  for (;;) {
    yield {
      start: [...start],
      stop: start.map((from, d) => Math.min(from + (block[d] ?? 1), defined(shape[d]))),
    };
    let d = shape.length - 1;
    for (; d >= 0; d--) {
      const next = defined(start[d]) + (block[d] ?? 1);
      if (next < defined(shape[d])) {
        start[d] = next;
        break;
      }
      start[d] = 0;
    }
    if (d < 0) return;
  }
}

/**
 * The shape of a block. Grows from one chunk, first along the last dimension, so that a block consists of long runs.
 */
function blockShape({ shape, chunkShape, itemSize }: BlockArray, maxBytes: number): number[] {
  const block = shape.map((size, d) => Math.max(1, Math.min(chunkShape[d] ?? size, size)));
  let bytes = block.reduce((product, size) => product * size, itemSize ?? ASSUMED_ITEM_SIZE);
  for (let d = shape.length - 1; d >= 0; d--) {
    const [size = 1, length = 1] = [shape[d], block[d]];
    const times = Math.min(Math.floor(maxBytes / bytes), Math.ceil(size / length));
    if (times < 2) {
      if (length < size) break;
      continue;
    }
    const grown = Math.min(length * times, size);
    block[d] = grown;
    bytes = (bytes / length) * grown;
    if (grown < size) break;
  }
  return block;
}

/** A slice for `client.slices`. */
export type SliceQuery<S extends StoreTypes<S> = AnyStores> = {
  [K in keyof S & string]: {
    readonly store: K;
    readonly path: (keyof S[K]['arrays'] & string) | `/${keyof S[K]['arrays'] & string}`;
    /** @default the whole array */
    readonly select?: Selection | undefined;
  } & Partial<DTypeOption<DTypeName>>;
}[keyof S & string];

/** The outcome of one slice, independent of the others. */
export type SliceOutcome<D extends DTypeName = DTypeName> =
  | { readonly status: 'fulfilled'; readonly value: NDArrayUnion<D> }
  | { readonly status: 'rejected'; readonly reason: ZarrqlError };

/** One outcome per query, with the data type from the query or the generated types. */
export type SliceOutcomes<Q extends readonly unknown[], S extends StoreTypes<S> = AnyStores> = {
  readonly [I in keyof Q]: SliceOutcome<DTypeOf<Q[I], S>>;
};

type DTypeOf<Q, S extends StoreTypes<S>> = Q extends {
  readonly dtype: infer D extends DTypeName | readonly DTypeName[];
}
  ? D extends readonly (infer E extends DTypeName)[]
    ? E
    : Extract<D, DTypeName>
  : Q extends { readonly store: infer K extends keyof S; readonly path: infer P }
    ? S[K] extends infer T extends StoreType
      ? DTypeAt<T['arrays'], P>
      : DTypeName
    : DTypeName;

export async function loadSlices<const Q extends readonly SliceQuery[]>(
  connection: Connection,
  queries: Q,
  options?: RequestOptions,
): Promise<SliceOutcome[]> {
  return Promise.all(queries.map((query) => loadOne(connection, query, options)));
}

async function loadOne(
  connection: Connection,
  { store, path: relative, select, dtype }: SliceQuery,
  options: RequestOptions | undefined,
): Promise<SliceOutcome> {
  const path = joinPath('/', relative);
  try {
    const request = { store, path, select: toSelectionInput(select) };
    const array = await connection.slice({ request, coordinates: false }, options);
    const value = assertDType(array, toNames(dtype), `array "${path}" of store "${store}"`);
    return { status: 'fulfilled', value };
  } catch (error) {
    if (error instanceof ZarrqlError) return { status: 'rejected', reason: error };
    throw error;
  }
}
