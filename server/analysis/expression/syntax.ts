/** Expressions as trees, and the names of operations. */

/** Minimum and maximum number of operands of each operation. */
export const expressionOperations = {
  add: [2, 2],
  subtract: [2, 2],
  multiply: [2, 2],
  divide: [2, 2],
  remainder: [2, 2],
  power: [2, 2],
  negate: [1, 1],
  equal: [2, 2],
  notEqual: [2, 2],
  less: [2, 2],
  lessOrEqual: [2, 2],
  greater: [2, 2],
  greaterOrEqual: [2, 2],
  and: [2, 2],
  or: [2, 2],
  not: [1, 1],
  where: [3, 3],
  abs: [1, 1],
  sqrt: [1, 1],
  exp: [1, 1],
  log: [1, 1],
  log10: [1, 1],
  sin: [1, 1],
  cos: [1, 1],
  tan: [1, 1],
  asin: [1, 1],
  acos: [1, 1],
  atan: [1, 1],
  sinh: [1, 1],
  cosh: [1, 1],
  tanh: [1, 1],
  atan2: [2, 2],
  min: [2, 16],
  max: [2, 16],
  clip: [3, 3],
  isnan: [1, 1],
  round: [1, 1],
  floor: [1, 1],
  ceil: [1, 1],
  year: [1, 1],
  month: [1, 1],
  day: [1, 1],
  hour: [1, 1],
  minute: [1, 1],
  second: [1, 1],
  dayofyear: [1, 1],
  weekday: [1, 1],
  week: [1, 1],
  season: [1, 1],
  seconds: [1, 1],
  days: [1, 1],
  decimalyear: [1, 1],
  bitAnd: [2, 2],
  bitOr: [2, 2],
  bitXor: [2, 2],
  bitNot: [1, 1],
  shiftLeft: [2, 2],
  shiftRight: [2, 2],
  xor: [2, 2],
  float: [1, 1],
  float32: [1, 1],
  int: [1, 1],
  bool: [1, 1],
  correlation: [2, 10],
  covariance: [2, 10],
  regression: [2, 10],
  trend: [2, 2],
  histogram: [4, 12],
} as const;

export type OperationName = keyof typeof expressionOperations;

/** Operations written as calls. */
export const functionNames = [
  'where', 'abs', 'sqrt', 'exp', 'log', 'log10', 'sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'atan2', 'sinh', 'cosh', 'tanh', 'min',
  'max', 'clip', 'isnan', 'round', 'floor', 'ceil', 'year', 'month', 'day', 'hour', 'minute', 'second', 'dayofyear', 'weekday', 'week', 'season',
  'seconds', 'days', 'decimalyear', 'correlation', 'covariance', 'regression', 'trend', 'histogram', 'xor', 'float', 'float32', 'int', 'bool',
] as const satisfies readonly OperationName[]; // prettier-ignore

export type FunctionName = (typeof functionNames)[number];

export function isFunctionName(name: string): name is FunctionName {
  return functionNames.some((known) => known === name);
}

/** `column` is the column of the operator, or of the first character if the node has no operator. */
export type Node = { readonly column: number } & (
  | { readonly kind: 'number'; readonly value: number | bigint }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'call'; readonly operation: OperationName; readonly operands: readonly Node[] }
);

/** The names in an expression without duplicates, in order of appearance. */
export function namesIn(node: Node, names = new Set<string>()): ReadonlySet<string> {
  if (node.kind === 'name') names.add(node.name);
  if (node.kind === 'call') for (const operand of node.operands) namesIn(operand, names);
  return names;
}
