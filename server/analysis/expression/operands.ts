/** What operations take: values of each element, and numbers that follow their type. */
import {
  floatFromHalf,
  halfFromFloat,
  type KernelName,
  type NarrowName,
  type RegisterKind,
} from '../../zarr/index.js';
import type { Constant } from './constants.js';
import { createGraph, type Graph } from './graph.js';
import type { Node } from './syntax.js';
import { errorAt } from './tokens.js';
import { isFloat, isWide, promote, rangeOf, type RealName } from './types.js';

/** A value of each element: where it is computed, and its type. */
export interface Value {
  readonly at: number;
  readonly type: RealName;
}

export type Operand = Value | { readonly constant: Constant };

/** The same operation on values of different registers. */
export interface Kernels {
  readonly float: KernelName;
  /** @default that of floats */
  readonly integer?: KernelName;
  /** Of 64-bit integers. */
  readonly words: KernelName;
}

export interface Builder {
  readonly graph: Graph;
  /**
   * The type of several operands together.
   * @param nodes of the operands, for messages
   * @throws InputError for an integer of the expression that the type does not hold
   */
  readonly commonType: (operands: readonly Operand[], nodes: readonly Node[]) => RealName;
  /** The place of an operand in a type that holds its values. */
  readonly convert: (operand: Operand, type: RealName) => number;
  readonly constant: (constant: Constant, type: RealName) => number;
  /** 0 for false. */
  readonly truthOf: (operand: Operand) => number;
  /** A step on float64 registers whose result is rounded or wrapped to its type. */
  readonly narrowed: (kernel: KernelName, args: readonly number[], type: RealName) => Value;
  /** A step on operands of the type of its result. */
  readonly arithmetic: (kernels: Kernels, operands: readonly Operand[], type: RealName) => Value;
}

export function createBuilder(): Builder {
  const graph = createGraph();

  function constantOf(constant: Constant, type: RealName): number {
    if (isWide(type)) return graph.constant(BigInt(constant), type);
    return graph.constant(rounded(Number(constant), type), 'float');
  }

  function convert(operand: Operand, type: RealName): number {
    if ('constant' in operand) return constantOf(operand.constant, type);
    const { at, type: own } = operand;
    if (isWide(own)) {
      if (own === type) return at;
      if (type !== 'float64') throw new TypeError(`${own} does not become ${type}`);
      return graph.step('floatsOfWords', [at], 'float');
    }
    // All values of at most 32 bits are in registers of one kind.
    return isWide(type) ? graph.step('wordsOfFloats', [at], type) : at;
  }

  const narrowed: Builder['narrowed'] = (kernel, args, type) => ({
    at: graph.step(kernel, args, 'float', narrowOf(type)),
    type,
  });

  return {
    graph,
    commonType(operands, nodes) {
      const [first, ...others] = typesOf(operands);
      const isFraction = operands.some((one) => 'constant' in one && typeof one.constant === 'number');
      if (first === undefined) return isFraction ? 'float64' : 'int64';
      const common = others.reduce(promote, first);
      if (isFloat(common) || operands.length === others.length + 1) return common;
      if (isFraction) return 'float64';
      const type = common === 'bool' ? 'int64' : common;
      operands.forEach((one, k) => {
        if ('constant' in one) assertFits(one.constant, type, nodes[k]?.column ?? 1);
      });
      return type;
    },
    convert,
    constant: constantOf,
    truthOf(operand) {
      if ('constant' in operand) return graph.constant(Number(operand.constant), 'float');
      return isWide(operand.type) ? graph.step('truthOfWords', [operand.at], 'float') : operand.at;
    },
    narrowed,
    arithmetic(kernels, operands, type) {
      const args = operands.map((operand) => convert(operand, type));
      if (isWide(type)) return { at: graph.step(kernels.words, args, type), type };
      return narrowed(isFloat(type) ? kernels.float : (kernels.integer ?? kernels.float), args, type);
    },
  };
}

export function typesOf(operands: readonly Operand[]): RealName[] {
  return operands.flatMap((one) => ('constant' in one ? [] : [one.type]));
}

export function kindOf(type: RealName): RegisterKind {
  return isWide(type) ? type : 'float';
}

function narrowOf(type: RealName): NarrowName | undefined {
  return type === 'bool' || type === 'float64' || isWide(type) ? undefined : type;
}

function assertFits(constant: Constant, type: RealName, column: number): void {
  const [low, high] = rangeOf(type);
  if (typeof constant === 'bigint' && (constant < low || constant > high))
    throw errorAt(
      column,
      `${constant} does not fit ${type}, the type of the other operand; write it as a float, such as ${constant}.0`,
    );
}

function rounded(value: number, type: RealName): number {
  if (type === 'float16') return floatFromHalf(halfFromFloat(value));
  return type === 'float32' ? Math.fround(value) : value;
}
