/** Reads the points of a line at the width of the chart. */
import type { AnyNDArray } from 'zarrql-client';
import { datesInSeconds, toNumbers } from '../array/labels.js';
import type { ArrayModel, Dimension } from '../array/model.js';
import { lazyOf } from '../array/read-recipe.js';
import type { Recipe } from '../array/recipe.js';
import { recipeOf } from '../array/slice-of-view.js';
import type { Span, View } from '../state/view.js';

export interface LoadedLine {
  /** Ascending. Seconds since 1970 for dates; positions if the dimension has no numeric or date coordinate. */
  readonly x: Float64Array;
  /** NaN where missing. */
  readonly y: Float64Array;
  readonly isDate: boolean;
  /** Whether the values are dates, in seconds since 1970. */
  readonly hasDates: boolean;
}

export async function loadLine(
  model: ArrayModel,
  view: View,
  along: Dimension,
  width: number,
  signal: AbortSignal,
): Promise<LoadedLine> {
  const { range } = view;
  const recipe = recipeOf(model, view, { [along.key]: 'all' });
  if (along.labels?.kind === 'text') return loadWhole(recipe, signal);
  const label = (end: number | undefined) =>
    end === undefined || along.role !== 'time' || !recipe.decode ? end : new Date(Math.round(end * 1000));
  const points = await lazyOf(recipe).line({ width, from: label(range?.[0]), to: label(range?.[1]), signal });
  const isDate = points.x.dtype === 'numpy.datetime64';
  // Dates of other calendars in coordinates that are too long to be loaded: points at equal distances.
  const x = isDate
    ? datesInSeconds(points.x)
    : (toNumbers(points.x) ?? Float64Array.from({ length: points.x.size }, (_, i) => i));
  return {
    ...ascending(Float64Array.from(x), Float64Array.from(heightsOf(points.y))),
    isDate,
    hasDates: hasDates(points.y),
  };
}

/**
 * Labels that are text (names, and dates of other calendars) have no x-value: each value is drawn at its
 * position.
 */
async function loadWhole(recipe: Recipe, signal: AbortSignal): Promise<LoadedLine> {
  const values = await lazyOf(recipe).read({ coordinates: false, signal });
  const y = Float64Array.from(heightsOf(values));
  return { x: Float64Array.from(y, (_, i) => i), y, isDate: false, hasDates: hasDates(values) };
}

function heightsOf(values: AnyNDArray): Float32Array | Float64Array {
  const numbers = toNumbers(values);
  if (numbers === undefined)
    throw new TypeError(`values of type ${values.dtype} cannot be drawn as a line; see the table`);
  return numbers;
}

function hasDates({ dtype }: AnyNDArray): boolean {
  return dtype === 'numpy.datetime64';
}

/** Reverses descending coordinates, and drops points without an x-value. */
function ascending(x: Float64Array, y: Float64Array): Pick<LoadedLine, 'x' | 'y'> {
  const places = [...x.keys()].filter((i) => !Number.isNaN(x[i] ?? Number.NaN));
  if ((x[places[0] ?? 0] ?? 0) > (x[places.at(-1) ?? 0] ?? 0)) places.reverse();
  return {
    x: Float64Array.from(places, (i) => x[i] ?? Number.NaN),
    y: Float64Array.from(places, (i) => y[i] ?? Number.NaN),
  };
}

export function lineKey(
  model: ArrayModel,
  view: View,
  along: Dimension,
  width: number,
  version: number,
): string {
  const { at, over, range, field } = view;
  return JSON.stringify([
    model.store,
    model.path,
    field,
    along.key,
    { ...at, [along.key]: 0 },
    over,
    range,
    width,
    version,
  ]);
}

/** Both ends of the visible range. */
export function extentOf({ x }: LoadedLine): Span | undefined {
  const [first, last] = [x[0], x.at(-1)];
  return first === undefined || last === undefined || first >= last ? undefined : [first, last];
}
