/** Element transforms by definition: one element at a time, with DataView and bigints. */
import type {
  ElementTransform,
  PackedNumbers,
  RealName,
  TickTransform,
} from '../../../server/format/plan/element-transform.js';
import { floatFromHalf, halfFromFloat } from '../../../wire/float16.js';

export const realNames: readonly RealName[] = [
  'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64', 'float16', 'float32', 'float64',
]; // prettier-ignore

export function sizeOfReal(name: RealName): number {
  return Number(name.replace(/\D+/, '')) / 8;
}

/** The exact value of an element. */
export function readReal(view: DataView, at: number, name: RealName): number | bigint {
  switch (name) {
    case 'int8':
      return view.getInt8(at);
    case 'uint8':
      return view.getUint8(at);
    case 'int16':
      return view.getInt16(at, true);
    case 'uint16':
      return view.getUint16(at, true);
    case 'int32':
      return view.getInt32(at, true);
    case 'uint32':
      return view.getUint32(at, true);
    case 'int64':
      return view.getBigInt64(at, true);
    case 'uint64':
      return view.getBigUint64(at, true);
    case 'float16':
      return floatFromHalf(view.getUint16(at, true));
    case 'float32':
      return view.getFloat32(at, true);
    case 'float64':
      return view.getFloat64(at, true);
  }
}

const toHalf = (value: number): number => floatFromHalf(halfFromFloat(value));

/** @returns NaN for a missing value, and for a value outside a range */
export function unpackNaively(
  value: number | bigint,
  packed: PackedNumbers,
  precision: 'float16' | 'float32' | 'float64',
): number {
  const round = { float16: (x: number) => toHalf(Math.fround(x)), float32: Math.fround, float64: Number }[
    precision
  ];
  const isOutside = (x: number, range: PackedNumbers['packedRange']): boolean =>
    range !== undefined && (x < range.min || x > range.max);
  if (packed.missing.some((missing) => missing === value)) return NaN;
  let unpacked = Number(value);
  if (isOutside(unpacked, packed.packedRange)) return NaN;
  unpacked = round(unpacked);
  if (packed.scale !== undefined) unpacked = round(unpacked * round(packed.scale));
  if (packed.offset !== undefined) unpacked = round(unpacked + round(packed.offset));
  return isOutside(unpacked, packed.unpackedRange) ? NaN : unpacked;
}

/** @returns undefined for NaT; "rejected" for a value that the type cannot represent */
export function ticksNaively(
  value: number | bigint,
  transform: TickTransform,
): bigint | undefined | 'rejected' {
  const { count, values, unit, earliest } = transform;
  const unpacked = unpackNaively(value, values, 'float64');
  let ticks: bigint;
  if (count.kind === 'integers') {
    if (Number.isNaN(unpacked) || value === -(2n ** 63n)) return undefined;
    ticks = count.start + BigInt(value) * BigInt(count.factor);
  } else if (count.kind === 'floats') {
    if (!Number.isFinite(unpacked)) return undefined;
    // The tests' values are multiples of 1/8.
    const eighths = BigInt(unpacked * 8) * BigInt(count.factor);
    ticks = count.start + (count.rounding === 'nearest' ? nearestEven(eighths) : eighths / 8n);
  } else {
    if (Number.isNaN(unpacked)) return undefined;
    let [amount, length] = [unpacked * count.step.count, count.step.nanoseconds];
    for (; length > 1 && Number.isFinite(amount) && !Number.isInteger(amount); length /= 1000)
      amount = count.step.isSingle ? Math.fround(amount * 1000) : amount * 1000;
    if (!Number.isFinite(amount)) return 'rejected';
    ticks =
      length < count.nanoseconds
        ? BigInt(Math.round(Math.trunc(amount) / (count.nanoseconds / length)))
        : BigInt(Math.trunc(amount)) * BigInt(length / count.nanoseconds);
  }
  if (ticks <= -(2n ** 63n) || ticks >= 2n ** 63n) return 'rejected';
  if (earliest !== undefined && ticks < earliest.tick) return 'rejected';
  const size = BigInt(unit?.ticks ?? 1);
  return ticks % size === 0n ? ticks / size : 'rejected';
}

function nearestEven(eighths: bigint): bigint {
  const floor = (eighths - (((eighths % 8n) + 8n) % 8n)) / 8n;
  const rest = eighths - floor * 8n;
  return rest > 4n || (rest === 4n && floor % 2n !== 0n) ? floor + 1n : floor;
}

/** The target's bytes; undefined if a value is rejected. If the type is unchanged, NaN keeps its bits. */
export function transformNaively(transform: ElementTransform, source: Uint8Array): Uint8Array | undefined {
  const { sourceBytes, dtype } = transform;
  if (transform.kind === 'copy') return source.slice();
  const [from, count] = [viewOf(source), source.length / sourceBytes];
  const result = new Uint8Array(count * dtype.itemSize);
  const to = viewOf(result);
  for (let i = 0; i < count; i++) {
    const at = i * dtype.itemSize;
    if (transform.kind === 'complex') {
      result.set(source.subarray(at, at + dtype.itemSize), at);
      const part = sourceBytes / 2;
      const name = part === 4 ? 'float32' : 'float64';
      const [re, im] = [readReal(from, at, name), readReal(from, at + part, name)];
      if (transform.missing.some((missing) => missing[0] === re && missing[1] === im))
        for (const p of [at, at + part]) writeFloat(to, p, name, NaN);
    } else if (transform.kind === 'ticks') {
      const ticks = ticksNaively(readReal(from, i * sourceBytes, transform.values.name), transform);
      if (ticks === 'rejected') return undefined;
      to.setBigInt64(at, ticks ?? -(2n ** 63n), true);
    } else {
      const { values } = transform;
      const stored = readReal(from, i * sourceBytes, values.name);
      const { name } = transform.dtype;
      const unpacked = unpackNaively(stored, values, name === 'bool' ? 'float64' : name);
      if (name === 'bool') result[at] = unpacked === 0 ? 0 : 1;
      else if (Number.isNaN(stored) && name === values.name)
        result.set(source.subarray(at, at + sourceBytes), at);
      else writeFloat(to, at, name, unpacked);
    }
  }
  return result;
}

function writeFloat(
  view: DataView,
  at: number,
  name: 'float16' | 'float32' | 'float64',
  value: number,
): void {
  if (name === 'float16') view.setUint16(at, halfFromFloat(value), true);
  else if (name === 'float32') view.setFloat32(at, value, true);
  else view.setFloat64(at, value, true);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
