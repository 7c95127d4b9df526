/** Cells along latitudes or longitudes, with edges halfway between neighbouring coordinates. Pure. */
import { defined } from '../../../wire/guards.js';
import { firstIndexWhere, SelectionError } from '../../zarr/index.js';

export interface GridAxis {
  readonly length: number;
  /** Edges of the cells in ascending order: one more than cells. */
  readonly edges: Float64Array;
  /** Whether the first cell has the largest coordinates. */
  readonly isReversed: boolean;
}

/**
 * Maximum rounding error of the gap between the last and the first meridian, as a fraction of the spacing.
 */
const SEAM_TOLERANCE = 0.1;

/**
 * @throws SelectionError for coordinates that are not sorted, missing, infinite, fewer than two, or beyond 90
 * degrees
 */
export function latitudeAxis(values: ArrayLike<number>): GridAxis {
  const axis = axisOf(values, 'latitudes');
  const { edges, length } = axis;
  if (!(defined(edges[1]) >= -90 && defined(edges[length - 1]) <= 90))
    throw new SelectionError('latitudes beyond 90 degrees cannot be drawn on a map');
  edges[0] = Math.max(-90, defined(edges[0]));
  edges[length] = Math.min(90, defined(edges[length]));
  return axis;
}

/**
 * Creates the axis of longitudes, which may jump from 360 to 0, or from 180 to -180.
 * @throws SelectionError for coordinates that are not sorted, missing, infinite, fewer than two, or that span
 * more than 360 degrees and two cells
 */
export function longitudeAxis(values: ArrayLike<number>): GridAxis {
  const axis = axisOf(unwrapped(values), 'longitudes');
  const { edges, length } = axis;
  const west = defined(edges[0]);
  const span = defined(edges[length]) - west;
  const spacing = span / length;
  if (span > 360 + 2 * spacing)
    throw new SelectionError(`longitudes that span ${span} degrees cannot be drawn on a map`);
  if (Math.abs(span - 360) < SEAM_TOLERANCE * spacing) edges[length] = west + 360;
  return axis;
}

function axisOf(values: ArrayLike<number>, name: string): GridAxis {
  const { length } = values;
  const at = (i: number): number => values[i] ?? NaN;
  if (length < 2) throw new SelectionError(`tiles require at least two ${name}`);
  const isReversed = at(length - 1) < at(0);
  const sorted = isReversed ? (i: number): number => at(length - 1 - i) : at;
  const edges = new Float64Array(length + 1);
  for (let i = 1; i < length; i++) {
    if (!(sorted(i) > sorted(i - 1)))
      throw new SelectionError(`tiles require sorted ${name} without missing values`);
    edges[i] = (sorted(i - 1) + sorted(i)) / 2;
  }
  edges[0] = sorted(0) - (sorted(1) - sorted(0)) / 2;
  edges[length] = sorted(length - 1) + (sorted(length - 1) - sorted(length - 2)) / 2;
  if (!Number.isFinite((edges[length] ?? NaN) - (edges[0] ?? NaN)))
    throw new SelectionError(`tiles require finite ${name}`);
  return { length, edges, isReversed };
}

/** Removes jumps of more than 180 degrees. */
function unwrapped(values: ArrayLike<number>): Float64Array {
  let turn = 0;
  return Float64Array.from(values, (value, i) => {
    const before = values[i - 1];
    if (before !== undefined && value - before > 180) turn -= 360;
    else if (before !== undefined && value - before < -180) turn += 360;
    return value + turn;
  });
}

/** The cell of a latitude; -1 outside the grid. */
export function cellOfLatitude(axis: GridAxis, latitude: number): number {
  return cellAt(axis, latitude);
}

/** The cell of a longitude, modulo 360 degrees; -1 outside the grid. */
export function cellOfLongitude(axis: GridAxis, longitude: number): number {
  const west = defined(axis.edges[0]);
  return cellAt(axis, longitude + 360 * Math.ceil((west - longitude) / 360));
}

function cellAt({ edges, length, isReversed }: GridAxis, value: number): number {
  if (!(value >= defined(edges[0]) && value <= defined(edges[length]))) return -1;
  const cell = firstIndexWhere(1, length, (i) => defined(edges[i]) > value) - 1;
  return isReversed ? length - 1 - cell : cell;
}

/** Mean size of a cell in degrees. */
export function spacingOf({ edges, length }: GridAxis): number {
  return (defined(edges[length]) - defined(edges[0])) / length;
}
