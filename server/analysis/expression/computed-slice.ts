/** Slices computed from expressions of a dataset's variables and of results. */
import { namedTexts } from '../../dataset/grouping/made-labels.js';
import type { VariableDecoding } from '../../dataset/decode/decoding.js';
import type { GroupingRequest } from '../../dataset/grouping/grouping.js';
import { decodeSlice } from '../../dataset/decoded-slice.js';
import { type Variable, type Dataset, isVariable } from '../../dataset/variable.js';
import {
  blockSlice,
  type CombinedFrame,
  type CombinedInput,
  combinationOf,
  combineSlices,
  type ErrorContext,
  guardSlice,
  InputError,
  type KnownValues,
  type LazySlice,
  nearest,
  pairSlice,
  pairsOf,
  type PairStatistic,
  pairStatistics,
  positionOfDim,
  regressionNames,
  UnsupportedError,
  withContext,
} from '../../zarr/index.js';
import type { OperationScope } from '../operations/operation.js';
import { alignOperands, type NamedOperand } from './align-operands.js';
import { compileExpression, type ExpressionInput } from './compile.js';
import { type DerivedOperand, derivedValues, withDerived } from './derived-operands.js';
import { jointHistogram } from './joint-histogram.js';
import { parseExpression } from './parse.js';
import { namesIn, type Node } from './syntax.js';
import { errorAt } from './tokens.js';

/** Plans the decoding of a variable; may read from the store. */
export type DecodingOf = (variable: Variable) => Promise<VariableDecoding>;

/** A result that is an operand under a name, which hides a variable of this name. */
export interface NamedResult {
  readonly name: string;
  readonly slice: LazySlice;
  readonly scope: OperationScope;
  /** The groupings among its operations. */
  readonly groupings: readonly GroupingRequest[];
}

export interface ComputedVariables {
  readonly slice: LazySlice;
  /** The variables of the expression. */
  readonly variables: readonly Variable[];
}

/** What an expression may use. */
export interface ExpressionScope {
  readonly decodingOf: DecodingOf;
  /** Reads labels. */
  readonly coordinates: OperationScope['coordinates'];
  readonly results?: readonly NamedResult[];
}

/**
 * Evaluates an expression: variables are decoded, aligned by dimension name, and broadcast; results are also aligned by
 * labels. Dimensions are in the order of their first appearance, as in xarray. Reads only metadata, labels, and the
 * values that determine the decoding.
 * @throws InputError for an invalid expression; UnsupportedError for unsupported types and dimensions;
 * errors from its variables
 */
export async function computeVariables(
  text: string,
  dataset: Dataset,
  scope: ExpressionScope,
): Promise<ComputedVariables> {
  const { context, path } = dataset.group;
  const where = { store: context.store.label, path };
  try {
    return await computed(withTrends(parseExpression(text), dataset, scope), dataset, scope, where);
  } catch (error) {
    throw withContext(error, where);
  }
}

async function computed(
  parsed: Node,
  dataset: Dataset,
  scope: ExpressionScope,
  where: ErrorContext,
): Promise<ComputedVariables> {
  const { expression, operands, variables, known: derived } = await operandsOf(parsed, dataset, scope, where);
  const names = operands.map(({ name }) => name);
  const { inputs, frame, known } = await aligned(operands, where);
  const types = inputs.map(({ slice }, k) => ({ name: names[k] ?? '', dtype: slice.dtype }));
  if (expression.kind === 'call' && expression.operation === 'histogram') {
    const combine = (x: Node, y: Node): LazySlice => combineSlices(inputs, frame, pairsOfNodes(x, y, types));
    const slice = await jointHistogram(expression, combine, scope.coordinates);
    return { slice: guardSlice(slice, [...derived, ...known]), variables };
  }
  const statistic = pairStatistics.find((one) => expression.kind === 'call' && expression.operation === one);
  const slice =
    statistic === undefined
      ? combineSlices(inputs, frame, combinationOf(compileExpression(expression, types)))
      : statisticOf(statistic, expression, types, (combination) => combineSlices(inputs, frame, combination));
  return { slice: guardSlice(slice, [...derived, ...known]), variables };
}

