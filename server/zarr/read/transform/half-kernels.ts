/** Transforms whose result is float16, as in xarray. */
import { floatFromHalf, halfFromFloat, narrowToHalves, widenHalves } from '../../../../wire/float16.js';
import { plainNumbers, type PackedNumbers } from './element-transform.js';
import { unpackBlock } from './unpack-block.js';

const NAN = 0x7e00;

/** Masks, then scales in float16: every intermediate result is rounded, as in NumPy. */
export function transformHalves(source: Uint8Array, packed: PackedNumbers, target: Uint8Array): void {
  const { scale, offset, unpackedRange } = packed;
  target.set(source);
  mask(target, { ...packed, scale: undefined, offset: undefined, unpackedRange: undefined });
  if (scale !== undefined) calculate(target, toHalf(scale), -0);
  if (offset !== undefined) calculate(target, 1, toHalf(offset));
  if (unpackedRange !== undefined) mask(target, { ...plainNumbers('float16'), packedRange: unpackedRange });
}

/** @param packed defines the missing values. Existing NaNs are unchanged */
function mask(bytes: Uint8Array, packed: PackedNumbers): void {
  const halves = halvesOf(bytes);
  const masked = unpackBlock(bytes, halves.length, packed);
  for (let i = 0; i < halves.length; i++)
    if (Number.isNaN(masked[i]) && ((halves[i] ?? 0) & 0x7fff) <= 0x7c00) halves[i] = NAN;
}

function calculate(bytes: Uint8Array, factor: number, shift: number): void {
  const halves = halvesOf(bytes);
  const floats = widenHalves(halves);
  for (let i = 0; i < floats.length; i++) floats[i] = (floats[i] ?? 0) * factor + shift;
  halves.set(narrowToHalves(floats));
}

function halvesOf({ buffer, byteOffset, length }: Uint8Array): Uint16Array {
  return new Uint16Array(buffer, byteOffset, length / 2);
}

function toHalf(value: number): number {
  return floatFromHalf(halfFromFloat(value));
}
