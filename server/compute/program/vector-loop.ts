/**
 * Programs in WebAssembly: one loop computes all steps for a vector of elements, if `bodyOf` has instructions for them.
 * Results have the same bits as those of the kernels.
 */
import { allocateWasm, linkBytes, type WasmFunction, type WasmMemory } from '../../core/wasm/load.js';
import { codecs } from '../../core/wasm/module.js';
import type { Program } from './program.js';
import { bodyOf, laneCount, leb } from './vector-code.js';

/**
 * Copies the values; if inputs and result are all in the memory of the codecs, only those of an incomplete
 * last vector.
 */
export type VectorLoop = (inputs: readonly Uint8Array[], count: number, out: Uint8Array) => void;

/** Number of elements copied at once: two inputs and the result, as float32, fit into the first-level cache. */
const COPIED = 2048;

/** Enough for seven inputs of float64. */
const MIN_COPIES_BYTES = 2 ** 17;

const code = { loop: 0x03, end: 0x0b, branchIf: 0x0d, get: 0x20, tee: 0x22, i32: 0x41, less: 0x49, add: 0x6a } as const; // prettier-ignore

/**
 * @returns undefined if the program has other types or steps, if the platform does not allow compiling
 * WebAssembly, or if memory cannot be allocated
 */
export function vectorLoop(program: Program): VectorLoop | undefined {
  // Vectors of float32 have twice as many elements, but no other numbers.
  const single = bodyOf(program, 'single');
  const body = single ?? bodyOf(program, 'float');
  if (body === undefined) return undefined;
  const perVector = laneCount[single === undefined ? 'float' : 'single'];
  const inputs = program.loads.map(({ input }) => input);
  const sizes = program.loads.map(({ dtype }) => dtype.itemSize);
  const link = linkBytes(moduleOf(body, program.registers.length, inputs.length + 1, perVector));
  if (link === undefined) return undefined;
  const resultBytes = program.result.dtype.itemSize;
  const areaBytes = COPIED * Math.max(resultBytes, ...sizes);
  const runIn = (memory: WasmMemory): WasmFunction | undefined => link(memory)?.get('run');
  const own = memoryForCopies((inputs.length + 1) * areaBytes);
  const runOwn = own === undefined ? undefined : runIn(own);
  if (own === undefined || runOwn === undefined) return undefined;
  const areas = Array.from({ length: inputs.length + 1 }, (_, k) => new Uint8Array(own.buffer, k * areaBytes, areaBytes)); // prettier-ignore
  let linked: { readonly memory: WasmMemory; readonly run: WasmFunction | undefined } | undefined;
  return (values, count, out) => {
    const views = inputs.map((input) => {
      const value = values[input];
      if (value === undefined) throw new TypeError(`unknown program input ${input}`);
      return value;
    });
    let from = 0;
    const memory = codecs.memoryOf(out);
    if (memory !== undefined && views.every(({ buffer }) => buffer === out.buffer)) {
      if (linked?.memory !== memory) linked = { memory, run: runIn(memory) };
      const whole = count - (count % perVector);
      if (whole > 0 && linked.run !== undefined) {
        linked.run(whole, ...views.map(addressOf), addressOf(out));
        from = whole;
      }
    }
    for (; from < count; from += COPIED) {
      const to = Math.min(count, from + COPIED);
      views.forEach((view, k) => areas[k]?.set(view.subarray(from * sizes[k], to * sizes[k])));
      runOwn(to - from, ...areas.map(addressOf));
      out.set(areas[inputs.length]?.subarray(0, (to - from) * resultBytes) ?? [], from * resultBytes);
    }
  };
}

let copies: WasmMemory | undefined;

/**
 * Memory for copies. The programs of a thread share it until one needs a larger one, because calls keep no
 * values in it. A separate memory for each program would exhaust the address space.
 */
function memoryForCopies(bytes: number): WasmMemory | undefined {
  if (copies === undefined || copies.buffer.byteLength < bytes)
    copies = allocateWasm(Math.max(bytes, MIN_COPIES_BYTES));
  return copies;
}

function addressOf({ byteOffset }: Uint8Array): number {
  return byteOffset;
}

/** A module with `run(count, ...addresses)`, which repeats the body for `count` elements. */
function moduleOf(
  body: readonly number[],
  registers: number,
  addresses: number,
  perVector: number,
): Uint8Array {
  const [i32, v128, func, memory] = [0x7f, 0x7b, 0x60, 2];
  const index = leb(addresses + 1);
  const next = [
    code.get,
    ...index,
    code.i32,
    perVector,
    code.add,
    code.tee,
    ...index,
    code.get,
    0,
    code.less,
  ];
  const main = [
    ...[2, 1, i32, ...leb(registers + 1), v128],
    ...[code.loop, 0x40, ...body, ...next, code.branchIf, 0, code.end],
    code.end,
  ];
  const parameters = [...leb(addresses + 1), ...Array.from({ length: addresses + 1 }, () => i32)];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, func, ...parameters, 0]),
    ...section(2, [1, ...text('from'), ...text('memory'), memory, 0, 0]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...text('run'), 0, 0]),
    ...section(10, [1, ...leb(main.length), ...main]),
  ]);
}

function section(id: number, contents: readonly number[]): number[] {
  return [id, ...leb(contents.length), ...contents];
}

function text(name: string): number[] {
  return [name.length, ...Array.from(name, (character) => character.charCodeAt(0))];
}
