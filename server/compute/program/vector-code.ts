/**
 * The instructions of one vector of a program: four float32 (`single`) or two float64 (`float`) elements. Lanes of float64
 * hold numbers of all types up to 32 bits, which are converted when they are loaded and stored. Truth values are masks: all
 * bits of a lane.
 */
import type { Program, Step } from './program.js';

export type Lanes = 'single' | 'float';

export const laneCount = { single: 4, float: 2 } as const;

const VECTOR_BYTES = 16;

const code = { get: 0x20, set: 0x21, storeShort: 0x3b, add: 0x6a, multiply: 0x6c, and: 0x71, shiftLeft: 0x74, store: 0x36 } as const; // prettier-ignore
const constantOf = { i32: 0x41, single: 0x43, float: 0x44 } as const;
const vectorCode = { load: 0x00, store: 0x0b, not: 0x4d, and: 0x4e, or: 0x50, xor: 0x51, select: 0x52, demote: 0x5e, promote: 0x5f, firstLane: 0x1b } as const; // prettier-ignore
/** Codes that reduce a mask of four float32 to four bytes, or of two float64 to two bits. */
const maskCode = { absolute: 0x60, toBytes: 0x65, toShorts: 0x85, toBits: 0xc4 } as const;
/** Codes of vectors of 32-bit integers. */
const wordCode = { shiftLeft: 0xab, shiftRight: 0xac, shiftRightUnsigned: 0xad, multiply: 0xb5 } as const;
/** Conversions of two float64 to two 32-bit integers, and back. */
const wordsOf = { signed: 0xfc, unsigned: 0xfd } as const;
const floatsOf = { signed: 0xfe, unsigned: 0xff } as const;

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

type Code = readonly number[];
/** @param a, b instructions that get an operand */
type Emit = (lanes: Lanes, a: Code, b: Code) => Code;

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
const compared =
  (comparison: 'lt' | 'le' | 'eq' | 'ne'): Emit =>
  (lanes, a, b) => [...a, ...b, ...simd(laneCodes[lanes][comparison])];

/** Steps whose operands and results are numbers, by the kernel for float64; kernels for float32 have the suffix `Singles`. */
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

/** Steps of float32 whose results in float64 must be rounded. */
const rounded = new Set(['add', 'subtract', 'multiply', 'divide', 'square', 'sqrt']);

/** Comparisons of numbers, whose results are masks. */
const tests: ReadonlyMap<string, Emit> = new Map<string, Emit>([
  ['less', compared('lt')],
  ['lessOrEqual', compared('le')],
  ['equal', compared('eq')],
  ['notEqual', compared('ne')],
  ['isnan', (lanes, a) => compared('ne')(lanes, a, a)],
]);

/** Steps whose operands and results are masks. */
const logic: ReadonlyMap<string, Emit> = new Map<string, Emit>([
  ['and', (_, a, b) => [...a, ...b, ...simd(vectorCode.and)]],
  ['or', (_, a, b) => [...a, ...b, ...simd(vectorCode.or)]],
  ['not', (_, a) => [...a, ...simd(vectorCode.not)]],
]);

/** Steps on 32-bit integers, with the lower 32 bits of the result. */
const wordSteps: ReadonlyMap<string, Emit> = new Map<string, Emit>([
  ['bitAnd', (_, a, b) => [...a, ...b, ...simd(vectorCode.and)]],
  ['bitOr', (_, a, b) => [...a, ...b, ...simd(vectorCode.or)]],
  ['bitXor', (_, a, b) => [...a, ...b, ...simd(vectorCode.xor)]],
  ['bitNot', (_, a) => [...a, ...simd(vectorCode.not)]],
  ['multiplyIntegers', (_, a, b) => [...a, ...b, ...simd(wordCode.multiply)]],
]);

/** Instructions that load two elements at the address on the stack as float64. */
const loads: Readonly<Record<string, Code>> = {
  float64: access(vectorCode.load),
  float32: [...access(0x5d), ...simd(vectorCode.promote)],
  int32: [...access(0x5d), ...simd(floatsOf.signed)],
  uint32: [...access(0x5d), ...simd(floatsOf.unsigned)],
  int16: [...access(0x5c), ...simd(0xa7), ...simd(floatsOf.signed)],
  uint16: [...access(0x5c), ...simd(0xa9), ...simd(floatsOf.signed)],
  int8: [...access(0x08), ...simd(0x87), ...simd(0xa7), ...simd(floatsOf.signed)],
  uint8: [...access(0x08), ...simd(0x89), ...simd(0xa9), ...simd(floatsOf.signed)],
};

/** Instructions that load four bytes at the address on the stack as float32. */
const loadFourTruths: Code = [...access(0x5c), ...simd(0x89), ...simd(0xa9), ...simd(0xfb)];

