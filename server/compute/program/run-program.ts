/** Runs programs: first kernel by kernel, and after many elements in compiled WebAssembly, if possible. */
import { assertLength } from '../../core/bytes/bounds.js';
import { floatKernels, isFloatKernel } from './float-kernels.js';
import { type Program, RUN, type Step, narrowings } from './program.js';
import { createRegisters, directView, loadRegister, type Register, storeRegister } from './registers.js';
import { isSingleKernel, isSingleTest, singleKernels, singlesOfFloats, singleTests, whereSingles } from './single-kernels.js'; // prettier-ignore
import { vectorLoop, type VectorLoop } from './vector-loop.js';
import {
  isWordKernel,
  isWordTest,
  whereWords,
  wordKernels,
  wordsOfFloats,
  wordTests,
} from './word-kernels.js';

/** A program and its memory, for one run at a time. */
export interface Machine {
  /**
   * Runs the program for all elements. Yields between steps; a program in WebAssembly has only one step.
   * @param inputs bytes of the elements, aligned to their types; not modified
   * @param out bytes of the results
   * @throws InputError for a negative power of integers
   */
  run(inputs: readonly Uint8Array[], count: number, out: Uint8Array): Generator<void>;
}

export function createMachine(program: Program): Machine {
  let loop: VectorLoop | undefined;
  let elements = 0;
  const kernels = createKernelMachine(program);
  return {
    *run(inputs, count, out) {
      for (const { input, dtype } of program.loads)
        assertLength(inputs[input], count * dtype.itemSize, 'an input of the program');
      assertLength(out, count * program.result.dtype.itemSize, 'the result of the program');
      if (elements < ELEMENTS_BEFORE_COMPILING) {
        elements += count;
        if (elements >= ELEMENTS_BEFORE_COMPILING) loop = vectorLoop(program);
      }
      if (loop === undefined) yield* kernels.run(inputs, count, out);
      else yield loop(inputs, count, out);
    },
  };
}

/** Number of elements after which compiling a program is worthwhile. */
const ELEMENTS_BEFORE_COMPILING = 8 * RUN;

/** Creates a machine that runs one kernel after the other. */
export function createKernelMachine(program: Program): Machine {
  const own = createRegisters(program);
  const { loads, steps, result } = program;
  const isComputed = steps.some(({ out }) => out === result.register);
  return {
    *run(inputs, count, out) {
      for (let from = 0; from < count; from += RUN) {
        const n = Math.min(RUN, count - from);
        const registers = [...own];
        for (const { input, dtype, register } of loads) {
          const bytes = inputs[input]?.subarray(from * dtype.itemSize);
          if (bytes === undefined) throw new TypeError(`unknown program input ${input}`);
          const view = directView(own[register], dtype, bytes, n);
          if (view === undefined) loadRegister(own[register], dtype, bytes, n);
          else registers[register] = view;
        }
        const to = out.subarray(from * result.dtype.itemSize);
        // The result is computed directly in `out` if possible.
        const direct = isComputed ? directView(own[result.register], result.dtype, to, n) : undefined;
        if (direct !== undefined) registers[result.register] = direct;
        for (const step of steps) {
          runStep(step, registers, n);
          yield;
        }
        if (direct === undefined) storeRegister(registers[result.register], result.dtype, to, n);
      }
    },
  };
}

/** @throws TypeError if the registers do not match the step; InputError for a negative power of integers */
function runStep(step: Step, registers: readonly Register[], n: number): void {
  const { kernel, args } = step;
  const operand = (k: number): Register | undefined => registers[args[k] ?? args[0] ?? -1];
  const [out, a, b, c] = [registers[step.out], operand(0), operand(1), operand(2)];
  if (isFloatKernel(kernel)) {
    if (!isFloats(out) || !isFloats(a) || !isFloats(b) || !isFloats(c)) throw wrongRegister(step);
    floatKernels[kernel](n, out, a, b, c);
    if (step.narrow !== undefined) narrowings[step.narrow](n, out);
  } else if (isSingleKernel(kernel)) {
    if (!isSingles(out) || !isSingles(a) || !isSingles(b)) throw wrongRegister(step);
    singleKernels[kernel](n, out, a, b);
  } else if (isSingleTest(kernel)) {
    if (!isFloats(out) || !isSingles(a) || !isSingles(b)) throw wrongRegister(step);
    singleTests[kernel](n, out, a, b);
  } else if (isWordKernel(kernel)) {
    if (!isWords(out) || !isWords(a) || !isWords(b)) throw wrongRegister(step);
    wordKernels[kernel](n, out, a, b);
  } else if (isWordTest(kernel)) {
    if (!isFloats(out) || !isWords(a) || !isWords(b)) throw wrongRegister(step);
    wordTests[kernel](n, out, a, b);
  } else runMixed(step, n, out, a, b, c);
}

function runMixed(
  step: Step,
  n: number,
  out: Register | undefined,
  a: Register | undefined,
  b: Register | undefined,
  c: Register | undefined,
): void {
  const { kernel } = step;
  if (isFloats(a)) {
    if (kernel === 'wordsOfFloats' && isWords(out)) return wordsOfFloats(n, out, a);
    if (kernel === 'singlesOfFloats' && isSingles(out)) return singlesOfFloats(n, out, a);
    if (kernel === 'whereWords' && isWords(out) && isWords(b) && isWords(c))
      return whereWords(n, out, a, b, c);
    if (kernel === 'whereSingles' && isSingles(out) && isSingles(b) && isSingles(c))
      return whereSingles(n, out, a, b, c);
  }
  throw wrongRegister(step);
}

function isFloats(register: Register | undefined): register is Float64Array {
  return register instanceof Float64Array;
}

function isSingles(register: Register | undefined): register is Float32Array {
  return register instanceof Float32Array;
}

function isWords(register: Register | undefined): register is BigInt64Array | BigUint64Array {
  return register instanceof BigInt64Array || register instanceof BigUint64Array;
}

function wrongRegister({ kernel }: Step): TypeError {
  return new TypeError(`the operands of the step ${kernel} have the wrong register type`);
}
