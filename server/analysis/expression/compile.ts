/**
 * Compiles expressions to programs. Data types follow NumPy's rules; each operation has one kernel per
 * kind of register.
 */
import { InputError, type Program, UnsupportedError } from '../../zarr/index.js';
import {
  buildPower,
  type Call,
  extreme,
  floatFunction,
  isFloatFunction,
  isUnary,
  quotient,
  remainder,
  sumOrProduct,
  unary,
} from './arithmetic.js';
import { bits, cast, isBitOperation, isCast } from './bits.js';
import { bounded, fold } from './constants.js';
import { type Builder, createBuilder, kindOf, type Operand, type Value } from './operands.js';
import type { Node } from './syntax.js';
import { errorAt } from './tokens.js';
import { isFloat, isOperandName, type OperandName, typeOfName } from './types.js';
import { compileComparison, isComparison } from './comparisons.js';

/** A variable of an expression. */
export interface ExpressionInput {
  readonly name: string;
  readonly dtype: { readonly name: string };
}

/**
 * @param inputs all variables of the expression
 * @param as the type to convert the result to; its own by default
 * @throws InputError that states the column; UnsupportedError for variables that are not real numbers
 */
export function compileExpression(
  expression: Node,
  inputs: readonly ExpressionInput[],
  as?: OperandName,
): Program {
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
  const type = as ?? result.type;
  return builder.graph.program(builder.convert(result, type), typeOfName(type));
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
  if (isComparison(operation)) return compileComparison(builder, operation, a, b);
  if (isBitOperation(operation)) return bits(builder, operation, operands, call);
  if (isCast(operation)) return cast(builder, operation, a, call);
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
    default:
      throw errorAt(column, `${operation} must be the outermost function of the expression`);
  }
}
