/**
 * Resolves selections by label to selections by position. The caller provides the coordinate of each
 * dimension.
 */
import { type DimSelection, nearest, type Selection, SelectionError } from '../../zarr/index.js';
import type { LabelIndex } from './label-index.js';
import { type DimSelectionOrLabel, isLabelDim, type SelectionOrLabels } from './label-selection.js';

/** Finds the coordinate of dimension `d` of the source. */
export type FindIndex = (d: number) => Promise<LabelIndex>;

/**
 * @param dims the dimensions of the source, in order
 * @throws SelectionError if a label is not found, or the dimension has no coordinate; errors of reading
 *   coordinates
 */
export async function resolveLabels(
  selection: SelectionOrLabels,
  dims: readonly { readonly name: string | null }[],
  findIndex: FindIndex,
): Promise<Selection> {
  if (selection.kind === 'dims')
    return { kind: 'dims', dims: await Promise.all(selection.dims.map((by, d) => positions(by, d))) };
  if (selection.kind === 'named')
    return {
      kind: 'named',
      named: await Promise.all(
        selection.named.map(async ({ dim, by }) => ({ dim, by: await positionsByName(dim, by) })),
      ),
    };
  return selection;

  async function positions<T extends { readonly kind: string }>(by: T | DimSelectionOrLabel, d: number) {
    if (!isLabelDim(by)) return by;
    if (d >= dims.length) throw new SelectionError(`dimension ${d} does not exist: cannot select by label`);
    return (await findIndex(d)).find(by);
  }

  async function positionsByName(dim: string, by: DimSelectionOrLabel): Promise<DimSelection> {
    if (!isLabelDim(by)) return by;
    const d = dims.findIndex(({ name }) => name === dim);
    if (d < 0) throw new SelectionError(unknownDimension(dim, dims));
    return (await findIndex(d)).find(by);
  }
}

export function unknownDimension(name: string, dims: readonly { readonly name: string | null }[]): string {
  const names = dims.flatMap((dim) => (dim.name === null ? [] : [dim.name]));
  if (names.length === 0) return `unknown dimension "${name}": the dimensions have no names`;
  const near = nearest(name, names).map((one) => `"${one}"`);
  return `unknown dimension "${name}"; the names are ${near.join(', ')}`;
}

/** For a dimension without an index. @param others dimensions with an index */
export function noCoordinate(name: string | null, others: readonly string[]): SelectionError {
  const dimension = name === null ? 'an unnamed dimension' : `dimension "${name}"`;
  const can =
    others.length === 0
      ? 'no dimension of this slice has a coordinate'
      : `the dimensions with a coordinate are ${others.map((one) => `"${one}"`).join(', ')}`;
  return new SelectionError(
    `${dimension} has no coordinate (a one-dimensional array of the same name) to look up labels in; ${can}. ` +
      'Select by position: index, slice, indices',
  );
}
