/** Positions at which conditions are true, and values where they are. */
import { defined } from '../../../wire/guards.js';
import {
  type Block,
  combinationOf,
  combineSlices,
  dimSelectionOf,
  type DimSelection,
  type FrameDim,
  guardSlice,
  InputError,
  inTurns,
  type LazySlice,
  nextTurn,
  PositionList,
  SelectionError,
  toTypedArray,
} from '../../zarr/index.js';
import { keptDims } from '../../dataset/slice-coordinates.js';
import { countAlong, positionAlong } from '../../dataset/positions.js';
import type { Dataset, Variable } from '../../dataset/variable.js';
import type { OperationScope } from '../operations/operation.js';
import { alignOperands, type NamedOperand } from './align-operands.js';
import { computeVariables, operandsOf } from './computed-slice.js';
import { compileExpression } from './compile.js';
import { parseExpression } from './parse.js';

/** @throws SelectionError for a slice without a dataset */
export async function sliceDataset({ dataset }: OperationScope): Promise<Dataset> {
  const found = await dataset();
  if (found !== undefined) return found;
  throw new SelectionError('expressions require an array of a dataset, whose variables they name');
}

export const expressionScope = ({ coordinates }: OperationScope) => ({
  decodingOf: (variable: Variable) => coordinates.decoding(variable),
  coordinates,
});

/**
 * The positions along dimension `d` of a slice at which a condition is true; missing values are false.
 * @throws InputError for an invalid condition, or one that varies along other dimensions; errors from reading it
 */
export async function positionsWhere(
  slice: LazySlice,
  d: number,
  condition: string,
  scope: OperationScope,
): Promise<DimSelection> {
  const dataset = await sliceDataset(scope);
  const kept = keptDims(slice.origin.selection)[d];
  const name = kept === undefined ? null : (slice.origin.dimensionNames[kept.axis] ?? null);
  if (kept === undefined || name === null)
    throw new SelectionError(
      'conditions select along dimensions of the dataset, not those that operations created',
    );
  const { slice: values } = await computeVariables(condition, dataset, expressionScope(scope));
  const size = slice.origin.shape[kept.axis];
  if (values.dims.length !== 1 || values.dims[0]?.name !== name || values.shape[0] !== size)
    throw new InputError(
      `the condition must vary along "${name}" alone, with ${size} elements; it has the dimensions (${values.dims.map((dim) => `${dim.name}: ${dim.size}`).join(', ')})`,
    );
  const block = await scope.coordinates.read(values);
  // The positions are collected, and then copied to lists.
  await scope.coordinates.reserve(3 * countAlong(kept.dim) * Float64Array.BYTES_PER_ELEMENT);
  const selection = await inTurns(trueAt(block, countAlong(kept.dim), (i) => positionAlong(kept.dim, i)));
  // Selecting a list of millions takes a turn.
  await nextTurn();
  return selection;
}

function* trueAt(
  block: Block,
  count: number,
  positionOf: (i: number) => number,
): Generator<void, DimSelection, void> {
  const values = toTypedArray(block);
  const positions = new PositionList();
  for (let i = 0; i < count; i++) {
    const value = Number(values[positionOf(i)]);
    if (value !== 0 && value === value) positions.push(i);
    if (i % 4096 === 4095) yield;
  }
  const selection = yield* positions.selection();
  if (selection.kind === 'slice') return selection;
  // Not a typed array, because links contain the selection as JSON.
  const indices = new Array<number>(selection.indices.length).fill(0);
  for (let i = 0; i < indices.length; i++) {
    indices[i] = defined(selection.indices[i]);
    if (i % COPIED === COPIED - 1) yield;
  }
  return { kind: 'indices', indices };
}

/** Number of positions that are copied between two yields. */
const COPIED = 2 ** 14;

/** The name of the slice among the operands, which no variable has. */
export const SLICE = '\u0000slice';

export function operandOfSlice(slice: LazySlice, scope: OperationScope): NamedOperand {
  return { name: SLICE, slice, scope, isVariable: false, groupings: [] };
}

/**
 * Operands at the positions of a slice along dimensions of its dataset: the values of one time are compared with those of
 * the same time. Other dimensions, which operations created, are aligned by labels.
 */
export function atPositionsOf<T extends { readonly slice: LazySlice }>(
  { origin: { selection, dimensionNames, shape, made, coarsened } }: LazySlice,
  operands: readonly T[],
): T[] {
  if (selection.kind === 'points') return [...operands];
  const stored = selection.dims.flatMap((dim, axis) => {
    const [name, size] = [dimensionNames[axis] ?? null, shape[axis]];
    const isWhole = dim.kind === 'range' && !dim.dropped && dim.step === 1 && dim.count === size;
    const isMade = made?.[axis] !== undefined || coarsened?.[axis] !== undefined;
    return name === null || isWhole || isMade ? [] : [{ dim: name, size, by: dimSelectionOf(dim) }];
  });
  return operands.map((operand) => {
    const { slice } = operand;
    const named = stored.filter(({ dim, size }) =>
      slice.dims.some((own) => own.name === dim && own.size === size),
    );
    return named.length === 0 ? operand : { ...operand, slice: slice.select({ kind: 'named', named }) };
  });
}

/**
 * The values at the positions where a condition is true; missing elsewhere. The condition is aligned by labels.
 * @throws InputError for an invalid condition, and for one that varies along a dimension that the slice lacks, or lacks
 * some of its labels; UnsupportedError for values that are not real numbers
 */
export async function valuesWhere(
  slice: LazySlice,
  condition: string,
  scope: OperationScope,
): Promise<LazySlice> {
  const dataset = await sliceDataset(scope);
  const where = slice.where;
  const found = await operandsOf(parseExpression(condition), dataset, expressionScope(scope), where);
  const { expression, known: derived } = found;
  const operands = atPositionsOf(slice, found.operands);
  const { inputs, along, shape, known } = await alignOperands([operandOfSlice(slice, scope), ...operands]);
  if (shape.length > slice.shape.length)
    throw new InputError(
      `the condition varies along (${along.map(({ name }) => name).join(', ')}), but the slice only along (${slice.dims.map(({ name }) => name).join(', ')})`,
    );
  if (shape.some((size, axis) => size !== slice.shape[axis]))
    throw new InputError('the condition lacks some of the labels of the slice');
  const types = inputs.map((input, k) => ({
    name: k === 0 ? SLICE : defined(operands[k - 1]).name,
    dtype: input.slice.dtype,
  }));
  const program = compileExpression(
    {
      kind: 'call',
      operation: 'where',
      column: 1,
      operands: [
        expression,
        { kind: 'name', name: SLICE, column: 1 },
        { kind: 'number', value: NaN, column: 1 },
      ],
    },
    types,
  );
  const frame = {
    where,
    dimensionNames: along.map(({ dimensionName }) => dimensionName),
    shape,
    along: framesOf(slice) ?? along,
  };
  return guardSlice(combineSlices(inputs, frame, combinationOf(program)), [...derived, ...known]);
}

/** The dimensions of a slice as they are; undefined for blocks and points, whose labels are computed. */
export function framesOf({ origin, dims }: LazySlice): FrameDim[] | undefined {
  const { selection, coarsened, made } = origin;
  if (selection.kind === 'points' || coarsened !== undefined) return undefined;
  return keptDims(selection).map(({ axis, dim }, d) => ({
    name: dims[d]?.name ?? null,
    dimensionName: origin.dimensionNames[axis] ?? null,
    size: defined(origin.shape[axis]),
    selection: dim,
    made: made?.[axis],
  }));
}
