/**
 * Programs in WebAssembly: one loop computes all steps for a vector of four float32 or two float64 elements. Only for
 * programs whose numbers all have the same one of these types, and only for some steps. Truth values of float32 are masks,
 * and results may be booleans. Results have the same bits as those of the kernels.
 */
import { allocateWasm, linkBytes, type WasmFunction, type WasmMemory } from '../../core/wasm/load.js';
import { codecs } from '../../core/wasm/module.js';
import type { Program } from './program.js';

/**
 * Copies the values; if inputs and result are all in the memory of the codecs, only those of an incomplete
 * last vector.
 */
export type VectorLoop = (inputs: readonly Uint8Array[], count: number, out: Uint8Array) => void;

/** Number of elements copied at once: two inputs and the result, as float32, fit into the first-level cache. */
const COPIED = 2048;

/** Enough for seven inputs of float64. */
const MIN_COPIES_BYTES = 2 ** 17;

const VECTOR_BYTES = 16;

const code = { loop: 0x03, end: 0x0b, branchIf: 0x0d, get: 0x20, set: 0x21, tee: 0x22, store: 0x36, less: 0x49, add: 0x6a, shiftRight: 0x76 } as const; // prettier-ignore
const constantOf = { i32: 0x41, single: 0x43, float: 0x44 } as const;
const vectorCode = { load: 0x00, store: 0x0b, not: 0x4d, and: 0x4e, or: 0x50, select: 0x52 } as const;
/** Codes that reduce a mask of four float32 to four bytes. */
const maskCode = { first: 0x1b, absolute: 0x60, toBytes: 0x65, toShorts: 0x85 } as const;

/** Codes of vectors of float32 (`single`) and of float64 (`float`). */
const laneCodes = {
  single: {
    splat: 0x13,
    eq: 0x41,
    ne: 0x42,
    lt: 0x43,
    le: 0x45,
    ge: 0x46,
    ceil: 0x67,
    floor: 0x68,
    round: 0x6a,
    absolute: 0xe0,
    negate: 0xe1,
    sqrt: 0xe3,
    add: 0xe4,
    subtract: 0xe5,
    multiply: 0xe6,
    divide: 0xe7,
  },
  float: {
    splat: 0x14,
    eq: 0x47,
    ne: 0x48,
    lt: 0x49,
    le: 0x4b,
    ge: 0x4c,
    ceil: 0x74,
    floor: 0x75,
    round: 0x94,
    absolute: 0xec,
    negate: 0xed,
    sqrt: 0xef,
    add: 0xf0,
    subtract: 0xf1,
    multiply: 0xf2,
    divide: 0xf3,
  },
} as const;

type Lanes = keyof typeof laneCodes;
/** @param a, b instructions that get an operand */
type Emit = (lanes: Lanes, a: readonly number[], b: readonly number[]) => readonly number[];

const unary =
  (name: 'ceil' | 'floor' | 'round' | 'absolute' | 'negate' | 'sqrt'): Emit =>
  (lanes, a) => [...a, ...simd(laneCodes[lanes][name])];
const binary =
  (name: 'add' | 'subtract' | 'multiply' | 'divide'): Emit =>
  (lanes, a, b) => [...a, ...b, ...simd(laneCodes[lanes][name])];
/**
 * Yields `a` if the comparison is true or if `a` is NaN, otherwise `b`. As in the kernels, 0 and -0 are
 * equal, which they are not for the minimum and maximum instructions.
 */
const extreme =
  (comparison: 'le' | 'ge'): Emit =>
  (lanes, a, b) => [
    ...[...a, ...b],
    ...[...a, ...b, ...simd(laneCodes[lanes][comparison])],
    ...[...a, ...a, ...simd(laneCodes[lanes].ne)],
    ...simd(vectorCode.or),
    ...simd(vectorCode.select),
  ];

/** Emitters by the name of the float64 kernel. Kernels for float32 have the suffix `Singles`. */
const emitters: ReadonlyMap<string, Emit> = new Map([
  ['add', binary('add')],
  ['subtract', binary('subtract')],
  ['multiply', binary('multiply')],
  ['divide', binary('divide')],
  ['square', (lanes, a) => binary('multiply')(lanes, a, a)],
  ['negate', unary('negate')],
  ['absolute', unary('absolute')],
  ['sqrt', unary('sqrt')],
  ['round', unary('round')],
  ['floor', unary('floor')],
  ['ceil', unary('ceil')],
  ['min', extreme('le')],
  ['max', extreme('ge')],
]);

const compared =
  (comparison: 'lt' | 'le' | 'eq' | 'ne'): Emit =>
  (lanes, a, b) => [...a, ...b, ...simd(laneCodes[lanes][comparison])];

/** Emitters of masks, by the name of the kernel. Registers of float64 may contain numbers, so only float32 has masks. */
const maskEmitters: ReadonlyMap<string, Emit> = new Map<string, Emit>([
  ['lessSingles', compared('lt')],
  ['lessOrEqualSingles', compared('le')],
  ['equalSingles', compared('eq')],
  ['notEqualSingles', compared('ne')],
  ['isnanSingles', (lanes, a) => [...a, ...a, ...simd(laneCodes[lanes].ne)]],
  ['and', (_, a, b) => [...a, ...b, ...simd(vectorCode.and)]],
  ['or', (_, a, b) => [...a, ...b, ...simd(vectorCode.or)]],
  ['not', (_, a) => [...a, ...simd(vectorCode.not)]],
]);

