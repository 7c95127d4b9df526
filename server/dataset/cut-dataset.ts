/**
 * A part of a dataset: positions along some of its dimensions, applied to every variable with these
 * dimensions. Reads only the coordinates needed to look up labels. Immutable; selections compose.
 */
import { defined } from '../../wire/guards.js';
import {
  type DimSelection,
  type ResolvedDim,
  type Selection,
  SelectionError,
  UnsupportedError,
} from '../zarr/index.js';
import type { CoordinateReader } from './coordinate-reader.js';
import type { LabelIndex } from './labels/label-index.js';
import { labelIndexAlong } from './labels/labels-along.js';
import type { NamedDim } from './labels/label-selection.js';
import { isLabelDim, noCoordinate, unknownDimension } from './labels/resolve-labels.js';
import { countAlong, dimSelectionOf, selectAlong } from './positions.js';
import { type Variable, type Dataset, labelled, usableIndexOf } from './variable.js';

export interface CutDataset {
  readonly dataset: Dataset;
  /** The selected positions of each dimension with a selection. */
  readonly cuts: ReadonlyMap<string, ResolvedDim>;
  /** The requested selections in order. They also apply to child groups. */
  readonly steps: readonly (readonly NamedDim[])[];
}

export function wholeDataset(dataset: Dataset): CutDataset {
  return { dataset, cuts: new Map(), steps: [] };
}

/** @throws SelectionError; errors from reading coordinates */
export async function cutDataset(
  whole: CutDataset,
  named: readonly NamedDim[],
  reader: CoordinateReader,
): Promise<CutDataset> {
  assertOnce(named);
  const cuts = new Map(whole.cuts);
  const chosen = await Promise.all(
    named.map(async ({ dim, by }) => ({ dim, along: await cutAlong(whole, dim, by, reader) })),
  );
  for (const { dim, along } of chosen) cuts.set(dim, along);
  return { dataset: whole.dataset, cuts, steps: [...whole.steps, named] };
}

/** Applies the same selections to another dataset of the tree, along the dimensions that it has. */
export async function cutAlike(
  whole: CutDataset,
  steps: CutDataset['steps'],
  reader: CoordinateReader,
): Promise<CutDataset> {
  let cut = whole;
  for (const named of steps) {
    const present = named.filter(({ dim }) => remaining(cut).has(dim));
    if (present.length > 0) cut = await cutDataset(cut, present, reader);
  }
  return cut;
}

function assertOnce(named: readonly NamedDim[]): void {
  const seen = new Set<string>();
  for (const { dim } of named) {
    if (seen.has(dim)) throw new SelectionError(`the dimension "${dim}" is selected twice`);
    seen.add(dim);
  }
}

async function cutAlong(
  cut: CutDataset,
  dim: string,
  by: NamedDim['by'],
  reader: CoordinateReader,
): Promise<ResolvedDim> {
  const sizes = remaining(cut);
  const size = sizes.get(dim);
  if (size === undefined) {
    const detail = cut.dataset.sizes.has(dim)
      ? `the dimension "${dim}" no longer exists: a single index along it has been selected`
      : unknownDimension(
          dim,
          [...sizes.keys()].map((name) => ({ name })),
        );
    throw new SelectionError(detail);
  }
  if (by.kind === 'chunk')
    throw new SelectionError(
      `chunks cannot be selected along the dimension "${dim}" of a dataset; select by slice`,
    );
  if (by.kind === 'where')
    throw new UnsupportedError(
      'datasets cannot be selected by a condition; select from a slice, or use "where" of a slice',
    );
  const positions = isLabelDim(by)
    ? await (await indexAlong(cut, dim, reader)).select(by, reader.chargeLookUps)
    : by;
  return selectAlong({ name: dim, size, chunks: undefined }, cut.cuts.get(dim), positions);
}

/**
 * The labels along the remaining positions of a dimension.
 * @throws SelectionError if it has no coordinate; the error of the coordinate
 */
async function indexAlong(
  { dataset, cuts }: CutDataset,
  dim: string,
  coordinates: CoordinateReader,
): Promise<LabelIndex> {
  const variable = usableIndexOf(dataset, dim);
  if (variable === undefined) throw noCoordinate(dim, labelled(dataset));
  const along = cuts.get(dim);
  if (along === undefined) return coordinates.index(variable);
  const part = variable.stored.select({ kind: 'dims', dims: [dimSelectionOf(along)] });
  return labelIndexAlong(part, 0, { dataset: async () => dataset, coordinates });
}

/** The dimensions that have not been dropped, with their sizes. */
export function remaining({ dataset, cuts }: CutDataset): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const [dimension, size] of dataset.sizes) {
    const along = cuts.get(dimension);
    if (along?.dropped !== true) sizes.set(dimension, along === undefined ? size : countAlong(along));
  }
  return sizes;
}

/** The dimensions of a variable that have not been dropped. */
export function remainingDimensions(
  { cuts }: CutDataset,
  variable: Variable,
): { readonly name: string; readonly size: number }[] {
  return variable.dimensions.flatMap((name, d) => {
    const along = cuts.get(name);
    if (along === undefined) return [{ name, size: defined(variable.shape[d]) }];
    return along.dropped ? [] : [{ name, size: countAlong(along) }];
  });
}

/**
 * The selection of a variable, or of other values along dimensions of the dataset. Undefined if none of the
 * dimensions has a selection. Omits dimensions that exist only in the stored form.
 */
export function selectionWithin(
  { cuts }: CutDataset,
  { dimensions }: Pick<Variable, 'dimensions'>,
): Selection | undefined {
  const dims = dimensions.map((name): DimSelection => {
    const along = cuts.get(name);
    return along === undefined ? { kind: 'slice' } : dimSelectionOf(along);
  });
  return dimensions.some((name) => cuts.has(name)) ? { kind: 'dims', dims } : undefined;
}