/** Instructions that store two float64 as elements, after an address and the vector. */
const stores: Readonly<Record<string, Code>> = {
  float64: access(vectorCode.store),
  float32: [...simd(vectorCode.demote), ...access(0x5b), 0],
  int32: [...simd(wordsOf.signed), ...access(0x5b), 0],
  uint32: [...simd(wordsOf.unsigned), ...access(0x5b), 0],
  int16: [...simd(wordsOf.signed), ...narrowed(0x85), ...access(0x5a), 0],
  uint16: [...simd(wordsOf.signed), ...narrowed(0x86), ...access(0x5a), 0],
  int8: [...simd(wordsOf.signed), ...narrowed(0x85), ...narrowed(0x65), ...access(0x59), 0],
  uint8: [...simd(wordsOf.signed), ...narrowed(0x86), ...narrowed(0x66), ...access(0x59), 0],
};

/** Number of bits that a step on integers drops; undefined for types whose results may exceed 32 bits. */
const droppedBits: Readonly<Record<string, number>> = { int8: 24, uint8: 24, int16: 16, uint16: 16 };

/**
 * The steps of one vector. Local 0 is the number of elements; then follow the addresses of the inputs and of the result, the
 * index of the vector's first element, a vector for copies, and the registers.
 * @returns undefined if the program has other types or steps
 */
export function bodyOf(program: Program, lanes: Lanes): number[] | undefined {
  const { registers, loads: loaded, constants, steps, result } = program;
  if (registers.some((kind) => kind !== 'single' && kind !== 'float')) return undefined;
  if (lanes === 'single' && !isSingle(program)) return undefined;
  const index = loaded.length + 2;
  const spare = index + 1;
  const first = spare + 1;
  const get = (register: number): Code => [code.get, ...leb(first + register)];
  const set = (register: number): Code => [code.set, ...leb(first + register)];
  const address = (k: number, itemSize: number): Code => {
    const offset = [code.get, ...leb(index), ...(itemSize === 1 ? [] : [constantOf.i32, Math.log2(itemSize), code.shiftLeft])]; // prettier-ignore
    return [code.get, ...leb(k + 1), ...offset, code.add];
  };
  const splat = (value: number): Code => [constantOf[lanes], ...floatBytes(lanes, value), ...simd(laneCodes[lanes].splat)]; // prettier-ignore
  const masks = new Set<number>();
  const numberIn = (register: number): Code =>
    masks.has(register) ? [...get(register), ...splat(1), ...simd(vectorCode.and)] : get(register);
  // Everything except 0 is true, including NaN.
  const truthIn = (register: number): Code =>
    masks.has(register) ? get(register) : [...get(register), ...splat(0), ...simd(laneCodes[lanes].ne)];

  const body: number[] = [];
  for (const [k, { dtype, register }] of loaded.entries()) {
    const isTruth = dtype.name === 'bool';
    const load = lanes === 'single' ? (isTruth ? loadFourTruths : access(vectorCode.load)) : loads[isTruth ? 'uint8' : dtype.name]; // prettier-ignore
    if (load === undefined) return undefined;
    body.push(...address(k, dtype.itemSize), ...load, ...set(register));
    if (!isTruth) continue;
    body.push(...truthIn(register), ...set(register));
    masks.add(register);
  }
  for (const { register, value } of constants) body.push(...splat(Number(value)), ...set(register));
  for (const step of steps) {
    const emitted = stepOf(step, lanes, numberIn, truthIn);
    if (emitted === undefined) return undefined;
    body.push(...emitted.code, ...set(step.out));
    if (emitted.isMask) masks.add(step.out);
    else masks.delete(step.out);
  }
  const to = address(loaded.length, result.dtype.itemSize);
  const { register, dtype } = result;
  if (dtype.name !== 'bool') {
    const store = lanes === 'single' ? access(vectorCode.store) : stores[dtype.name];
    return store === undefined ? undefined : [...body, ...to, ...numberIn(register), ...store];
  }
  if (lanes === 'float') {
    // The two bits of the mask become two bytes.
    const bits = [...truthIn(register), ...simd(maskCode.toBits), constantOf.i32, ...signed(0x81), code.multiply, constantOf.i32, ...signed(0x101), code.and]; // prettier-ignore
    return [...body, ...to, ...bits, code.storeShort, 0, 0];
  }
  const copy = [code.get, ...leb(spare)];
  return [
    ...[...body, ...truthIn(register), code.set, ...leb(spare)],
    ...[...copy, ...copy, ...simd(maskCode.toShorts), code.set, ...leb(spare)],
    ...[...to, ...copy, ...copy, ...simd(maskCode.toBytes), ...simd(maskCode.absolute)],
    ...[...simd(vectorCode.firstLane), 0, code.store, 0, 0],
  ];
}