/** The operands of an expression, in order of appearance, and the expression with names in place of derived ones. */
export interface ExpressionOperands {
  readonly expression: Node;
  readonly operands: readonly NamedOperand[];
  readonly variables: readonly Variable[];
  /** Labels from which operands were derived. */
  readonly known: readonly KnownValues[];
}

/** @throws InputError for an expression without variables; errors from its variables */
export async function operandsOf(
  parsed: Node,
  dataset: Dataset,
  scope: ExpressionScope,
  where: ErrorContext,
): Promise<ExpressionOperands> {
  const derived = new Map<string, DerivedOperand>();
  const expression = withDerived(parsed, derived);
  const names = [...namesIn(expression)];
  if (names.length === 0)
    throw new InputError('the expression contains no variable of the dataset, only constants');
  const found = await Promise.all(
    names.map(async (name): Promise<FoundOperand> => {
      const own = derived.get(name);
      if (own !== undefined) return derivedOperand(own, dataset, scope, where);
      const result = scope.results?.find((known) => known.name === name);
      if (result !== undefined)
        return { operand: { ...result, isVariable: false }, variable: undefined, known: [] };
      return variableOperand(name, variableNamed(name, expression, dataset), dataset, scope);
    }),
  );
  return {
    expression,
    operands: found.map(({ operand }) => operand),
    variables: found.flatMap(({ variable }) => variable ?? []),
    known: found.flatMap((one) => one.known),
  };
}

interface FoundOperand {
  readonly operand: NamedOperand;
  readonly variable: Variable | undefined;
  readonly known: readonly KnownValues[];
}

async function variableOperand(
  name: string,
  variable: Variable,
  dataset: Dataset,
  { decodingOf, coordinates }: ExpressionScope,
): Promise<FoundOperand> {
  const slice = decodeSlice(variable.stored, await decodingOf(variable));
  if (new Set(variable.dimensions).size < variable.dimensions.length)
    throw new UnsupportedError(
      `the variable "${name}" has a repeated dimension and cannot be aligned with others`,
    );
  const operand = {
    name,
    slice,
    scope: { dataset: async () => dataset, coordinates },
    isVariable: true,
    groupings: [],
  };
  return { operand, variable, known: [] };
}

async function derivedOperand(
  derived: DerivedOperand,
  dataset: Dataset,
  { coordinates }: ExpressionScope,
  where: ErrorContext,
): Promise<FoundOperand> {
  const { variable: name, column } = derived;
  const variable = variableNamed(name, { kind: 'name', name, column }, dataset);
  if (variable.dimensions.length !== 1)
    throw new UnsupportedError(
      `expression, column ${column}: parts of dates and comparisons with text require a variable of one dimension; "${name}" has ${variable.dimensions.length}`,
    );
  const { values, ...known } = await derivedValues(derived, variable, coordinates);
  const slice = blockSlice(values, where, variable.dimensions);
  const operand = { name: derived.name, slice, scope: { dataset: async () => dataset, coordinates }, isVariable: true, groupings: [] }; // prettier-ignore
  return { operand, variable, known: [known] };
}

interface AlignedFrame {
  readonly inputs: readonly CombinedInput[];
  readonly frame: CombinedFrame;
  readonly known: readonly KnownValues[];
}

async function aligned(operands: readonly NamedOperand[], where: ErrorContext): Promise<AlignedFrame> {
  if (operands.every(({ isVariable }) => isVariable)) return alignedByName(operands, where);
  const { inputs, along, shape, known } = await alignOperands(operands);
  return {
    inputs,
    frame: { where, dimensionNames: along.map(({ dimensionName }) => dimensionName), shape, along },
    known,
  };
}

