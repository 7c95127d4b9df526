/** Runs element transforms over contiguous elements and over blocks. */
import { floatFromHalf, halfFromFloat, narrowToHalves, widenHalves } from '../../../wire/float16.js';
import { sizeOf } from '../../core/bytes/shape.js';
import type { Block } from '../../core/dtype/data-type.js';
import { UnsupportedError } from '../../core/errors.js';
import {
  type ElementTransform,
  type NumberTransform,
  type ComplexTransform,
  plainNumbers,
  type PackedNumbers,
} from '../../format/plan/element-transform.js';
import { countTicks } from './tick-kernels.js';
import { BLOCK, maskInPlace, unpackBlock, unpackToDoubles, unpackToSingles } from './unpack-block.js';

/**
 * @param source elements in C order, little-endian; `transform.sourceBytes` bytes each, at any address
 * @param target memory for as many elements of `transform.dtype`, at any address; must not overlap with
 * `source`
 * @throws UnsupportedError if the target type cannot represent a value; the following elements are not
 * written
 */
export function applyTransform(transform: ElementTransform, source: Uint8Array, target: Uint8Array): void {
  const problem = tryTransform(transform, source, target);
  if (problem !== undefined) throw new UnsupportedError(problem);
}

/** Like `applyTransform`, but returns the error's message instead of throwing it. */
export function tryTransform(
  transform: ElementTransform,
  source: Uint8Array,
  target: Uint8Array,
): string | undefined {
  if (transform.kind === 'copy') {
    target.set(source);
    return undefined;
  }
  const [from, to] = [transform.sourceBytes, transform.dtype.itemSize];
  const count = Math.floor(source.length / from);
  if (target.length !== count * to)
    throw new RangeError('source and target must have the same number of elements');
  for (let start = 0; start < count; start += BLOCK) {
    const end = Math.min(start + BLOCK, count);
    const block = source.subarray(start * from, end * from);
    const destination = target.subarray(start * to, end * to);
    // Copies the bytes explicitly, because `slice` of a Buffer returns a view.
    const aligned = isAligned(block, from) ? block : new Uint8Array(block);
    const result = isAligned(destination, to) ? destination : new Uint8Array(destination.length);
    const problem = transformPiece(transform, aligned, result);
    if (problem !== undefined) return problem;
    if (result !== destination) destination.set(result);
  }
  return undefined;
}

function isAligned({ byteOffset }: Uint8Array, itemSize: number): boolean {
  return byteOffset % Math.min(itemSize, 8) === 0;
}

function transformPiece(
  transform: Exclude<ElementTransform, { kind: 'copy' }>,
  source: Uint8Array,
  target: Uint8Array,
): string | undefined {
  switch (transform.kind) {
    case 'numbers':
      transformNumbers(transform, source, target);
      return undefined;
    case 'complex':
      maskPairs(transform, source, target);
      return undefined;
    case 'ticks':
      return countTicks(transform, source, target);
  }
}

function transformNumbers({ values, dtype }: NumberTransform, source: Uint8Array, target: Uint8Array): void {
  const { buffer, byteOffset } = target;
  const count = target.length / dtype.itemSize;
  const isScaled = values.scale !== undefined || values.offset !== undefined;
  const isMaskedOnly = !isScaled && values.name === dtype.name;
  switch (dtype.name) {
    case 'float16':
      transformHalves(source, values, target);
      return;
    case 'float32': {
      const floats = new Float32Array(buffer, byteOffset, count);
      if (!isMaskedOnly) return unpackToSingles(source, values, floats);
      target.set(source);
      return maskInPlace(floats, values);
    }
    case 'float64': {
      const floats = new Float64Array(buffer, byteOffset, count);
      if (!isMaskedOnly) return unpackToDoubles(source, values, floats);
      target.set(source);
      return maskInPlace(floats, values);
    }
    case 'bool': {
      const floats = unpackBlock(source, count, values);
      for (let i = 0; i < count; i++) target[i] = floats[i] === 0 ? 0 : 1;
    }
  }
}

function maskPairs({ dtype, missing }: ComplexTransform, source: Uint8Array, target: Uint8Array): void {
  target.set(source);
  const { buffer, byteOffset, length } = target;
  const parts =
    dtype.name === 'complex64'
      ? new Float32Array(buffer, byteOffset, length / 4)
      : new Float64Array(buffer, byteOffset, length / 8);
  for (const [re, im] of missing)
    for (let i = 0; i < parts.length; i += 2)
      if (parts[i] === re && parts[i + 1] === im) parts.fill(NaN, i, i + 2);
}

const NAN = 0x7e00;

/** Masks and then scales values in float16. Every intermediate result is rounded, as in NumPy. */
function transformHalves(source: Uint8Array, packed: PackedNumbers, target: Uint8Array): void {
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
    if (Number.isNaN(masked[i]) && (halves[i] & 0x7fff) <= 0x7c00) halves[i] = NAN;
}

function calculate(bytes: Uint8Array, factor: number, shift: number): void {
  const halves = halvesOf(bytes);
  const floats = widenHalves(halves);
  for (let i = 0; i < floats.length; i++) floats[i] = floats[i] * factor + shift;
  halves.set(narrowToHalves(floats));
}

function halvesOf({ buffer, byteOffset, length }: Uint8Array): Uint16Array {
  return new Uint16Array(buffer, byteOffset, length / 2);
}

function toHalf(value: number): number {
  return floatFromHalf(halfFromFloat(value));
}

/**
 * @returns a new block; if only the type changes, it shares the bytes
 * @throws UnsupportedError for types of variable length; errors from `applyTransform`
 */
export function transformBlock(transform: ElementTransform, block: Block): Block {
  const { dtype } = transform;
  const source = fixedBytes(block);
  if (transform.kind === 'copy') return { dtype, shape: block.shape, bytes: source };
  const bytes = new Uint8Array(sizeOf(block.shape) * dtype.itemSize);
  applyTransform(transform, source, bytes);
  return { dtype, shape: block.shape, bytes };
}

/** Like `transformBlock`, but always copies; undefined if the target type cannot represent a value. */
export function tryTransformBlock(transform: ElementTransform, block: Block): Block | undefined {
  const { dtype } = transform;
  const bytes = new Uint8Array(sizeOf(block.shape) * dtype.itemSize);
  const problem = tryTransform(transform, fixedBytes(block), bytes);
  return problem === undefined ? { dtype, shape: block.shape, bytes } : undefined;
}

function fixedBytes(block: Block): Uint8Array {
  if ('bytes' in block) return block.bytes;
  throw new UnsupportedError(`values of type ${block.dtype.name} are not numbers`);
}
