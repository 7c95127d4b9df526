/** Integers and floats: packed or not, booleans in disguise, dates and durations. */
import {
  floatFromHalf,
  halfFromFloat,
  narrowToHalves,
  widenHalves,
  type Block,
  type DataType,
} from '../../zarr/index.js';
import { createDecoding } from './create-decoding.js';
import type { Decoding, DecodeOptions } from './decoding.js';
import { scaleAndShift, type RealName } from './number-kernels.js';
import {
  asType,
  isScaled,
  parsePacking,
  unpack,
  unpackedType,
  type Packing,
  type RealVariable,
} from './packed-numbers.js';
import { planBooleanNumbers } from './plan-booleans.js';
import { planDates } from './plan-dates.js';
import { planDurations } from './plan-durations.js';
import { integerBounds } from './stored-number.js';

/** @throws MetadataError where an attribute cannot be followed */
export function planNumbers(variable: RealVariable, options: Required<DecodeOptions>): Decoding {
  const packing = parsePacking(variable, options);
  const times = options.decodeTimes ? planTimes(variable, packing, options) : undefined;
  if (times !== undefined) return times;
  if (variable.attributes['dtype'] === 'bool') return planBooleanNumbers(variable, packing);
  const { encoding } = packing;
  const name = unpackedType(packing);
  const dtype: DataType = { name, itemSize: itemSizeOf(name) };
  const isFloat = integerBounds(name) === undefined;
  const missing = isFloat ? 'nan' : 'none';
  return createDecoding(variable, {
    dtype,
    encoding,
    missing,
    decode: numberDecoder(variable, packing, name),
  });
}

function planTimes(variable: RealVariable, packing: Packing, options: Required<DecodeOptions>) {
  return planDates(variable, packing) ?? planDurations(variable, packing, options.decodeDurations);
}

/** @returns undefined where nothing is to do */
function numberDecoder(
  variable: RealVariable,
  packing: Packing,
  name: RealName,
): ((stored: Block) => Block) | undefined {
  if (name === 'float16') {
    if (isScaled(packing)) return (stored) => scaleHalves(stored, packing);
    return packing.hasMissing ? (stored) => maskHalves(stored, packing) : undefined;
  }
  if (name !== 'float32' && name !== 'float64')
    return name === variable.dtype.name ? undefined : (stored) => asType(stored, name);
  const isUntouched =
    name === variable.dtype.name &&
    packing.missing.length === 0 &&
    packing.packedRange === undefined &&
    !isScaled(packing);
  if (isUntouched) return undefined;
  return (stored) => {
    const { buffer, byteOffset, byteLength } = unpack(stored, packing, name);
    const bytes = new Uint8Array(buffer, byteOffset, byteLength);
    return { dtype: { name, itemSize: itemSizeOf(name) }, shape: stored.shape, bytes };
  };
}

/** Half floats stay what they are, as in xarray: the bits of NaN where `unpack` finds something missing. */
function maskHalves(stored: Block, packing: Packing): Block {
  if (!('bytes' in stored)) return stored;
  const bytes = stored.bytes.slice();
  const halves = new Uint16Array(bytes.buffer);
  for (const [i, value] of unpack(stored, packing, 'float32').entries())
    if (Number.isNaN(value) && ((halves[i] ?? 0) & 0x7fff) <= 0x7c00) halves[i] = 0x7e00;
  return { ...stored, bytes };
}

/** Half floats scaled in their own type. Every step is rounded to it, as in NumPy. */
function scaleHalves(stored: Block, { scale, offset }: Packing): Block {
  if (!('bytes' in stored)) return stored;
  let halves: Uint16Array = new Uint16Array(stored.bytes.slice().buffer);
  for (const [factor, shift] of [
    [scale, undefined],
    [undefined, offset],
  ] as const) {
    const floats = widenHalves(halves);
    scaleAndShift(floats, toHalf(factor), toHalf(shift));
    halves = narrowToHalves(floats);
  }
  return { ...stored, bytes: new Uint8Array(halves.buffer) };
}

function toHalf(value: number | undefined): number | undefined {
  return value === undefined ? undefined : floatFromHalf(halfFromFloat(value));
}

function itemSizeOf(name: RealName): number {
  return Number(name.replace(/\D+/, '')) / 8;
}
