/**
 * Programs that compute one value from several, for many elements at a time. Plain data that can be sent to a
 * thread. A program operates on registers; each holds one value for every element of a run.
 */
import type { FixedSizeType } from '../../dtype/data-type.js';
import type { FloatKernelName } from './float-kernels.js';
import type { NarrowName } from './narrow.js';
import type { SingleKernelName } from './single-kernels.js';
import type { WordKernelName } from './word-kernels.js';

/**
 * The type of a register: float32 (`single`), 64-bit integers, or float64 (`float`), which also holds all other values.
 * Values of smaller types are rounded or wrapped after each step.
 */
export type RegisterKind = 'float' | 'single' | 'int64' | 'uint64';

export type KernelName = FloatKernelName | SingleKernelName | WordKernelName;

/** The registers of the operands and of the result, which may be the same. */
export interface Step {
  readonly kernel: KernelName;
  readonly out: number;
  readonly args: readonly number[];
  /** Rounds or wraps the result to its type. */
  readonly narrow?: NarrowName;
}

/** Loads the values of an input into a register. */
export interface Load {
  readonly input: number;
  readonly dtype: FixedSizeType;
  readonly register: number;
}

export interface Constant {
  readonly register: number;
  /** A bigint for registers of 64-bit integers. */
  readonly value: number | bigint;
}

export interface Program {
  readonly registers: readonly RegisterKind[];
  readonly constants: readonly Constant[];
  readonly loads: readonly Load[];
  readonly steps: readonly Step[];
  readonly result: { readonly register: number; readonly dtype: FixedSizeType };
}

/** Number of elements per run: the registers fit into the processor's caches. */
export const RUN = 4096;

/** Memory of a program's registers in bytes. */
export function registerBytes({ registers }: Program): number {
  return registers.length * RUN * 8;
}
