/** Transformations that give every axis a scale and a shift, and may change the order of axes. */
import { UnsupportedError } from '../../zarr/index.js';
import { broken, type Place } from './json.js';

/** One an output axis: the output is `scale * input[axis] + shift`. */
export type Mapping = readonly AxisMapping[];

export interface AxisMapping {
  readonly axis: number;
  readonly scale: number;
  readonly shift: number;
}

/** Pixel i lies at i * scale + translation. */
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

/** First one, then the other; both of the same rank. */
export function compose(first: Mapping, then: Mapping): Mapping {
  return then.map(({ axis, scale, shift }) => {
    const inner = first[axis] ?? { axis, scale: 1, shift: 0 };
    return { axis: inner.axis, scale: inner.scale * scale, shift: inner.shift * scale + shift };
  });
}

/**
 * @throws UnsupportedError where axes change places; MetadataError where numbers are not finite: each may be in range,
 *   and their product not
 */
export function placementOf(mapping: Mapping, place: Place): Placement {
  const moved = mapping.findIndex(({ axis }, d) => axis !== d);
  if (moved !== -1)
    throw new UnsupportedError(
      `${place.at} puts dimension ${mapping[moved]?.axis} of the array on axis ${moved}; only transformations that keep the order of axes are supported (${place.by})`,
    );
  const scale = mapping.map((one) => one.scale);
  const translation = mapping.map((one) => one.shift);
  if ([...scale, ...translation].every(Number.isFinite)) return { scale, translation };
  throw broken(place, 'of numbers that float64 can hold');
}
