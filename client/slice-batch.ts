import { assertDType, toNames } from './array-handle.js';
import type { DTypeOption } from './array-handle.js';
import type { Connection } from './connection.js';
import { ZarrqlError } from './errors.js';
import type { DTypeName } from './ndarray/ndarray.js';
import type { NDArrayUnion } from './ndarray/ndarray.js';
import { joinPath } from './path.js';
import { toSelectionInput } from './selection.js';
import type { Selection } from './selection.js';
import type { RequestOptions } from './transport/document.js';

/** One of many slices. */
export interface SliceQuery<D extends DTypeName = DTypeName> extends Partial<DTypeOption<D>> {
  readonly store: string;
  readonly path: string;
  /** @default the whole array */
  readonly select?: Selection | undefined;
}

/** What became of one slice; the others do not depend on it. */
export type SliceOutcome<D extends DTypeName = DTypeName> =
  | { readonly status: 'fulfilled'; readonly value: NDArrayUnion<D> }
  | { readonly status: 'rejected'; readonly reason: ZarrqlError };

/** One outcome a query, each of the type that its query says. */
export type SliceOutcomes<Q extends readonly SliceQuery[]> = {
  readonly [I in keyof Q]: SliceOutcome<DTypeOf<Q[I]>>;
};

type DTypeOf<Q> = Q extends { readonly dtype: infer D extends DTypeName | readonly DTypeName[] }
  ? D extends readonly (infer E extends DTypeName)[]
    ? E
    : Extract<D, DTypeName>
  : DTypeName;

export async function loadSlices<const Q extends readonly SliceQuery[]>(
  connection: Connection,
  queries: Q,
  options?: RequestOptions,
): Promise<SliceOutcomes<Q>> {
  const outcomes = await Promise.all(queries.map((query) => loadOne(connection, query, options)));
  // Promise.all and map keep the order, which TypeScript cannot follow through a tuple.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return outcomes as SliceOutcomes<Q>;
}

async function loadOne(
  connection: Connection,
  { store, path: given, select, dtype }: SliceQuery,
  options: RequestOptions | undefined,
): Promise<SliceOutcome> {
  const path = joinPath('/', given);
  try {
    const array = await connection.slice({ store, path, select: toSelectionInput(select) }, options);
    const value = assertDType(array, toNames(dtype), `array "${path}" of store "${store}"`);
    return { status: 'fulfilled', value };
  } catch (error) {
    if (error instanceof ZarrqlError) return { status: 'rejected', reason: error };
    throw error;
  }
}
