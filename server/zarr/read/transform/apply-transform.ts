/** Runs element transforms over contiguous elements. */
import { UnsupportedError } from '../../errors.js';
import type { ElementTransform, NumberTransform, ComplexTransform } from './element-transform.js';
import { transformHalves } from './half-kernels.js';
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
    const place = target.subarray(start * to, end * to);
    // An explicit copy, because `slice` of a Buffer is a view.
    const aligned = isAligned(block, from) ? block : new Uint8Array(block);
    const result = isAligned(place, to) ? place : new Uint8Array(place.length);
    const problem = transformBlock(transform, aligned, result);
    if (problem !== undefined) return problem;
    if (result !== place) place.set(result);
  }
  return undefined;
}

function isAligned({ byteOffset }: Uint8Array, itemSize: number): boolean {
  return byteOffset % Math.min(itemSize, 8) === 0;
}

function transformBlock(
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
