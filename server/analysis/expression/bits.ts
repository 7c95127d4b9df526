/** Operations on the bits of integers and booleans, and conversions between types, with NumPy's types and results. */
import type { Call } from './arithmetic.js';
import { type Builder, kindOf, type Operand, type Value } from './operands.js';
import type { OperationName } from './syntax.js';
import { errorAt } from './tokens.js';
import { formOf, isFloat } from './types.js';

const bitOperations = ['bitAnd', 'bitOr', 'bitXor', 'xor', 'bitNot', 'shiftLeft', 'shiftRight'] as const;
type BitOperation = (typeof bitOperations)[number];

export function isBitOperation(operation: OperationName): operation is BitOperation {
  return bitOperations.some((name) => name === operation);
}

export function bits(builder: Builder, name: BitOperation, args: readonly Operand[], call: Call): Value {
  const { column, operands } = call;
  const common = builder.commonType(args, operands);
  if (isFloat(common))
    throw errorAt(
      column,
      'bits are those of integers and booleans, not of floats; write powers with **, and conditions with and, or and not',
    );
  const operation = name === 'xor' ? 'bitXor' : name;
  if (common === 'bool' && operation === 'bitNot')
    return {
      at: builder.graph.step(
        'not',
        args.map((arg) => builder.convert(arg, common)),
        'float',
      ),
      type: common,
    };
  const isShift = operation === 'shiftLeft' || operation === 'shiftRight';
  const type = common === 'bool' && isShift ? 'int8' : common;
  const float = operation === 'shiftRight' && formOf(type).form === 'uint' ? 'shiftRightUnsigned' : operation;
  return builder.arithmetic({ float, words: `${operation}Words` }, args, type);
}

const casts = ['float', 'float32', 'int', 'bool'] as const;
type CastName = (typeof casts)[number];

export function isCast(operation: OperationName): operation is CastName {
  return casts.some((name) => name === operation);
}

export function cast(builder: Builder, name: CastName, arg: Operand, { column, operands }: Call): Value {
  const { graph, convert, truthOf } = builder;
  switch (name) {
    case 'float':
      return { at: convert(arg, 'float64'), type: 'float64' };
    case 'float32': {
      const at = convert(arg, 'float64');
      const isSingle = !('constant' in arg) && kindOf(arg.type) === 'single';
      return { at: isSingle ? arg.at : graph.step('singlesOfFloats', [at], 'single'), type: 'float32' };
    }
    case 'bool': {
      // Everything except 0 is true, including NaN.
      const truth = truthOf(arg);
      return { at: graph.step('not', [graph.step('not', [truth], 'float')], 'float'), type: 'bool' };
    }
    case 'int': {
      const type = builder.commonType([arg], operands);
      if (isFloat(type))
        throw errorAt(
          column,
          'int converts integers and booleans to int64; a float can be missing, which no integer is',
        );
      if (type === 'uint64') throw errorAt(column, 'int cannot represent all values of uint64');
      return { at: convert(arg, 'int64'), type: 'int64' };
    }
  }
}
