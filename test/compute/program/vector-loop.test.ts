import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { codecs } from '../../../server/core/wasm/module.js';
import type { KernelName, Program, Step } from '../../../server/compute/program/program.js';
import { createKernelMachine, createMachine } from '../../../server/compute/program/run-program.js';
import { compileExpression } from '../../../server/analysis/expression/compile.js';
import { parseExpression } from '../../../server/analysis/expression/parse.js';
import { vectorLoop } from '../../../server/compute/program/vector-loop.js';

const names = ['add', 'subtract', 'multiply', 'divide', 'square', 'negate', 'absolute', 'sqrt', 'round', 'floor', 'ceil', 'min', 'max'] as const; // prettier-ignore
const types = {
  float: { dtype: { name: 'float64', itemSize: 8 }, Values: Float64Array, suffix: '' },
  single: { dtype: { name: 'float32', itemSize: 4 }, Values: Float32Array, suffix: 'Singles' },
} as const;
const registerCount = 5;

/** Registers 0 and 1 are loaded, 2 is constant. */
function programOf(kind: keyof typeof types, steps: readonly Step[], constant: number): Program {
  const { dtype } = types[kind];
  return {
    registers: Array.from({ length: registerCount }, () => kind),
    constants: [{ register: 2, value: constant }],
    loads: [
      { input: 0, dtype, register: 0 },
      { input: 1, dtype, register: 1 },
    ],
    steps,
    result: { register: steps.at(-1)?.out ?? 0, dtype },
  };
}

const special = fc.constantFrom(NaN, Infinity, -Infinity, 0, -0, 0.5, -0.5, 1.5, 2.5, -2.5, 5e-324, 1e-40, 3.4e38, 2 ** 53 + 1); // prettier-ignore
const number = fc.oneof(special, fc.double(), fc.double({ min: -1000, max: 1000, noNaN: true }));
const stepIn = fc.record({
  name: fc.constantFrom(...names),
  args: fc.tuple(fc.nat(registerCount - 1), fc.nat(registerCount - 1)),
  out: fc.constantFrom(3, 4),
});

/** Values as text that distinguishes -0 from 0; all NaNs are equal. */
function textsOf(values: Float32Array | Float64Array): string[] {
  return Array.from(values, (value) => (Object.is(value, -0) ? '-0' : String(value)));
}

function kernelOf(name: (typeof names)[number], kind: keyof typeof types): KernelName {
  return `${name}${types[kind].suffix}`;
}

