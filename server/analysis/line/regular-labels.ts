/** The labels of a coordinate with equally spaced integers or dates, computed from their positions. */
import type { Decoding } from '../../dataset/decode/decoding.js';
import type { Block, RegularLabels } from '../../zarr/index.js';
import { ValueList } from './value-list.js';

/**
 * @param regular equally spaced keys; see `keyTransform`
 * @returns undefined if labels differ from their keys: floats, whose multiples are rounded, and dates as
 * text
 */
export function regularLabels(
  decoding: Decoding,
  regular: RegularLabels | undefined,
): ((positions: Float64Array) => Block) | undefined {
  const divisor = keysPerLabel(decoding);
  if (regular === undefined || divisor === undefined) return undefined;
  const [first, step] = [BigInt(regular.first), BigInt(regular.step)];
  if (first % divisor !== 0n || step % divisor !== 0n) return undefined;
  return (positions) => {
    const list = new ValueList(decoding.dtype, positions.length);
    positions.forEach((position, i) => list.setNumber(i, (first + BigInt(position) * step) / divisor));
    return list.block([positions.length]);
  };
}

function keysPerLabel({ dtype, isIdentity, times, transform }: Decoding): bigint | undefined {
  if (times === undefined) return isIdentity && /^u?int\d+$/.test(dtype.name) ? 1n : undefined;
  // Excludes NumPy's own dates, dates as text, and dates that may fail to decode.
  if (transform?.kind !== 'ticks' || transform.earliest !== undefined) return undefined;
  return BigInt(transform.unit?.ticks ?? 1);
}
