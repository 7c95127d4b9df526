/** Selections by label become selections by position. Which coordinate belongs to a dimension, the caller knows. */
import { type DimSelection, nearest, type Selection, SelectionError } from '../../zarr/index.js';
import type { LabelIndex } from './label-index.js';
import { type DimSelectionOrLabel, isLabelDim, type SelectionOrLabels } from './label-selection.js';

/** The coordinate of the dimension at this place of what is selected from. */
export type FindIndex = (d: number) => Promise<LabelIndex>;

/**
 * @param dims the dimensions that are selected from, in order
 * @throws SelectionError where a label is not found, or the dimension has no coordinate; what reading coordinates throws
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
    if (d >= dims.length) throw new SelectionError(`there is no dimension ${d} to select by label`);
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
  if (names.length === 0) return `there is no dimension "${name}": no dimension here has a name`;
  const near = nearest(name, names).map((one) => `"${one}"`);
  return `there is no dimension "${name}"; the names are ${near.join(', ')}`;
}

/** For a dimension that cannot be selected by label. @param others dimensions that can */
export function noCoordinate(name: string | null, others: readonly string[]): SelectionError {
  const dimension = name === null ? 'a dimension without a name' : `the dimension "${name}"`;
  const can =
    others.length === 0
      ? 'no dimension here has one'
      : `those that have are ${others.map((one) => `"${one}"`).join(', ')}`;
  return new SelectionError(
    `${dimension} has no coordinate (an array of that name along it alone) to look labels up in; ${can}. ` +
      'Select by position: index, slice, indices',
  );
}