/** Whether all numbers of a program are float32, or booleans. */
function isSingle({ registers, loads: loaded, constants, result }: Program): boolean {
  return (
    constants.every(({ register }) => registers[register] === 'single') &&
    loaded.every(({ dtype }) => dtype.name === 'float32' || dtype.name === 'bool') &&
    (result.dtype.name === 'float32' || result.dtype.name === 'bool')
  );
}

interface EmittedStep {
  readonly code: Code;
  readonly isMask: boolean;
}

type Operand = (register: number) => Code;

function stepOf({ kernel, args, narrow }: Step, lanes: Lanes, numberIn: Operand, truthIn: Operand): EmittedStep | undefined {
  const [a = -1, b = a, c = b] = args;
  if (a < 0) return undefined;
  const isOfSingles = kernel.endsWith('Singles');
  const name = isOfSingles ? kernel.slice(0, -'Singles'.length) : kernel;
  const test = tests.get(name);
  if (test !== undefined) return { code: test(lanes, numberIn(a), numberIn(b)), isMask: true };
  const condition = logic.get(name);
  if (condition !== undefined && narrow === undefined) return { code: condition(lanes, truthIn(a), truthIn(b)), isMask: true };
  if (name === 'truthOf') return { code: truthIn(a), isMask: true };
  if (name === 'where' && narrow === undefined)
    return { code: [...numberIn(b), ...numberIn(c), ...truthIn(a), ...simd(vectorCode.select)], isMask: false };
  const emit = emitters.get(name);
  // Lanes of float32 hold no other numbers.
  if (lanes === 'single') return emit === undefined || !isOfSingles ? undefined : { code: emit(lanes, numberIn(a), numberIn(b)), isMask: false };
  if (kernel === 'floatsOfSingles') return { code: numberIn(a), isMask: false };
  if (kernel === 'singlesOfFloats') return { code: [...numberIn(a), ...toSingle], isMask: false };
  if (emit !== undefined) {
    const value = emit(lanes, numberIn(a), numberIn(b));
    if (narrow === undefined) return { code: isOfSingles && rounded.has(name) ? [...value, ...toSingle] : value, isMask: false };
    // Sums of two numbers of at most 16 bits are exact as 32-bit integers.
    const wrap = name === 'divide' ? undefined : wrapped(narrow);
    return wrap === undefined ? undefined : { code: [...value, ...simd(wordsOf.signed), ...wrap], isMask: false };
  }
  const words = wordSteps.get(name);
  if (words === undefined || narrow === 'float16') return undefined;
  const form = narrow === 'uint32' ? 'unsigned' : 'signed';
  const value = words(lanes, [...numberIn(a), ...simd(wordsOf[form])], [...numberIn(b), ...simd(wordsOf[form])]);
  const wrap = narrow === undefined || narrow === 'int32' || narrow === 'uint32' ? simd(floatsOf[form]) : wrapped(narrow);
  return wrap === undefined ? undefined : { code: [...value, ...wrap], isMask: false };
} // prettier-ignore

/** Wraps 32-bit integers to a smaller type, and converts them to float64. */
function wrapped(narrow: string): Code | undefined {
  const bits = droppedBits[narrow];
  if (bits === undefined) return undefined;
  const right = narrow.startsWith('u') ? wordCode.shiftRightUnsigned : wordCode.shiftRight;
  const shifted = [constantOf.i32, bits, ...simd(wordCode.shiftLeft), constantOf.i32, bits, ...simd(right)];
  return [...shifted, ...simd(floatsOf.signed)];
}

const toSingle: Code = [...simd(vectorCode.demote), ...simd(vectorCode.promote)];

/** Converts a vector to elements of half the size: the second operand of the instruction has no meaning. */
function narrowed(instruction: number): Code {
  const zeros = Array.from({ length: VECTOR_BYTES }, () => 0);
  return [...simd(0x0c), ...zeros, ...simd(instruction)];
}

/** An instruction that accesses memory, of any alignment. */
function access(instruction: number): Code {
  return [...simd(instruction), 0, 0];
}

function simd(instruction: number): Code {
  return [0xfd, ...leb(instruction)];
}

/** Encodes a non-negative integer with variable length. */
export function leb(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...leb(Math.floor(value / 128))];
}

/** Encodes a non-negative integer as a signed one, as constants are. */
function signed(value: number): number[] {
  return value < 64 ? [value] : [(value % 128) + 128, ...signed(Math.floor(value / 128))];
}

function floatBytes(lanes: Lanes, value: number): Uint8Array {
  return new Uint8Array((lanes === 'single' ? Float32Array : Float64Array).of(value).buffer);
}
