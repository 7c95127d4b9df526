/**
 * Compiles expressions to programs. Data types follow NumPy's rules; each operation has one kernel per
 * kind of register.
 */
import { InputError, type Program, UnsupportedError } from '../../zarr/index.js';
import {
  type Call,
  extreme,
  floatFunction,
  isFloatFunction,
  isUnary,
  buildPower,
  quotient,
  remainder,
  sumOrProduct,
  unary,
} from './arithmetic.js';
import { bounded, fold } from './constants.js';
import { type Builder, createBuilder, kindOf, type Operand, type Value, typesOf } from './operands.js';
import type { Node } from './syntax.js';
import { errorAt } from './tokens.js';
import { isFloat, isOperandName, typeOfName, formOf, isWide, rangeOf, type OperandName } from './types.js';

/** A variable of an expression. */
export interface ExpressionInput {
  readonly name: string;
  readonly dtype: { readonly name: string };
}

/**
 * @param inputs all variables of the expression
 * @throws InputError that states the column; UnsupportedError for variables that are not real numbers
 */
export function compileExpression(expression: Node, inputs: readonly ExpressionInput[]): Program {
  const builder = createBuilder();

  function operandOf(node: Node): Operand {
    switch (node.kind) {
      case 'number':
        return { constant: bounded(node.value, node.column) };
      case 'text':
        throw errorAt(
          node.column,
          'expressions cannot use text; they compute with real numbers and booleans',
        );
      case 'name':
        return inputNamed(node.name, node.column);
      case 'call':
        return resultOf(node);
    }
  }

  function inputNamed(name: string, column: number): Value {
    const index = inputs.findIndex((input) => input.name === name);
    const type = inputs[index]?.dtype.name;
    if (type === undefined) throw errorAt(column, `the dataset has no variable "${name}"`);
    if (!isOperandName(type))
      throw new UnsupportedError(
        `expression, column ${column}: "${name}" has the type ${type}; expressions compute with real numbers and booleans`,
      );
    return { at: builder.graph.load(index, typeOfName(type), kindOf(type)), type };
  }

  function resultOf(call: Call): Operand {
    const operands = call.operands.map(operandOf);
    const constants = operands.flatMap((operand) => ('constant' in operand ? [operand.constant] : []));
    const folded =
      constants.length === operands.length ? fold(call.operation, constants, call.column) : undefined;
    return folded === undefined ? compute(builder, call, operands) : { constant: folded };
  }

  const result = operandOf(expression);
  if ('constant' in result) throw new InputError('the expression must contain a variable of the dataset');
  return builder.graph.program(result.at, typeOfName(result.type));
}

/** @param operands operands, as many as the operation requires */
function compute(builder: Builder, call: Call, operands: readonly Operand[]): Value {
  const { operation, column } = call;
  const { graph, truthOf, convert, commonType } = builder;
  const [a, b = a, c = b] = operands;
  if (a === undefined || b === undefined || c === undefined)
    throw errorAt(column, `the operation "${operation}" has too few operands`);
  if (isUnary(operation)) return unary(builder, operation, a, call);
  if (isFloatFunction(operation)) return floatFunction(builder, operation, [a]);
  if (isComparison(operation)) return compare(builder, operation, a, b);
  switch (operation) {
    case 'add':
    case 'subtract':
    case 'multiply':
      return sumOrProduct(builder, operation, [a, b], call);
    case 'divide':
      return quotient(builder, a, b);
    case 'remainder':
      return remainder(builder, a, b, call);
    case 'power':
      return buildPower(builder, a, b, call);
    case 'atan2':
      return floatFunction(builder, operation, [a, b]);
    case 'not':
      return { at: graph.step('not', [truthOf(a)], 'float'), type: 'bool' };
    case 'and':
    case 'or':
      return { at: graph.step(operation, [truthOf(a), truthOf(b)], 'float'), type: 'bool' };
    case 'isnan': {
      const type = commonType([a], call.operands);
      if (isFloat(type)) return builder.test('isnan', [convert(a, type)], type);
      return { at: graph.constant(0, 'float'), type: 'bool' };
    }
    case 'min':
    case 'max':
      return extreme(builder, operation, operands, commonType(operands, call.operands));
    case 'clip': {
      const type = commonType(operands, call.operands);
      return extreme(builder, 'min', [extreme(builder, 'max', [a, b], type), c], type);
    }
    case 'where': {
      const type = commonType([b, c], call.operands.slice(1));
      const args = [truthOf(a), convert(b, type), convert(c, type)];
      const kind = kindOf(type);
      const kernel = kind === 'float' ? 'where' : kind === 'single' ? 'whereSingles' : 'whereWords';
      return { at: graph.step(kernel, args, kind), type };
    }
  }
}

// Comparisons. Integers of different types are compared by value.

const names = ['equal', 'notEqual', 'less', 'lessOrEqual', 'greater', 'greaterOrEqual'] as const;
type ComparisonName = (typeof names)[number];
type KernelComparison = Exclude<ComparisonName, 'greater' | 'greaterOrEqual'>;

function isComparison(operation: string): operation is ComparisonName {
  return names.some((name) => name === operation);
}

function compare(builder: Builder, operation: ComparisonName, a: Operand, b: Operand): Value {
  if (operation === 'greater') return compare(builder, 'less', b, a);
  if (operation === 'greaterOrEqual') return compare(builder, 'lessOrEqual', b, a);
  const types = typesOf([a, b]);
  const constant = 'constant' in a ? a.constant : 'constant' in b ? b.constant : undefined;
  const [type] = types;
  if (types.length === 1 && type !== undefined && !isFloat(type) && typeof constant === 'bigint')
    return compareConstant(builder, operation, [a, b], type, constant);
  const isExact =
    types.length === 2 &&
    types.some(isWide) &&
    types.every((operandType) => formOf(operandType).form !== 'float');
  if (isExact) return compareWords(builder, operation, [a, b], 'int64');
  const common = builder.commonType([a, b], []);
  if (isWide(common)) return compareWords(builder, operation, [a, b], common);
  return builder.test(operation, [builder.convert(a, common), builder.convert(b, common)], common);
}

/** Compares with an integer that the type may not be able to represent. */
function compareConstant(
  builder: Builder,
  operation: KernelComparison,
  operands: readonly Operand[],
  type: OperandName,
  constant: bigint,
): Value {
  const [low, high] = rangeOf(type);
  if (isWide(type) && constant >= low && constant <= high)
    return compareWords(builder, operation, operands, type);
  const beyond = constant > high ? Infinity : constant < low ? -Infinity : Number(constant);
  const args = operands.map((operand) =>
    'constant' in operand
      ? builder.graph.constant(beyond, 'float')
      : builder.convert(operand, isWide(type) ? 'float64' : type),
  );
  return builder.test(operation, args, 'float64');
}

/** @param type type of the constants */
function compareWords(
  { graph, convert, constant }: Builder,
  operation: KernelComparison,
  operands: readonly Operand[],
  type: OperandName,
): Value {
  const args = operands.map((operand) => {
    if ('constant' in operand) return constant(operand.constant, type);
    // Compares registers of signed and of unsigned integers.
    return isWide(operand.type) ? operand.at : convert(operand, 'int64');
  });
  return { at: graph.step(`${operation}Words`, args, 'float'), type: 'bool' };
}
