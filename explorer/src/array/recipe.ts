/** Describes a read. Requests of the SDK, estimates and the code shown to users are all derived from it. */
import { toSelectionInput } from 'zarrql-client';
import type { DimSelect, Selection } from 'zarrql-client';
import type { DimKey, Method, OverReduction, Span } from '../state/view.js';

/** The selected positions of one dimension. */
export type Pick = { readonly index: number } | { readonly span: Span } | 'all';

export interface Recipe {
  readonly store: string;
  readonly path: string;
  /** Whether to read decoded values of a variable (CF conventions) instead of stored values. */
  readonly decode: boolean;
  /** In the order of the array. `key` is a name if `areNamed`, else a position. */
  readonly dims: readonly { readonly key: DimKey; readonly pick: Pick }[];
  readonly areNamed: boolean;
  /** Name of a field of a struct. */
  readonly field?: string | undefined;
  readonly reductions: readonly { readonly by: OverReduction; readonly over: readonly DimKey[] }[];
  /** Maximum number of values along these dimensions. */
  readonly coarsen:
    { readonly to: Readonly<Record<DimKey, number>>; readonly method: Method | undefined } | undefined;
}

/** The selection as the SDK expects it. Undefined for the whole array. */
export function selectionOf({ dims, areNamed }: Recipe): Selection | undefined {
  if (dims.every(({ pick }) => pick === 'all')) return undefined;
  if (!areNamed) return dims.map(({ pick }): DimSelect => (pick === 'all' ? [null, null] : selectOf(pick)));
  return Object.fromEntries(
    dims.flatMap(({ key, pick }) => (pick === 'all' ? [] : [[key, selectOf(pick)] as const])),
  );
}

function selectOf(pick: Exclude<Pick, 'all'>): DimSelect {
  return 'index' in pick ? pick.index : [pick.span[0], pick.span[1]];
}

/** The gateway's name for a dimension of the slice: its name, or its position among the remaining dimensions. */
function dimName(recipe: Recipe, key: DimKey, reduced: readonly DimKey[] = []): string {
  if (recipe.areNamed) return key;
  const left = recipe.dims.filter((dim) => !isIndex(dim.pick) && !reduced.includes(dim.key));
  return String(left.findIndex((dim) => dim.key === key));
}

function isIndex(pick: Pick): boolean {
  return pick !== 'all' && 'index' in pick;
}

/** The operations, with the dimension names that the gateway expects. */
export function operationsOf(
  recipe: Recipe,
): readonly (
  | { readonly reduce: { readonly by: OverReduction; readonly over: readonly string[] } }
  | { readonly coarsen: { readonly to: readonly { dim: string; size: number }[]; readonly method?: Method } }
)[] {
  const reduced: DimKey[] = [];
  const reductions = recipe.reductions.map(({ by, over }) => {
    const names = over.map((key) => dimName(recipe, key, reduced));
    reduced.push(...over);
    return { reduce: { by, over: names } };
  });
  const { coarsen } = recipe;
  if (coarsen === undefined) return reductions;
  const to = Object.entries(coarsen.to).map(([key, size]) => ({ dim: dimName(recipe, key, reduced), size }));
  return [
    ...reductions,
    { coarsen: { to, ...(coarsen.method === undefined ? {} : { method: coarsen.method }) } },
  ];
}

/** The input of `Query.slices`. */
export function requestOf(recipe: Recipe): Readonly<Record<string, unknown>> {
  const { store, path, decode, field } = recipe;
  const select = toSelectionInput(selectionOf(recipe));
  const steps = [
    ...(select === null ? [] : [{ select }]),
    ...(field === undefined ? [] : [{ field }]),
    ...operationsOf(recipe),
  ];
  return { store, path, decode, steps };
}

export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
