/**
 * Converts packed numbers of one block to floats, NaN if missing. All types are first widened to float64,
 * because loops over one array type are fast.
 */
import { assertLength } from '../../core/bytes/bounds.js';
import { elementAccess, storedNumbers } from '../../core/dtype/number-access.js';
import type { PackedNumbers, ValueRange } from '../../format/plan/element-transform.js';

/** Number of elements per block, so that their float64 values fit into the first-level cache. */
export const BLOCK = 4096;

const widened = new Float64Array(BLOCK);
const unpacked = new Float64Array(BLOCK);

/**
 * @param source memory of at most `BLOCK` elements, aligned to their type
 * @returns memory that the next call overwrites
 */
export function unpackBlock(source: Uint8Array, count: number, packed: PackedNumbers): Float64Array {
  const values = unpacked.subarray(0, count);
  unpackToDoubles(source, packed, values);
  return values;
}

/** Computes value x scale + offset, with both results rounded to float64. */
export function unpackToDoubles(source: Uint8Array, packed: PackedNumbers, target: Float64Array): void {
  const { scale = 1, offset = -0, unpackedRange } = packed;
  const values = widen(source, target.length, packed);
  const missing = maskAllButOne(values, packed);
  // Multiplying by 1 and adding -0 do not change any number.
  for (let i = 0; i < target.length; i++) {
    const value = values[i];
    target[i] = value === missing ? NaN : value * scale + offset;
  }
  if (unpackedRange !== undefined) maskOutside(target, unpackedRange);
}

/** Like `unpackToDoubles`, in float32: operands and results are rounded to float32. */
export function unpackToSingles(source: Uint8Array, packed: PackedNumbers, target: Float32Array): void {
  const { unpackedRange } = packed;
  const scale = Math.fround(packed.scale ?? 1);
  const offset = Math.fround(packed.offset ?? -0);
  const values = widen(source, target.length, packed);
  const missing = maskAllButOne(values, packed);
  for (let i = 0; i < target.length; i++) {
    const value = Math.fround(values[i]);
    // The product of two float32 is exact in float64, so it is rounded once.
    target[i] = value === missing ? NaN : Math.fround(value * scale) + offset;
  }
  if (unpackedRange !== undefined) maskOutside(target, unpackedRange);
}

/** Masks unconverted, unscaled values in place. Preserves all other bits, including those of NaNs. */
export function maskInPlace(values: Float64Array | Float32Array, packed: PackedNumbers): void {
  for (const value of packed.missing) maskEqual(values, Number(value));
  if (packed.packedRange !== undefined) maskOutside(values, packed.packedRange);
  if (packed.unpackedRange !== undefined) maskOutside(values, packed.unpackedRange);
}

/**
 * Masks all missing values except one, with which the next loop compares.
 * @returns the exception, or NaN, which equals no value
 */
function maskAllButOne(values: Float64Array, { name, missing, packedRange }: PackedNumbers): number {
  if (packedRange !== undefined) maskOutside(values, packedRange);
  // 64-bit integers are already masked by their bits.
  if (name === 'int64' || name === 'uint64') return NaN;
  for (const value of missing.slice(1)) maskEqual(values, Number(value));
  return Number(missing[0] ?? NaN);
}

/** Widens values to float64. Rounds 64-bit integers beyond 2^53; missing 64-bit integers become NaN. */
function widen(source: Uint8Array, count: number, packed: PackedNumbers): Float64Array {
  assertLength(widened, count, 'the block');
  const values = widened.subarray(0, count);
  elementAccess[packed.name].widen(source, count, values);
  if (packed.name === 'int64' || packed.name === 'uint64') maskWords(source, packed.missing, values);
  return values;
}

/** Masks 64-bit integers by their bits. */
function maskWords(source: Uint8Array, missing: PackedNumbers['missing'], values: Float64Array): void {
  const words = storedNumbers('int32', source, 2 * values.length);
  for (const value of missing) {
    const low = Number(BigInt.asIntN(32, BigInt(value)));
    const high = Number(BigInt.asIntN(32, BigInt(value) >> 32n));
    for (let i = 0; i < values.length; i++)
      if (words[2 * i] === low && words[2 * i + 1] === high) values[i] = NaN;
  }
}

function maskEqual(values: Float64Array | Float32Array, missing: number): void {
  for (let i = 0; i < values.length; i++) if (values[i] === missing) values[i] = NaN;
}

function maskOutside(values: Float64Array | Float32Array, { min, max }: ValueRange): void {
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value < min || value > max) values[i] = NaN;
  }
}
