/** Reads the points of a line at the width of the chart. */
import { datesInSeconds, toNumbers } from '../array/labels.js';
import type { ArrayModel, Dimension } from '../array/model.js';
import { lazyOf } from '../array/read-recipe.js';
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
  const isText = along.labels?.kind === 'text';
  const recipe = recipeOf(model, view, { [along.key]: 'all' });
  const label = (end: number | undefined) =>
    end === undefined
      ? undefined
      : along.role === 'time' && !isText
        ? new Date(Math.round(end * 1000))
        : isText
          ? textAt(along, end)
          : end;
  const points = await lazyOf(recipe).line({ width, from: label(range?.[0]), to: label(range?.[1]), signal });
  const isDate = points.x.dtype === 'numpy.datetime64';
  const x = isDate ? datesInSeconds(points.x) : (toNumbers(points.x) ?? positionsOf(along, points.x));
  const y = toNumbers(points.y);
  if (y === undefined)
    throw new TypeError(`values of type ${points.y.dtype} cannot be drawn as a line; see the table`);
  const hasDates = points.y.dtype === 'numpy.datetime64';
  return { ...ascending(Float64Array.from(x), Float64Array.from(y)), isDate, hasDates };
}

function textAt({ labels, size }: Dimension, end: number): string | undefined {
  return labels?.text(Math.min(size - 1, Math.max(0, Math.round(end))));
}

/** Dates of non-standard calendars are text, so they are drawn at their positions. */
function positionsOf({ labels }: Dimension, texts: Iterable<unknown>): Float64Array {
  const places = new Map<string, number>();
  for (let i = 0; i < (labels?.size ?? 0); i++) places.set(labels?.text(i) ?? '', i);
  return Float64Array.from(texts, (text, i) => places.get(String(text)) ?? i);
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
  const { at, over, range } = view;
  return JSON.stringify([
    model.store,
    model.path,
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
