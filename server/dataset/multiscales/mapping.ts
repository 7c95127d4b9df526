/** Transformations that scale and shift each axis, and may permute axes. */
import { UnsupportedError } from '../../zarr/index.js';
import { broken, type Place } from './json.js';

/** One entry per output axis: the output is `scale * input[axis] + shift`. */
export type Mapping = readonly AxisMapping[];

export interface AxisMapping {
  readonly axis: number;
  readonly scale: number;
  readonly shift: number;
}

/** Pixel i is at i * scale + translation. */
export interface Placement {
  readonly scale: readonly number[];
  readonly translation: readonly number[];
}

export function identity(rank: number): Mapping {
  return Array.from({ length: rank }, (_, axis) => ({ axis, scale: 1, shift: 0 }));
}

export function scaling(scale: readonly number[]): Mapping {
  return scale.map((by, axis) => ({ axis, scale: by, shift: 0 }));
}

export function shifting(translation: readonly number[]): Mapping {
  return translation.map((shift, axis) => ({ axis, scale: 1, shift }));
}

/** Applies `first`, then `then`; both of the same rank. */
export function compose(first: Mapping, then: Mapping): Mapping {
  return then.map(({ axis, scale, shift }) => {
    const inner = first[axis] ?? { axis, scale: 1, shift: 0 };
    return { axis: inner.axis, scale: inner.scale * scale, shift: inner.shift * scale + shift };
  });
}

/**
 * @throws UnsupportedError if axes are permuted; MetadataError if numbers are not finite: their product can
 *   overflow even
 *   if each is in range
 */
export function placementOf(mapping: Mapping, place: Place): Placement {
  const moved = mapping.findIndex(({ axis }, d) => axis !== d);
  if (moved !== -1)
    throw new UnsupportedError(
      `${place.at} maps dimension ${mapping[moved]?.axis} of the array to axis ${moved}; only transformations that keep the order of axes are supported (${place.by})`,
    );
  const scale = mapping.map((one) => one.scale);
  const translation = mapping.map((one) => one.shift);
  if ([...scale, ...translation].every(Number.isFinite)) return { scale, translation };
  throw broken(place, 'of numbers in the range of float64');
}