/**
 * @returns undefined if the program has other types or steps, if the platform does not allow compiling
 * WebAssembly, or if memory cannot be allocated
 */
export function vectorLoop(program: Program): VectorLoop | undefined {
  const lanes = lanesOf(program);
  const body = lanes === undefined ? undefined : bodyOf(program, lanes);
  if (lanes === undefined || body === undefined) return undefined;
  const inputs = program.loads.map(({ input }) => input);
  const link = linkBytes(moduleOf(body, program.registers.length, inputs.length + 1));
  if (link === undefined) return undefined;
  const elementBytes = lanes === 'single' ? 4 : 8;
  const resultBytes = program.result.dtype.itemSize;
  const areaBytes = COPIED * elementBytes;
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
      const length = Math.floor((count * elementBytes) / VECTOR_BYTES) * VECTOR_BYTES;
      if (length > 0 && linked.run !== undefined) {
        linked.run(length, ...views.map(addressOf), addressOf(out));
        from = length;
      }
    }
    for (const end = count * elementBytes; from < end; from += areaBytes) {
      const to = Math.min(end, from + areaBytes);
      views.forEach((view, k) => areas[k]?.set(view.subarray(from, to)));
      runOwn(to - from, ...areas.map(addressOf));
      const written = ((to - from) / elementBytes) * resultBytes;
      out.set(areas[inputs.length]?.subarray(0, written) ?? [], (from / elementBytes) * resultBytes);
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

function lanesOf({ registers, loads, constants, result }: Program): Lanes | undefined {
  const lanes = registers[loads[0]?.register ?? -1];
  if (lanes !== 'single' && lanes !== 'float') return undefined;
  const type = lanes === 'single' ? 'float32' : 'float64';
  // Registers of float64 beside those of float32 are masks, because no value is loaded into them.
  const isUniform =
    registers.every((kind) => kind === lanes || (lanes === 'single' && kind === 'float')) &&
    constants.every(({ register }) => registers[register] === lanes) &&
    loads.every(({ dtype }) => dtype.name === type) &&
    result.dtype.name === (registers[result.register] === lanes ? type : 'bool');
  return isUniform ? lanes : undefined;
}

/**
 * The steps of one vector. Local 0 is the length in bytes; then follow the addresses of the inputs and of the result, the
 * offset of the vector, and the registers.
 */
function bodyOf({ registers, loads, constants, steps, result }: Program, lanes: Lanes): number[] | undefined {
  const first = loads.length + 3;
  const get = (register: number): number[] => [code.get, ...leb(first + register)];
  const set = (register: number): number[] => [code.set, ...leb(first + register)];
  const address = (k: number): number[] => [code.get, ...leb(k + 1), code.get, ...leb(first - 1), code.add];
  const body: number[] = [];
  loads.forEach(({ register }, k) => {
    body.push(...address(k), ...simd(vectorCode.load), 0, 0, ...set(register));
  });
  for (const { register, value } of constants)
    body.push(constantOf[lanes], ...floatBytes(lanes, Number(value)), ...simd(laneCodes[lanes].splat), ...set(register)); // prettier-ignore
  for (const { kernel, out, args, narrow } of steps) {
    const [a = -1, b = a, c = b] = args;
    if (narrow !== undefined || a < 0) return undefined;
    if (kernel === 'whereSingles') {
      body.push(...get(b), ...get(c), ...get(a), ...simd(vectorCode.select), ...set(out));
      continue;
    }
    const isMask = registers[out] !== lanes;
    const name = !isMask && kernel.endsWith('Singles') ? kernel.slice(0, -'Singles'.length) : kernel;
    const emit = (isMask ? maskEmitters : emitters).get(name);
    if (emit === undefined) return undefined;
    body.push(...emit(lanes, get(a), get(b)), ...set(out));
  }
  const value = get(result.register);
  if (registers[result.register] === lanes)
    return [...body, ...address(loads.length), ...value, ...simd(vectorCode.store), 0, 0];
  return [
    ...[...body, ...value, ...value, ...simd(maskCode.toShorts), ...set(result.register)],
    // A mask has a byte for each four bytes of the inputs.
    ...[
      code.get,
      ...leb(loads.length + 1),
      code.get,
      ...leb(first - 1),
      constantOf.i32,
      2,
      code.shiftRight,
      code.add,
    ],
    ...[...value, ...value, ...simd(maskCode.toBytes), ...simd(maskCode.absolute)],
    ...[...simd(maskCode.first), 0, code.store, 0, 0],
  ];
}

/** A module with `run(length, ...addresses)`, which repeats the body for `length` bytes. */
function moduleOf(body: readonly number[], registers: number, addresses: number): Uint8Array {
  const [i32, v128, func, memory] = [0x7f, 0x7b, 0x60, 2];
  const offset = leb(addresses + 1);
  const next = [code.get, ...offset, constantOf.i32, VECTOR_BYTES, code.add, code.tee, ...offset, code.get, 0, code.less]; // prettier-ignore
  const main = [
    ...[2, 1, i32, ...leb(registers), v128],
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

function simd(instruction: number): number[] {
  return [0xfd, ...leb(instruction)];
}

/** Encodes a non-negative integer with variable length. */
function leb(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...leb(Math.floor(value / 128))];
}

function floatBytes(lanes: Lanes, value: number): Uint8Array {
  return new Uint8Array((lanes === 'single' ? Float32Array : Float64Array).of(value).buffer);
}
