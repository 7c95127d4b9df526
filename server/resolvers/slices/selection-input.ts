/** Converts the input type Selection. The engine checks it against the array. */
import {
  type DimSelectionOrLabel,
  type NamedDim,
  selectionFromText,
  type SelectionOrLabels,
} from '../../dataset/labels/label-selection.js';
import type { DimSelection as EngineDim, ResolvedSelection } from '../../zarr/index.js';
import { positionNumber } from '../scalars/big-int.js';
import type { DimSelection, InputMaybe, NamedDimSelection, Selection } from '../generated/types.js';

/** @throws SelectionError for text that cannot be parsed */
export function parseSelectionInput(input: InputMaybe<Selection>): SelectionOrLabels {
  if (input === null || input === undefined) return { kind: 'all' };
  if (input.text !== undefined) return selectionFromText(input.text);
  if (input.dims !== undefined) return { kind: 'dims', dims: input.dims.map(parseDim) };
  if (input.named !== undefined) return { kind: 'named', named: parseNamedDims(input.named) };
  return { kind: 'points', points: input.points.map((point) => point.map(positionNumber)) };
}

export function parseNamedDims(named: readonly NamedDimSelection[]): NamedDim[] {
  return named.map(({ dim, by }) => ({ dim, by: parseDim(by) }));
}

function parseDim(input: DimSelection): DimSelectionOrLabel {
  if (input.at !== undefined) {
    const { value, method, tolerance, wrap } = input.at;
    return { kind: 'at', value, method, tolerance: tolerance ?? undefined, wrap: wrap ?? undefined };
  }
  if (input.values !== undefined) return { kind: 'values', values: input.values };
  if (input.between !== undefined) {
    const { from, to, step, wrap } = input.between;
    return { kind: 'between', from, to, step: positionNumber(step), wrap: wrap ?? undefined };
  }
  if (input.where !== undefined) return { kind: 'where', condition: input.where };
  return parsePositions(input);
}

function parsePositions(
  input: Exclude<
    DimSelection,
    { at: unknown } | { values: unknown } | { between: unknown } | { where: unknown }
  >,
): EngineDim {
  if (input.index !== undefined) return { kind: 'index', index: positionNumber(input.index) };
  if (input.indices !== undefined) return { kind: 'indices', indices: input.indices.map(positionNumber) };
  if (input.mask !== undefined) return { kind: 'mask', mask: input.mask };
  if (input.chunk !== undefined) return { kind: 'chunk', chunk: positionNumber(input.chunk) };
  const { start, stop, step } = input.slice;
  return {
    kind: 'slice',
    ...(start === null || start === undefined ? {} : { start: positionNumber(start) }),
    ...(stop === null || stop === undefined ? {} : { stop: positionNumber(stop) }),
    step: positionNumber(step),
  };
}

/** Number of list entries in a selection; for text, the number of characters. */
export function entriesIn(select: Selection): number {
  if (select.text !== undefined) return select.text.length;
  if (select.dims !== undefined) return select.dims.reduce((sum, dim) => sum + entriesOfDim(dim), 0);
  if (select.named !== undefined) return entriesInNamed(select.named);
  return select.points.reduce((sum, point) => sum + point.length, 0);
}

export function entriesInNamed(named: readonly NamedDimSelection[]): number {
  return named.reduce((sum, { by }) => sum + entriesOfDim(by), 0);
}

function entriesOfDim({ indices, mask, values }: DimSelection): number {
  return (indices ?? mask ?? values)?.length ?? 1;
}

/** Number of individually listed positions, which every further slice of the selection processes again. */
export function listedCount(selection: ResolvedSelection): number {
  if (selection.kind === 'points') return selection.count * selection.at.length;
  let positions = 0;
  for (const dim of selection.dims) if (dim.kind === 'list') positions += dim.at.length;
  return positions;
}
