/**
 * Builds the program of an expression from its operands: arrays, and constants that adopt the type of the
 * other operand.
 */
import {
  createGraph,
  floatFromHalf,
  type FloatKernelName,
  type Graph,
  halfFromFloat,
  isSingleKernel,
  type NarrowName,
  type RegisterKind,
  type WordKernelName,
} from '../../zarr/index.js';
import type { ConstantValue } from './constants.js';
import type { Node } from './syntax.js';
import { errorAt } from './tokens.js';
import { isFloat, isWide, type OperandName, promote, rangeOf } from './types.js';

/** An array operand: its vertex and its type. */
export interface Value {
  readonly at: number;
  readonly type: OperandName;
}

export type Operand = Value | { readonly constant: ConstantValue };

type TestName = 'isnan' | 'equal' | 'notEqual' | 'less' | 'lessOrEqual';

/** The variants of an operation for each kind of register. */
export interface Kernels {
  readonly float: FloatKernelName;
  /** @default the kernel for floats */
  readonly integer?: FloatKernelName;
  /** The kernel for 64-bit integers. */
  readonly words: WordKernelName;
}

export interface Builder {
  readonly graph: Graph;
  /** The common type of several operands. Integer constants adopt it even if it cannot represent them. */
  readonly promoted: (operands: readonly Operand[]) => OperandName;
  /**
   * The common type of several operands, which can represent all of them.
   * @param nodes syntax nodes of the operands, for error messages
   * @throws InputError for an integer constant that the type cannot represent
   */
  readonly commonType: (operands: readonly Operand[], nodes: readonly Node[]) => OperandName;
  /** The vertex of an operand, converted to a type. */
  readonly convert: (operand: Operand, type: OperandName) => number;
  readonly constant: (constant: ConstantValue, type: OperandName) => number;
  /** 0 for false, any other number for true. */
  readonly truthOf: (operand: Operand) => number;
  /**
   * A step whose result is rounded or wrapped to its type.
   * @param args operands of that type, which must not be a 64-bit integer
   */
  readonly narrowed: (kernel: FloatKernelName, args: readonly number[], type: OperandName) => Value;
  /**
   * A step whose result is a boolean, on operands of at most 32 bits or floats.
   * @param type type of the operands
   */
  readonly test: (kernel: TestName, args: readonly number[], type: OperandName) => Value;
  /** A step whose operands have the type of its result. */
  readonly arithmetic: (kernels: Kernels, operands: readonly Operand[], type: OperandName) => Value;
}

export function createBuilder(): Builder {
  const graph = createGraph();

  function constantOf(constant: ConstantValue, type: OperandName): number {
    if (isWide(type)) return graph.constant(BigInt(constant), type);
    return graph.constant(rounded(Number(constant), type), kindOf(type));
  }

  function convert(operand: Operand, type: OperandName): number {
    if ('constant' in operand) return constantOf(operand.constant, type);
    const { at, type: own } = operand;
    const [from, to] = [kindOf(own), kindOf(type)];
    if (from === to) return at;
    if (to === 'float') return graph.step(isWide(own) ? 'floatsOfWords' : 'floatsOfSingles', [at], to);
    if (from !== 'float') throw new TypeError(`cannot convert ${own} to ${type}`);
    return graph.step(to === 'single' ? 'singlesOfFloats' : 'wordsOfFloats', [at], to);
  }

  const narrowed: Builder['narrowed'] = (kernel, args, type) => {
    if (type !== 'float32') return { at: graph.step(kernel, args, 'float', narrowOf(type)), type };
    const single = `${kernel}Singles`;
    if (isSingleKernel(single)) return { at: graph.step(single, args, 'single'), type };
    const floats = args.map((at) => graph.step('floatsOfSingles', [at], 'float'));
    return { at: graph.step('singlesOfFloats', [graph.step(kernel, floats, 'float')], 'single'), type };
  };

  return {
    graph,
    promoted,
    commonType(operands, nodes) {
      const type = promoted(operands);
      if (isFloat(type)) return type;
      operands.forEach((operand, k) => {
        if ('constant' in operand) assertFits(operand.constant, type, nodes[k]?.column ?? 1);
      });
      return type;
    },
    convert,
    constant: constantOf,
    truthOf(operand) {
      if ('constant' in operand) return graph.constant(Number(operand.constant), 'float');
      const kind = kindOf(operand.type);
      if (kind === 'float') return operand.at;
      return graph.step(kind === 'single' ? 'truthOfSingles' : 'truthOfWords', [operand.at], 'float');
    },
    narrowed,
    test(kernel, args, type) {
      const name = type === 'float32' ? (`${kernel}Singles` as const) : kernel;
      return { at: graph.step(name, args, 'float'), type: 'bool' };
    },
    arithmetic(kernels, operands, type) {
      const args = operands.map((operand) => convert(operand, type));
      if (isWide(type)) return { at: graph.step(kernels.words, args, type), type };
      return narrowed(isFloat(type) ? kernels.float : (kernels.integer ?? kernels.float), args, type);
    },
  };
}

function promoted(operands: readonly Operand[]): OperandName {
  const [first, ...others] = typesOf(operands);
  const isFraction = operands.some(
    (operand) => 'constant' in operand && typeof operand.constant === 'number',
  );
  if (first === undefined) return isFraction ? 'float64' : 'int64';
  const common = others.reduce(promote, first);
  if (isFloat(common) || operands.length === others.length + 1) return common;
  if (isFraction) return 'float64';
  return common === 'bool' ? 'int64' : common;
}

export function typesOf(operands: readonly Operand[]): OperandName[] {
  return operands.flatMap((operand) => ('constant' in operand ? [] : [operand.type]));
}

export function kindOf(type: OperandName): RegisterKind {
  if (type === 'float32') return 'single';
  return isWide(type) ? type : 'float';
}

function narrowOf(type: OperandName): NarrowName | undefined {
  return type === 'bool' || type === 'float32' || type === 'float64' || isWide(type) ? undefined : type;
}

function assertFits(constant: ConstantValue, type: OperandName, column: number): void {
  const [low, high] = rangeOf(type);
  if (typeof constant === 'bigint' && (constant < low || constant > high))
    throw errorAt(
      column,
      `${constant} does not fit in ${type}, the type of the other operand; write it as a float, such as ${constant}.0`,
    );
}

function rounded(value: number, type: OperandName): number {
  if (type === 'float16') return floatFromHalf(halfFromFloat(value));
  return type === 'float32' ? Math.fround(value) : value;
}