/** Variables of one dataset have the same labels. */
function alignedByName(operands: readonly NamedOperand[], where: ErrorContext): AlignedFrame {
  const dimensions = new Map<string, number>();
  const inputs = operands.map(({ name, slice }): CombinedInput => {
    for (const dim of slice.dims) {
      const dimension = dim.name ?? '';
      const known = dimensions.get(dimension);
      if (known !== undefined && known !== dim.size)
        throw new InputError(
          `"${name}" has ${dim.size} elements along "${dimension}", but other variables of the expression have ${known}`,
        );
      dimensions.set(dimension, dim.size);
    }
    const axes = [...dimensions.keys()];
    return { slice, axes: slice.dims.map((dim) => axes.indexOf(dim.name ?? '')) };
  });
  const frame = { where, dimensionNames: [...dimensions.keys()], shape: [...dimensions.values()] };
  return { inputs, frame, known: [] };
}

/** @param expression a call of the statistic: both operands, and the names of dimensions as text */
function statisticOf(
  statistic: PairStatistic,
  expression: Node,
  types: readonly ExpressionInput[],
  combine: (combination: ReturnType<typeof pairsOf>) => LazySlice,
): LazySlice {
  const [a, b, ...rest] = expression.kind === 'call' ? expression.operands : [];
  if (a === undefined || b === undefined)
    throw errorAt(expression.column, `${statistic} takes two expressions`);
  // A regression of y is along x.
  const [x, y] = statistic === 'regression' ? [b, a] : [a, b];
  const pairs = combine(pairsOfNodes(x, y, types));
  const over = rest.map((node) => {
    if (node.kind === 'text') return positionOfDim(node.text, pairs.dims);
    throw errorAt(node.column, `the dimensions of ${statistic} are text, such as "time"`);
  });
  if (new Set(over).size < over.length)
    throw errorAt(expression.column, 'a dimension is listed more than once');
  const all = over.length === 0 ? [...pairs.shape.keys()] : over;
  const labels = namedTexts('statistic', regressionNames);
  return pairSlice(pairs, statistic, all, labels);
}

function pairsOfNodes(x: Node, y: Node, types: readonly ExpressionInput[]): ReturnType<typeof pairsOf> {
  return pairsOf(compileExpression(x, types, 'float64'), compileExpression(y, types, 'float64'));
}

/** Replaces `trend(y, "time")` by a regression on the coordinate; dates as decimal years, so that slopes are per year. */
function withTrends(node: Node, dataset: Dataset, { results = [] }: ExpressionScope): Node {
  if (node.kind !== 'call' || node.operation !== 'trend') return node;
  const [y, dim] = node.operands;
  const { column } = node;
  if (y === undefined || dim?.kind !== 'text')
    throw errorAt(column, 'trend takes an expression and the name of a dimension as text: trend(y, "time")');
  const name: Node = { kind: 'name', name: dim.text, column: dim.column };
  if (results.some((known) => known.name === dim.text)) throw errorAt(dim.column, `"${dim.text}" is the name of a result, not of a coordinate`); // prettier-ignore
  const hasDates = variableNamed(dim.text, name, dataset).decoding().times !== undefined;
  const x: Node = hasDates
    ? { kind: 'call', operation: 'decimalyear', operands: [name], column: dim.column }
    : name;
  return { kind: 'call', operation: 'regression', operands: [y, x, dim], column };
}

function variableNamed(name: string, expression: Node, { variables }: Dataset): Variable {
  const entry = variables.get(name);
  if (isVariable(entry)) return entry;
  if (entry !== undefined) throw entry;
  const [near] = nearest(name, variables.keys());
  const hint = near === undefined ? '' : `; did you mean "${near}"?`;
  throw errorAt(
    columnOf(name, expression) ?? 1,
    `the dataset has no variable "${name.slice(0, 100)}"${hint}`,
  );
}

function columnOf(name: string, node: Node): number | undefined {
  if (node.kind === 'name') return node.name === name ? node.column : undefined;
  if (node.kind !== 'call') return undefined;
  for (const operand of node.operands) {
    const column = columnOf(name, operand);
    if (column !== undefined) return column;
  }
  return undefined;
}
