/** Vertical interpolation: along levels that vary along other dimensions too, such as the pressure of each column. */
import { defined } from '../../../wire/guards.js';
import { indexAlong } from '../../dataset/slice-coordinates.js';
import type { MadeLabels } from '../../dataset/grouping/made-labels.js';
import {
  alongSlice,
  combineSlices,
  guardSlice,
  InputError,
  type LazySlice,
  levelsKernel,
  pairsOf,
} from '../../zarr/index.js';
import { alignOperands } from '../expression/align-operands.js';
import { compileExpression } from '../expression/compile.js';
import {
  atPositionsOf,
  framesOf,
  operandOfSlice,
  SLICE,
  sliceDataset,
  expressionScope,
} from '../expression/conditions.js';
import { operandsOf } from '../expression/computed-slice.js';
import { parseExpression } from '../expression/parse.js';
import type { Node } from '../expression/syntax.js';
import { partAlong } from './along/part-along.js';
import type { OperationScope } from './operation.js';

export interface Levels {
  /** An expression of the levels of the values; the index of the dimension by default. */
  readonly coordinate: string | undefined;
  readonly isLog: boolean;
}

/** Levels of the result that are the same for all columns, with the dimension that they become. */
export interface FixedTargets {
  readonly targets: Float64Array;
  readonly name: string | null;
  readonly labels: MadeLabels;
}

const call = (operation: 'log' | 'float' | 'subtract', ...operands: Node[]): Node => ({ kind: 'call', operation, operands, column: 1 }); // prettier-ignore

/**
 * Interpolates along one dimension of a slice, column by column. Reads no values.
 * @param onto fixed levels, or an expression with the levels of each column; its own dimensions replace that of the slice
 * @throws InputError, SelectionError for levels that do not fit; UnsupportedError for values that are not real numbers
 */
export async function interpolateColumns(
  slice: LazySlice,
  axis: number,
  { coordinate, isLog }: Levels,
  onto: FixedTargets | string,
  scope: OperationScope,
): Promise<LazySlice> {
  const { where } = slice;
  const dataset = await sliceDataset(scope);
  const scaled = (node: Node): Node => (isLog ? call('log', call('float', node)) : call('float', node));
  const levels = scaled(coordinate === undefined ? await indexOf(slice, axis, scope) : parseExpression(coordinate));
  const target = typeof onto === 'string' ? parseExpression(onto) : undefined;
  // A column crosses the level of its target where the difference crosses zero.
  const node = target === undefined ? levels : call('subtract', levels, scaled(target));
  const found = await operandsOf(node, dataset, expressionScope(scope), where);
  const { expression, known: derived } = found;
  const operands = atPositionsOf(slice, found.operands);
  const { inputs, along, shape, known } = await alignOperands([operandOfSlice(slice, scope), ...operands]);
  const rank = slice.shape.length;
  const dim = slice.dims[axis]?.name ?? null;
  if (!operands.some((operand) => operand.slice.dims.some(({ name }) => name === dim)))
    throw new InputError(`the levels "${coordinate ?? ''}" do not vary along "${dim ?? axis}"`);
  if (shape.slice(0, rank).some((size, d) => size !== slice.shape[d]))
    throw new InputError('the levels lack some of the labels of the slice');
  const types = inputs.map((input, k) => ({
    name: k === 0 ? SLICE : defined(operands[k - 1]).name,
    dtype: input.slice.dtype,
  }));
  // Dimensions that only the levels have replace that of the slice.
  const own = [...slice.shape.keys()];
  const order = [...own.slice(0, axis), ...[...shape.keys()].slice(rank), ...own.slice(axis)];
  const dims = [...(framesOf(slice) ?? along.slice(0, rank)), ...along.slice(rank)];
  const frame = {
    where,
    dimensionNames: order.map((d) => defined(along[d]).dimensionName),
    shape: order.map((d) => defined(shape[d])),
    along: order.map((d) => defined(dims[d])),
  };
  const value: Node = { kind: 'name', name: SLICE, column: 1 };
  const pairs = combineSlices(
    inputs.map((input) => ({ ...input, axes: input.axes.map((d) => order.indexOf(d)) })),
    frame,
    pairsOf(compileExpression(value, types, 'float64'), compileExpression(expression, types, 'float64')),
  );
  return guardSlice(crossed(pairs, order.indexOf(axis), onto, isLog), [...derived, ...known]);
} // prettier-ignore

function crossed(pairs: LazySlice, axis: number, onto: FixedTargets | string, isLog: boolean): LazySlice {
  if (typeof onto === 'string') {
    const made = { name: null, dim: undefined };
    const columns = alongSlice(pairs, axis, levelsKernel(Float64Array.of(0)), made);
    return partAlong(columns, axis, { kind: 'index', index: 0 });
  }
  const { targets, labels, name } = onto;
  const dim = { labels, chosen: undefined };
  return alongSlice(pairs, axis, levelsKernel(isLog ? targets.map(Math.log) : targets), { name, dim });
}

/** The index of a dimension as an operand. */
async function indexOf(slice: LazySlice, axis: number, scope: OperationScope): Promise<Node> {
  const index = await indexAlong(slice, axis, scope.dataset);
  if (index !== undefined && slice.origin.made?.every((made) => made === undefined) !== false)
    return { kind: 'name', name: index.name, column: 1 };
  throw new InputError(
    `"${slice.dims[axis]?.name ?? axis}" has no coordinate in the dataset; name the levels of the values with "coordinate"`,
  );
}
