/** Converts the input type Selection. The engine checks it against the array. */
import type {
  DimSelectionOrLabel,
  NamedDim,
  SelectionOrLabels,
} from '../../dataset/labels/label-selection.js';
import { type DimSelection as EngineDim, parseSelection } from '../../zarr/index.js';
import { positionOf } from '../scalars/big-int.js';
import type { DimSelection, InputMaybe, NamedDimSelection, Selection } from '../generated/types.js';

/** @throws SelectionError for text that cannot be parsed */
export function parseSelectionInput(input: InputMaybe<Selection>): SelectionOrLabels {
  if (input === null || input === undefined) return { kind: 'all' };
  if (input.text !== undefined) return parseSelection(input.text);
  if (input.dims !== undefined) return { kind: 'dims', dims: input.dims.map(parseDim) };
  if (input.named !== undefined) return { kind: 'named', named: parseNamedDims(input.named) };
  return { kind: 'points', points: input.points.map((point) => point.map(positionOf)) };
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
    return { kind: 'between', from, to, step: positionOf(step), wrap: wrap ?? undefined };
  }
  return parsePositions(input);
}

function parsePositions(
  input: Exclude<DimSelection, { at: unknown } | { values: unknown } | { between: unknown }>,
): EngineDim {
  if (input.index !== undefined) return { kind: 'index', index: positionOf(input.index) };
  if (input.indices !== undefined) return { kind: 'indices', indices: input.indices.map(positionOf) };
  if (input.mask !== undefined) return { kind: 'mask', mask: input.mask };
  if (input.chunk !== undefined) return { kind: 'chunk', chunk: positionOf(input.chunk) };
  const { start, stop, step } = input.slice;
  return {
    kind: 'slice',
    ...(start === null || start === undefined ? {} : { start: positionOf(start) }),
    ...(stop === null || stop === undefined ? {} : { stop: positionOf(stop) }),
    step: positionOf(step),
  };
}
