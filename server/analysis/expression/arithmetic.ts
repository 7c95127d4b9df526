/** Arithmetic, with NumPy's types and results. */
import { type Builder, kindOf, type Operand, type Value } from './operands.js';
import type { Node } from './syntax.js';
import { errorAt } from './tokens.js';
import { floatOf, formOf, isFloat, isWide, type OperandName } from './types.js';

/** The operation being compiled, for error messages. */
export type Call = Extract<Node, { kind: 'call' }>;

const unaries = ['negate', 'abs', 'round', 'floor', 'ceil'] as const;
export type UnaryName = (typeof unaries)[number];

export function isUnary(operation: string): operation is UnaryName {
  return unaries.some((name) => name === operation);
}

export function unary(builder: Builder, operation: UnaryName, a: Operand, { column, operands }: Call): Value {
  const type = builder.commonType([a], operands);
  const at = builder.convert(a, type);
  const { form } = formOf(type);
  if (operation === 'negate') {
    if (form === 'bool') throw errorAt(column, 'cannot negate booleans; use "not"');
    return builder.arithmetic({ float: 'negate', words: 'negateWords' }, [{ at, type }], type);
  }
  if (operation === 'abs') {
    if (form === 'bool' || form === 'uint') return { at, type };
    return builder.arithmetic({ float: 'absolute', words: 'absoluteWords' }, [{ at, type }], type);
  }
  // As in NumPy, where rounding a boolean returns float16.
  if (form === 'bool' && operation === 'round') return { at, type: 'float16' };
  return form === 'float' ? builder.narrowed(operation, [at], type) : { at, type };
}

const functions = [
  'sqrt',
  'exp',
  'log',
  'log10',
  'sin',
  'cos',
  'tan',
  'asin',
  'acos',
  'atan',
  'sinh',
  'cosh',
  'tanh',
] as const;
export type FloatFunction = (typeof functions)[number];

export function isFloatFunction(operation: string): operation is FloatFunction {
  return functions.some((name) => name === operation);
}

export function floatFunction(
  { promoted, convert, narrowed }: Builder,
  kernel: FloatFunction | 'atan2',
  operands: readonly Operand[],
): Value {
  const type = floatOf(promoted(operands));
  const args = operands.map((operand) => convert(operand, type));
  return narrowed(kernel, args, type);
}

export function sumOrProduct(
  builder: Builder,
  operation: 'add' | 'subtract' | 'multiply',
  args: readonly Operand[],
  { column, operands }: Call,
): Value {
  const type = builder.commonType(args, operands);
  if (type === 'bool') {
    if (operation === 'subtract') throw errorAt(column, 'cannot subtract booleans; use a != b');
    return builder.narrowed(operation === 'add' ? 'or' : 'and', args.map((arg) => builder.convert(arg, type)), type); // prettier-ignore
  }
  if (operation === 'multiply')
    return builder.arithmetic(
      { float: 'multiply', integer: 'multiplyIntegers', words: 'multiplyWords' },
      args,
      type,
    );
  return builder.arithmetic({ float: operation, words: `${operation}Words` }, args, type);
}

export function quotient(builder: Builder, a: Operand, b: Operand): Value {
  const common = builder.promoted([a, b]);
  // Integers of any size are divided as float64.
  const type = isFloat(common) ? common : 'float64';
  return builder.narrowed('divide', [builder.convert(a, type), builder.convert(b, type)], type);
}

export function remainder(builder: Builder, a: Operand, b: Operand, { operands }: Call): Value {
  const common = builder.commonType([a, b], operands);
  const kernels = { float: 'remainder', integer: 'remainderOfIntegers', words: 'remainderOfWords' } as const;
  return builder.arithmetic(kernels, [a, b], common === 'bool' ? 'int8' : common);
}

export function buildPower(builder: Builder, a: Operand, b: Operand, call: Call): Value {
  // NumPy computes squares of booleans as int8, but other powers with integer constants as int64.
  const isSquare = 'constant' in b && b.constant === 2n;
  const isBoolean = isSquare && !('constant' in a) && a.type === 'bool';
  const common = isBoolean ? 'bool' : builder.commonType([a, b], call.operands);
  const type = common === 'bool' ? 'int8' : common;
  const exponent = 'constant' in b ? Number(b.constant) : undefined;
  if (!isFloat(type)) {
    if (exponent !== undefined && exponent < 0)
      throw errorAt(
        call.column,
        'cannot raise integers to negative integer powers, as in NumPy; write the exponent as a float, such as -1.0',
      );
    const kernels = { float: 'powerOfIntegers', words: 'powerOfWords' } as const;
    return exponent === 2 && common !== 'bool'
      ? sumOrProduct(builder, 'multiply', [a, a], call)
      : builder.arithmetic(kernels, [a, b], type);
  }
  const base = builder.convert(a, type);
  // NumPy computes these powers with other functions than `pow`, whose results can differ in the last bit.
  switch (exponent) {
    case 2:
      return builder.narrowed('square', [base], type);
    case 1:
      return { at: base, type };
    case 0.5:
      return builder.narrowed('sqrt', [base], type);
    case -1:
      return builder.narrowed('divide', [builder.constant(1, type), base], type);
    default:
      return builder.narrowed('power', [base, builder.convert(b, type)], type);
  }
}

/** The minimum or maximum of the operands, in a type that can represent all of them. */
export function extreme(
  { convert, graph }: Builder,
  operation: 'min' | 'max',
  args: readonly Operand[],
  type: OperandName,
): Value {
  const [first = -1, ...others] = args.map((arg) => convert(arg, type));
  const kernel = isWide(type)
    ? (`${operation}Words` as const)
    : type === 'float32'
      ? (`${operation}Singles` as const)
      : operation;
  return { at: others.reduce((a, b) => graph.step(kernel, [a, b], kindOf(type)), first), type };
}
