/** Slices computed from expressions of a dataset's variables. */
import { defined } from '../../../wire/guards.js';
import type { VariableDecoding } from '../../dataset/decode/decoding.js';
import { decodeSlice } from '../../dataset/decoded-slice.js';
import { type Variable, type Dataset, isVariable } from '../../dataset/variable.js';
import { withContext, combinationOf, combineSlices, InputError, type LazySlice, nearest, type ErrorContext, UnsupportedError } from '../../zarr/index.js'; // prettier-ignore
import { compileExpression } from './compile.js';
import { parseExpression } from './parse.js';
import { namesIn, type Node } from './syntax.js';
import { errorAt } from './tokens.js';

/** Plans the decoding of a variable; may read from the store. */
export type DecodingOf = (variable: Variable) => Promise<VariableDecoding>;

export interface ComputedVariables {
  readonly slice: LazySlice;
  /** The variables of the expression. */
  readonly variables: readonly Variable[];
}

/**
 * Evaluates an expression: variables are decoded, aligned by dimension name, and broadcast. Dimensions are
 * in the order of their first appearance, as in xarray. Reads only metadata and the values that determine
 * the decoding.
 * @throws InputError for an invalid expression; UnsupportedError for unsupported types and dimensions;
 * errors from its variables
 */
export async function computeVariables(
  text: string,
  dataset: Dataset,
  decodingOf: DecodingOf,
): Promise<ComputedVariables> {
  const { context, path } = dataset.group;
  const where = { store: context.store.label, path };
  try {
    const expression = parseExpression(text);
    const variables = [...namesIn(expression)].map((name) => variableNamed(name, expression, dataset));
    if (variables.length === 0)
      throw new InputError('the expression contains no variable of the dataset, only constants');
    const slices = await Promise.all(
      variables.map(async (variable) => decodeSlice(variable.stored, await decodingOf(variable))),
    );
    return { slice: combine(expression, variables, slices, where), variables };
  } catch (error) {
    throw withContext(error, where);
  }
}

function combine(
  expression: Node,
  variables: readonly Variable[],
  slices: readonly LazySlice[],
  where: ErrorContext,
): LazySlice {
  const inputs = slices.map(({ dtype }, k) => ({ name: variables[k]?.name ?? '', dtype }));
  const program = compileExpression(expression, inputs);
  const dimensions = new Map<string, number>();
  const aligned = variables.map((variable, k) => alignInput(variable, slices[k], dimensions));
  const frame = { where, dimensionNames: [...dimensions.keys()], shape: [...dimensions.values()] };
  return combineSlices(aligned, frame, combinationOf(program));
}

/** Adds the dimensions of the variable to `dimensions`, the dimensions of the result. */
function alignInput(
  { name, dimensions: own, shape }: Variable,
  slice: LazySlice | undefined,
  dimensions: Map<string, number>,
): { slice: LazySlice; axes: number[] } {
  if (slice === undefined) throw new TypeError(`variable "${name}" was used before it was loaded`);
  if (new Set(own).size < own.length)
    throw new UnsupportedError(
      `the variable "${name}" has a repeated dimension and cannot be aligned with others`,
    );
  own.forEach((dimension, d) => {
    const size = defined(shape[d]);
    const known = dimensions.get(dimension);
    if (known !== undefined && known !== size)
      throw new InputError(
        `"${name}" has ${size} elements along "${dimension}", but other variables of the expression have ${known}`,
      );
    dimensions.set(dimension, size);
  });
  const axes = [...dimensions.keys()];
  return { slice, axes: own.map((dimension) => axes.indexOf(dimension)) };
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