describe('programs in WebAssembly', () => {
  it('compute the values of the kernels, for random steps and values', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('float', 'single'),
        fc.array(stepIn, { minLength: 1, maxLength: 12 }),
        fc.array(fc.tuple(number, number), { minLength: 1, maxLength: 40 }),
        number,
        (kind, some, pairs, constant) => {
          const steps = some.map(({ name, args, out }) => ({ kernel: kernelOf(name, kind), args, out }));
          // Writes registers 3 and 4 first, because they would otherwise contain values of an earlier run.
          const initial: Step[] = [3, 4].map((out) => ({ kernel: kernelOf('negate', kind), args: [0], out }));
          const program = programOf(kind, [...initial, ...steps], constant);
          const { Values, dtype } = types[kind];
          const inputs = [0, 1].map(
            (k) => new Uint8Array(Values.from(pairs.map((pair) => pair[k] ?? 0)).buffer),
          );
          const [expected, computed] = [new Values(pairs.length), new Values(pairs.length)];
          for (const _ of createKernelMachine(program).run(
            inputs,
            pairs.length,
            new Uint8Array(expected.buffer),
          ));
          const loop = vectorLoop(program);
          if (loop === undefined) throw new Error(`not compiled: ${dtype.name}`);
          loop(inputs, pairs.length, new Uint8Array(computed.buffer));
          expect(textsOf(computed)).toEqual(textsOf(expected));
          const held = codecs.hold(4 * computed.byteLength, 0).fill(0x55);
          const part = (k: number): Uint8Array =>
            held.subarray(k * computed.byteLength, (k + 1) * computed.byteLength);
          inputs.forEach((bytes, k) => part(k).set(bytes));
          loop(inputs.map((_, k) => part(k)), pairs.length, part(2)); // prettier-ignore
          expect(textsOf(new Values(part(2).slice().buffer))).toEqual(textsOf(expected));
          expect([part(0), part(1)].map((bytes) => bytes.slice())).toEqual(inputs);
          expect(part(3).every((byte) => byte === 0x55)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('compute booleans and choices by masks, for random steps and values of float32', () => {
    const tests = ['lessSingles', 'lessOrEqualSingles', 'equalSingles', 'notEqualSingles'] as const;
    // Registers 0 to 4 contain numbers as above, 5 and 6 masks.
    const [value, mask] = [fc.nat(4), fc.constantFrom(5, 6)];
    const [intoValue, intoMask] = [fc.constantFrom(3, 4), mask];
    const step: fc.Arbitrary<Step> = fc.oneof(
      fc.record({ kernel: fc.constantFrom(...tests), args: fc.tuple(value, value), out: intoMask }),
      fc.record({ kernel: fc.constant('isnanSingles' as const), args: fc.tuple(value), out: intoMask }),
      fc.record({ kernel: fc.constantFrom('and' as const, 'or' as const), args: fc.tuple(mask, mask), out: intoMask }),
      fc.record({ kernel: fc.constant('not' as const), args: fc.tuple(mask), out: intoMask }),
      fc.record({ kernel: fc.constant('whereSingles' as const), args: fc.tuple(mask, value, value), out: intoValue }),
      fc.record({ kernel: fc.constantFrom('addSingles' as const, 'maxSingles' as const), args: fc.tuple(value, value), out: intoValue }),
    ); // prettier-ignore
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.array(fc.tuple(number, number), { minLength: 1, maxLength: 40 }),
        number,
        fc.boolean(),
        (some, pairs, constant, isMask) => {
          const { dtype } = types.single;
          const steps: Step[] = [
            ...[3, 4].map((out): Step => ({ kernel: 'negateSingles', args: [0], out })),
            ...[5, 6].map((out): Step => ({ kernel: 'lessSingles', args: [0, 1], out })),
            ...some,
          ];
          const program: Program = {
            ...programOf('single', steps, constant),
            registers: ['single', 'single', 'single', 'single', 'single', 'float', 'float'],
            result: isMask ? { register: 5, dtype: { name: 'bool', itemSize: 1 } } : { register: 3, dtype },
          };
          const inputs = [0, 1].map((k) => new Uint8Array(Float32Array.from(pairs.map((pair) => pair[k] ?? 0)).buffer)); // prettier-ignore
          const length = pairs.length * program.result.dtype.itemSize;
          const textOf = (bytes: Uint8Array): string[] =>
            isMask ? Array.from(bytes, String) : textsOf(new Float32Array(bytes.slice().buffer));
          const expected = new Uint8Array(length);
          for (const _ of createKernelMachine(program).run(inputs, pairs.length, expected));
          const loop = vectorLoop(program);
          if (loop === undefined) throw new Error('not compiled');
          const computed = new Uint8Array(length);
          loop(inputs, pairs.length, computed);
          expect(textOf(computed)).toEqual(textOf(expected));
          // In the memory of the codecs.
          const area = 4 * pairs.length;
          const held = codecs.hold(4 * area, 0).fill(0x55);
          const part = (k: number, bytes: number): Uint8Array => held.subarray(k * area, k * area + bytes);
          inputs.forEach((bytes, k) => part(k, area).set(bytes));
          loop(inputs.map((_, k) => part(k, area)), pairs.length, part(2, length)); // prettier-ignore
          expect(textOf(part(2, length))).toEqual(textOf(expected));
          expect(held.subarray(2 * area + length).every((byte) => byte === 0x55)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('have the same results before and after they are compiled, for any number of elements', () => {
    const program = programOf('single', [{ kernel: 'addSingles', args: [0, 2], out: 3 }], 0.25);
    const machine = createMachine(program);
    for (const count of [1, 4096, 4095, 7, 10_000, 2048, 2049, 40_000, 4096, 4096, 4093, 3, 2049, 1]) {
      const values = Float32Array.from({ length: count }, (_, i) => i);
      const inputs = [values, values].map(({ buffer }) => new Uint8Array(buffer));
      const out = new Float32Array(count);
      const yields = [...machine.run(inputs, count, new Uint8Array(out.buffer))];
      expect(out).toEqual(values.map((value) => value + 0.25));
      expect(yields.length).toBeGreaterThan(0);
    }
  });

  it('compute expressions of variables of several types as the kernels do', () => {
    const arrays = { bool: Uint8Array, int8: Int8Array, uint8: Uint8Array, int16: Int16Array, uint16: Uint16Array, int32: Int32Array, uint32: Uint32Array, float32: Float32Array, float64: Float64Array } as const; // prettier-ignore
    const typeNames = Object.keys(arrays) as (keyof typeof arrays)[];
    const leaf = fc.constantFrom('a', 'b', 'c', '0', '3', '100', '0.25', '-2.5');
    const unary = fc.constantFrom('-(x)', 'abs(x)', 'not (x)', '~(x)', 'sqrt(x)', 'floor(x)', 'isnan(x)', 'float(x)', 'float32(x)', 'bool(x)', '(x) ** 2'); // prettier-ignore
    const binary = fc.constantFrom(
      '+',
      '-',
      '*',
      '/',
      '<',
      '<=',
      '>',
      '==',
      '!=',
      '&',
      '|',
      '^',
      'and',
      'or',
    );
    const { expression } = fc.letrec<{ expression: string }>((tie) => ({
      expression: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.tuple(unary, tie('expression')).map(([form, x]) => form.replace('x', x)),
        fc.tuple(tie('expression'), binary, tie('expression')).map(([x, sign, y]) => `(${x}) ${sign} (${y})`),
        fc.tuple(fc.constantFrom('min', 'max', 'xor'), tie('expression'), tie('expression')).map(([name, x, y]) => `${name}(${x}, ${y})`), // prettier-ignore
        fc.tuple(tie('expression'), tie('expression'), tie('expression')).map(([c, x, y]) => `where(${c}, ${x}, ${y})`), // prettier-ignore
      ),
    }));
    const value = fc.oneof(number, fc.integer({ min: -130, max: 70_000 }), fc.integer({ min: -(2 ** 31), max: 2 ** 32 - 1 })); // prettier-ignore
    const compiled = new Set<string>();
    fc.assert(
      fc.property(
        expression,
        fc.tuple(...['a', 'b', 'c'].map(() => fc.constantFrom(...typeNames))),
        fc.array(fc.tuple(value, value, value), { minLength: 1, maxLength: 20 }),
        (text, dtypes, rows) => {
          let program: Program;
          try {
            const inputs = dtypes.map((name, k) => ({ name: 'abc'.charAt(k), dtype: { name } }));
            program = compileExpression(parseExpression(text), inputs);
          } catch {
            // Some expressions are invalid, such as the bits of floats.
            return;
          }
          const loop = vectorLoop(program);
          if (loop === undefined) return;
          for (const { kernel } of program.steps) compiled.add(kernel);
          const inputs = dtypes.map((name, k) => new Uint8Array(arrays[name].from(rows.map((row) => row[k] ?? 0)).buffer)); // prettier-ignore
          const { name, itemSize } = program.result.dtype;
          const [expected, computed] = [0, 1].map(() => new Uint8Array(rows.length * itemSize));
          if (expected === undefined || computed === undefined || !Object.hasOwn(arrays, name))
            throw new Error(`unknown type ${name}`);
          for (const _ of createKernelMachine(program).run(inputs, rows.length, expected));
          loop(inputs, rows.length, computed);
          const textOf = ({ buffer }: Uint8Array<ArrayBuffer>): string[] =>
            Array.from(new arrays[name as keyof typeof arrays](buffer), (one) => (Object.is(one, -0) ? '-0' : String(one))); // prettier-ignore
          expect(textOf(computed), `${text} of ${dtypes.join(', ')}`).toEqual(textOf(expected));
        },
      ),
      { numRuns: 3000 },
    );
    // Each kernel that has instructions is in many of the expressions.
    for (const kernel of ['bitAnd', 'where', 'whereSingles', 'less', 'multiplyIntegers', 'floatsOfSingles', 'divideSingles', 'isnan', 'not'])
      expect(compiled).toContain(kernel); // prettier-ignore
  });

  it('are not compiled for other kernels, for float16 and for 64-bit integers', () => {
    const typesOf = (...names: string[]) =>
      names.map((name, k) => ({ name: 'ab'.charAt(k), dtype: { name } }));
    const programs = [
      compileExpression(parseExpression('exp(a)'), typesOf('float64')),
      compileExpression(parseExpression('a + b'), typesOf('float16', 'float16')),
      compileExpression(parseExpression('a + b'), typesOf('int32', 'int32')),
      compileExpression(parseExpression('a > b'), typesOf('int64', 'float32')),
    ];
    expect(programs.map(vectorLoop)).toEqual(programs.map(() => undefined));
  });

  it('support many registers and large offsets', () => {
    const count = 200;
    const { dtype } = types.single;
    const program: Program = {
      registers: Array.from({ length: count + 1 }, () => 'single' as const),
      constants: [],
      loads: Array.from({ length: count }, (_, input) => ({ input, dtype, register: input })),
      steps: Array.from({ length: count - 1 }, (_, k) => ({
        kernel: 'addSingles' as const,
        args: [k === 0 ? 0 : count, k + 1],
        out: count,
      })),
      result: { register: count, dtype },
    };
    const inputs = Array.from({ length: count }, (_, k) => new Uint8Array(Float32Array.of(k, 2 * k).buffer));
    const out = new Float32Array(2);
    vectorLoop(program)?.(inputs, 2, new Uint8Array(out.buffer));
    expect([...out]).toEqual([19_900, 39_800]);
  });

  it('share one memory, and are not compiled without it', async () => {
    const { Memory } = WebAssembly;
    const attempts: string[] = [];
    let isFull = true;
    vi.stubGlobal('WebAssembly', {
      Module: WebAssembly.Module,
      Instance: WebAssembly.Instance,
      Memory: class extends Memory {
        constructor(limits: { readonly initial: number }) {
          attempts.push(isFull ? 'failed' : 'allocated');
          if (isFull) throw new RangeError('could not allocate memory');
          super(limits);
        }
      },
    });
    vi.resetModules();
    const fresh = await import('../../../server/compute/program/vector-loop.js');
    const multiply = { kernel: 'multiply', args: [0, 2], out: 3 } as const;
    const loopFor = (constant: number) => fresh.vectorLoop(programOf('float', [multiply], constant));
    expect(loopFor(1)).toBeUndefined();
    isFull = false;
    const loops = [loopFor(1), loopFor(2)];
    expect(attempts).toEqual(['failed', 'allocated']);
    vi.unstubAllGlobals();
    const bytes = new Uint8Array(Float64Array.of(1, 2, 3).buffer);
    const results = loops.map((loop) => {
      const out = new Float64Array(3);
      loop?.([bytes, bytes], 3, new Uint8Array(out.buffer));
      return [...out];
    });
    expect(results).toEqual([
      [1, 2, 3],
      [2, 4, 6],
    ]);
  });
});
