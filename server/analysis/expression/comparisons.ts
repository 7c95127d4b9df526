/** Comparisons. Integers of different types are compared by value. */
import { type Builder, type Operand, typesOf, type Value } from './operands.js';
import { formOf, isFloat, isWide, type OperandName, rangeOf } from './types.js';

const names = ['equal', 'notEqual', 'less', 'lessOrEqual', 'greater', 'greaterOrEqual'] as const;
type ComparisonName = (typeof names)[number];
type KernelComparison = Exclude<ComparisonName, 'greater' | 'greaterOrEqual'>;

export function isComparison(operation: string): operation is ComparisonName {
  return names.some((name) => name === operation);
}

export function compileComparison(
  builder: Builder,
  operation: ComparisonName,
  a: Operand,
  b: Operand,
): Value {
  if (operation === 'greater') return compileComparison(builder, 'less', b, a);
  if (operation === 'greaterOrEqual') return compileComparison(builder, 'lessOrEqual', b, a);
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
