import type { Connection } from '../transport/connection.js';
import { assertDType, toNames } from '../handles/dtype-option.js';
import type { DTypeOption } from '../handles/dtype-option.js';
import { ZarrqlError } from '../errors.js';
import type { DTypeName, NDArrayUnion } from '../ndarray/ndarray.js';
import { joinPath } from '../handles/path.js';
import { toSelectionInput } from '../selection/selection.js';
import type { Selection } from '../selection/selection.js';
import type { AnyStores, DTypeAt, StoreType, StoreTypes } from '../handles/stores.js';
import type { RequestOptions } from '../transport/document.js';

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
  { store, path: given, select, dtype }: SliceQuery,
  options: RequestOptions | undefined,
): Promise<SliceOutcome> {
  const path = joinPath('/', given);
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
