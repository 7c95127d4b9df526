/**
 * Resolves selections by label to selections by position. The caller provides the coordinate of each
 * dimension.
 */
import { type DimSelection, nearest, type Selection, SelectionError } from '../../zarr/index.js';
import type { ChargeLookUps, LabelIndex } from './label-index.js';
import type { DimSelectionOrLabel, LabelDim, SelectionOrLabels } from './label-selection.js';

/** Finds the coordinate of dimension `d` of the source. */
export type FindIndex = (d: number) => Promise<LabelIndex>;

export function isLabelDim(by: { readonly kind: string }): by is LabelDim {
  return by.kind === 'at' || by.kind === 'values' || by.kind === 'between';
}

/** Whether no dimension is selected by label. */
function isPositional(selection: SelectionOrLabels): selection is Selection {
  return selection.kind === 'dims'
    ? !selection.dims.some(isLabelDim)
    : selection.kind !== 'named' || !selection.named.some(({ by }) => isLabelDim(by));
}

/**
 * @param dims the dimensions of the source, in order
 * @throws SelectionError if a label is not found, or the dimension has no coordinate; errors from reading
 *   coordinates
 */
export async function resolveLabels(
  selection: SelectionOrLabels,
  dims: readonly { readonly name: string | null }[],
  findIndex: FindIndex,
  charge: ChargeLookUps,
): Promise<Selection> {
  if (isPositional(selection)) return selection;
  if (selection.kind === 'dims')
    return { kind: 'dims', dims: await Promise.all(selection.dims.map((by, d) => positions(by, d))) };
  return {
    kind: 'named',
    named: await Promise.all(
      selection.named.map(async ({ dim, by }) => ({ dim, by: await positionsByName(dim, by) })),
    ),
  };

  async function positions(by: DimSelectionOrLabel, d: number): Promise<DimSelection> {
    if (!isLabelDim(by)) return by;
    if (d >= dims.length)
      throw new SelectionError(
        `the selection has a label for the dimension at position ${d}; the array has ${dims.length} dimensions`,
      );
    return (await findIndex(d)).select(by, charge);
  }

  async function positionsByName(dim: string, by: DimSelectionOrLabel): Promise<DimSelection> {
    if (!isLabelDim(by)) return by;
    const d = dims.findIndex(({ name }) => name === dim);
    if (d < 0) throw new SelectionError(unknownDimension(dim, dims));
    return (await findIndex(d)).select(by, charge);
  }
}

export function unknownDimension(name: string, dims: readonly { readonly name: string | null }[]): string {
  const names = dims.flatMap((dim) => (dim.name === null ? [] : [dim.name]));
  if (names.length === 0) return `unknown dimension "${name}": the dimensions have no names`;
  const near = nearest(name, names).map((one) => `"${one}"`);
  return `unknown dimension "${name}"; the nearest names are ${near.join(', ')}`;
}

/**
 * Creates the error for a selection by label along a dimension without an index.
 * @param others dimensions with an index
 */
export function noCoordinate(name: string | null, others: readonly string[]): SelectionError {
  const can =
    others.length === 0
      ? ''
      : `; the dimensions with a coordinate are ${others.map((one) => `"${one}"`).join(', ')}`;
  return new SelectionError(
    `${withoutCoordinate(name)} to look up labels in${can}; select by position with index, slice or indices`,
  );
}

/** Creates the error for an operation on the labels along a dimension without labels. */
export function noLabels(name: string | null): SelectionError {
  return new SelectionError(`${withoutCoordinate(name)}, which this operation requires`);
}

function withoutCoordinate(name: string | null): string {
  const dimension = name === null ? 'an unnamed dimension' : `dimension "${name}"`;
  return `${dimension} has no coordinate (a one-dimensional array of the same name)`;
}
