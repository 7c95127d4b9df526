/** Runs programs. */
import { floatKernels, isFloatKernel } from './float-kernels.js';
import { narrowings } from './narrow.js';
import type { Program, Step } from './program.js';
import { createRegisters, loadRegister, type Register, storeRegister } from './registers.js';
import {
  isWordKernel,
  isWordTest,
  whereWords,
  wordKernels,
  wordsOfFloats,
  wordTests,
} from './word-kernels.js';

/** A program with its memory, for one run at a time. */
export interface Machine {
  /**
   * Computes at most `RUN` elements; yields between steps.
   * @param inputs bytes of that many elements each, aligned to their types
   * @param out bytes of that many results
   * @throws InputError for a negative power of integers
   */
  run(inputs: readonly Uint8Array[], count: number, out: Uint8Array): Generator<void>;
}

export function createMachine(program: Program): Machine {
  const registers = createRegisters(program);
  const { loads, steps, result } = program;
  const kernels = steps.map((step) => ({ step, run: kernelOf(step, registers) }));
  return {
    *run(inputs, count, out) {
      for (const { input, dtype, register } of loads) {
        const bytes = inputs[input];
        if (bytes === undefined) throw new TypeError(`the program has no input ${input}`);
        loadRegister(registers[register], dtype, bytes, count);
      }
      for (const { run } of kernels) {
        run(count);
        yield;
      }
      storeRegister(registers[result.register], result.dtype, out, count);
    },
  };
}

/** A step bound to its registers. @throws TypeError if they do not hold what it takes */
function kernelOf(step: Step, registers: readonly Register[]): (count: number) => void {
  const { kernel, args } = step;
  const operand = (k: number): Register | undefined => registers[args[k] ?? args[0] ?? -1];
  const [out, a, b, c] = [registers[step.out], operand(0), operand(1), operand(2)];
  const narrow = step.narrow === undefined ? undefined : narrowings[step.narrow];
  if (isFloatKernel(kernel)) {
    const run = floatKernels[kernel];
    if (!isFloats(out) || !isFloats(a) || !isFloats(b) || !isFloats(c)) throw wrongRegister(step);
    return (n) => {
      run(n, out, a, b, c);
      narrow?.(n, out);
    };
  }
  if (isWordKernel(kernel)) {
    const run = wordKernels[kernel];
    if (!isWords(out) || !isWords(a) || !isWords(b)) throw wrongRegister(step);
    return (n) => run(n, out, a, b);
  }
  if (isWordTest(kernel)) {
    const run = wordTests[kernel];
    if (!isFloats(out) || !isWords(a) || !isWords(b)) throw wrongRegister(step);
    return (n) => {
      run(n, out, a, b);
      narrow?.(n, out);
    };
  }
  if (!isWords(out) || !isFloats(a)) throw wrongRegister(step);
  if (kernel === 'wordsOfFloats') return (n) => wordsOfFloats(n, out, a);
  if (!isWords(b) || !isWords(c)) throw wrongRegister(step);
  return (n) => whereWords(n, out, a, b, c);
}

function isFloats(register: Register | undefined): register is Float64Array {
  return register instanceof Float64Array;
}

function isWords(register: Register | undefined): register is BigInt64Array | BigUint64Array {
  return register !== undefined && !isFloats(register);
}

function wrongRegister({ kernel }: Step): TypeError {
  return new TypeError(`the step ${kernel} has operands of another kind`);
}
