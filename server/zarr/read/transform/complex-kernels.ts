/** Masks complex numbers: both parts become NaN. */
import type { ComplexTransform } from './element-transform.js';

export function maskPairs(
  { dtype, missing }: ComplexTransform,
  source: Uint8Array,
  target: Uint8Array,
): void {
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
