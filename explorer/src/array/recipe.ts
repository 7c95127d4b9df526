/** Which values are read: one description for the SDK, for estimates and for the code that users take with them. */
import { toSelectionInput } from 'zarrql-client';
import type { DimSelect, Selection } from 'zarrql-client';
import type { DimKey, Method, OverReduction, Span } from '../state/view.js';

/** What is taken along one dimension. */
export type Pick = { readonly index: number } | { readonly span: Span } | 'all';

export interface Recipe {
  readonly store: string;
  readonly path: string;
  /** Values of a variable, decoded by the CF conventions; else the stored values. */
  readonly decode: boolean;
  /** In the order of the array. `key` is a name if `areNamed`, else a position. */
  readonly dims: readonly { readonly key: DimKey; readonly pick: Pick }[];
  readonly areNamed: boolean;
  readonly reductions: readonly { readonly by: OverReduction; readonly over: readonly DimKey[] }[];
  /** Largest number of values along these dimensions. */
  readonly coarsen:
    { readonly to: Readonly<Record<DimKey, number>>; readonly method: Method | undefined } | undefined;
}

/** In the form of the SDK. Undefined for the whole array. */
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

/** How the gateway names a dimension after the selection: by name, or by its position among those that are left. */
export function dimName(recipe: Recipe, key: DimKey, reduced: readonly DimKey[] = []): string {
  if (recipe.areNamed) return key;
  const left = recipe.dims.filter((dim) => !isIndex(dim.pick) && !reduced.includes(dim.key));
  return String(left.findIndex((dim) => dim.key === key));
}

function isIndex(pick: Pick): boolean {
  return pick !== 'all' && 'index' in pick;
}

/** Steps of operations, with the names that the gateway expects. */
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

/** For `Query.slices`. */
export function requestOf(recipe: Recipe): Readonly<Record<string, unknown>> {
  const { store, path, decode } = recipe;
  const select = toSelectionInput(selectionOf(recipe));
  const steps = [...(select === null ? [] : [{ select }]), ...operationsOf(recipe)];
  return { store, path, decode, steps };
}

export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
