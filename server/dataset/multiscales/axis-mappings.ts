/** Transformations that scale and shift each axis, and may permute axes. */
import { UnsupportedError } from '../../zarr/index.js';
import { broken, type JsonLocation } from './checks.js';

/** One entry per output axis: the output is `scale * input[axis] + shift`. */
export type AxisMappings = readonly AxisMapping[];

interface AxisMapping {
  readonly axis: number;
  readonly scale: number;
  readonly shift: number;
}

/** Pixel i is at i * scale + translation. */
interface PixelPlacement {
  readonly scale: readonly number[];
  readonly translation: readonly number[];
}

export function identity(rank: number): AxisMappings {
  return Array.from({ length: rank }, (_, axis) => ({ axis, scale: 1, shift: 0 }));
}

export function scaling(scale: readonly number[]): AxisMappings {
  return scale.map((by, axis) => ({ axis, scale: by, shift: 0 }));
}

export function shifting(translation: readonly number[]): AxisMappings {
  return translation.map((shift, axis) => ({ axis, scale: 1, shift }));
}

/** Applies `first`, then `then`. Both must have the same rank. */
export function compose(first: AxisMappings, then: AxisMappings): AxisMappings {
  return then.map(({ axis, scale, shift }) => {
    const inner = first[axis] ?? { axis, scale: 1, shift: 0 };
    return { axis: inner.axis, scale: inner.scale * scale, shift: inner.shift * scale + shift };
  });
}

/**
 * @throws UnsupportedError if axes are permuted; MetadataError if numbers are not finite: their product can
 *   overflow even if each is in range
 */
export function placementOf(mapping: AxisMappings, location: JsonLocation): PixelPlacement {
  const moved = mapping.findIndex(({ axis }, d) => axis !== d);
  if (moved !== -1)
    throw new UnsupportedError(
      `${location.at} maps dimension ${mapping[moved]?.axis} of the array to axis ${moved}; only transformations that keep the order of axes are supported (${location.by})`,
    );
  const scale = mapping.map((one) => one.scale);
  const translation = mapping.map((one) => one.shift);
  if ([...scale, ...translation].every(Number.isFinite)) return { scale, translation };
  throw broken(location, 'of numbers in the range of float64');
}
