/** A line chart that shows every peak, with more detail at higher zoom levels. */
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { liveVersion } from '../array/live.js';
import { lazyOf } from '../array/read-recipe.js';
import { type ArrayModel, type Dimension, titleOf, unitsOf } from '../array/model.js';
import { useLoad } from '../gateway/use-load.js';
import { countText, shortNumber } from '../parts/format.js';
import { Problem } from '../parts/problem.js';
import { Progress, useBusy, useWidth } from '../parts/progress.js';
import { labelText } from '../plane/ticks.js';
import { change, view, isTakenAsDark } from '../state/current.js';
import { dateText, dateTicks } from './date-ticks.js';

import type { AnyNDArray } from 'zarrql-client';
import { datesInSeconds, toNumbers } from '../array/labels.js';
import type { Recipe } from '../array/recipe.js';
import { dtypeOf, recipeOf } from '../array/slice-of-view.js';
import type { Span, View } from '../state/view.js';

interface LoadedLine {
  /** Ascending. Seconds since 1970 for dates; positions if the dimension has no numeric or date coordinate. */
  readonly x: Float64Array;
  /** NaN where missing. */
  readonly y: Float64Array;
  readonly isDate: boolean;
  /** Whether the values are dates, in seconds since 1970. */
  readonly hasDates: boolean;
}

async function loadLine(
  model: ArrayModel,
  view: View,
  along: Dimension,
  width: number,
  signal: AbortSignal,
): Promise<LoadedLine> {
  const { range } = view;
  const recipe = recipeOf(model, view, { [along.key]: 'all' });
  if (along.labels?.kind === 'text' || dtypeOf(model, view).startsWith('complex'))
    return loadWhole(recipe, view.part, signal);
  const label = (end: number | undefined) =>
    end === undefined || along.role !== 'time' || !recipe.decode ? end : new Date(Math.round(end * 1000));
  const points = await lazyOf(recipe).line({ width, from: label(range?.[0]), to: label(range?.[1]), signal });
  const isDate = points.x.dtype === 'numpy.datetime64';
  // Text, such as dates of other calendars, in coordinates that are too long to be loaded: points at equal distances.
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
 * Labels that are text (names, and dates of other calendars) have no x-value: each value is drawn at its position. So
 * are complex values, of which the gateway computes no lines.
 */
async function loadWhole(recipe: Recipe, part: View['part'], signal: AbortSignal): Promise<LoadedLine> {
  const values = await lazyOf(recipe).read({ coordinates: false, signal });
  const y = Float64Array.from(heightsOf(values, part));
  return { x: Float64Array.from(y, (_, i) => i), y, isDate: false, hasDates: hasDates(values) };
}

function heightsOf(values: AnyNDArray, part?: View['part']): Float32Array | Float64Array {
  const numbers = toNumbers(values, part);
  if (numbers === undefined)
    throw new TypeError(`values of type ${values.dtype} cannot be drawn as a line; see the table`);
  return numbers;
}

function hasDates({ dtype }: AnyNDArray): boolean {
  return dtype === 'numpy.datetime64';
}

/** Reverses descending coordinates, and drops points without an x-value. */
function ascending(x: Float64Array, y: Float64Array): Pick<LoadedLine, 'x' | 'y'> {
  const positions = [...x.keys()].filter((i) => !Number.isNaN(x[i] ?? Number.NaN));
  if ((x[positions[0] ?? 0] ?? 0) > (x[positions.at(-1) ?? 0] ?? 0)) positions.reverse();
  return {
    x: Float64Array.from(positions, (i) => x[i] ?? Number.NaN),
    y: Float64Array.from(positions, (i) => y[i] ?? Number.NaN),
  };
}

function lineKey(model: ArrayModel, view: View, along: Dimension, width: number, version: number): string {
  const { at, over, range, field, part } = view;
  return JSON.stringify([
    model.store,
    model.path,
    field,
    part,
    along.key,
    { ...at, [along.key]: 0 },
    over,
    range,
    width,
    version,
  ]);
}

/** The ends of the line along the x-axis. */
function extentOf({ x }: LoadedLine): Span | undefined {
  const [first, last] = [x[0], x.at(-1)];
  return first === undefined || last === undefined || first >= last ? undefined : [first, last];
}

const HEIGHT = 340;
const REFINE_AFTER_MS = 100;

interface LineViewProps {
  readonly model: ArrayModel;
  readonly along: Dimension;
}

export function LineView({ model, along }: LineViewProps) {
  const current = view.value;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const pixels = Math.max(50, Math.min(4000, Math.round(width * Math.min(2, devicePixelRatio || 1))));
  const key = width === 0 ? undefined : lineKey(model, current, along, pixels, liveVersion.value);
  const loaded = useLoad(
    key,
    (signal) => loadLine(model, current, along, pixels, signal),
    REFINE_AFTER_MS,
    0,
  );
  useBusy(width > 0 && !loaded.isCurrent);
  const title = titleOf(model);
  const { data } = loaded;
  useChart(box, data, along, `${title} ${unitsOf(model)}`, width, isTakenAsDark.value);
  return (
    <section class="line" aria-label={`Line of ${title} along ${along.key}`}>
      <h3>
        {title} {unitsOf(model) !== '' && <span class="units">{unitsOf(model)}</span>}
      </h3>
      <div ref={box} class="line-box" data-points={data?.x.length} />
      <Progress since={loaded.since} what={`Reading ${title}`} cancel={loaded.cancel} />
      <Problem error={loaded.error} retry={loaded.retry} />
      {data !== undefined && <Summary line={data} along={along} />}
    </section>
  );
}

function Summary({ line, along }: { readonly line: LoadedLine; readonly along: Dimension }) {
  const { range } = view.value;
  let [min, max] = [Infinity, -Infinity];
  for (const value of line.y)
    if (!Number.isNaN(value)) [min, max] = [Math.min(min, value), Math.max(max, value)];
  const yText = (value: number) => (line.hasDates ? dateText(value, 1) : shortNumber(value));
  return (
    <p class="note">
      {countText(line.x.length)} points for {countText(along.size)} values; every peak is kept.
      {min <= max && ` From ${yText(min)} to ${yText(max)}.`} Drag to zoom.
      {range !== undefined && (
        <>
          {' '}
          <button type="button" onClick={() => change({ range: undefined })}>
            Show all
          </button>
        </>
      )}
    </p>
  );
}

function useChart(
  box: { readonly current: HTMLDivElement | null },
  line: LoadedLine | undefined,
  along: Dimension,
  title: string,
  width: number,
  isDark: boolean,
): void {
  useEffect(() => {
    const element = box.current;
    if (element === null || line === undefined || width === 0) return undefined;
    const colour = isDark ? '#d5d9de' : '#30343a';
    const grid = { stroke: isDark ? '#3a3f45' : '#e3e6e9', width: 1 };
    const isText = along.labels?.kind === 'text';
    const xText = (value: number) =>
      isText ? (along.labels?.text(Math.round(value)) ?? '') : labelText(along, Number(value.toPrecision(8)));
    const range = view.peek().range ?? extentOf(line);
    const chart = new uPlot(
      {
        width,
        height: HEIGHT,
        pxAlign: false,
        legend: { show: true },
        scales: { x: { time: false, ...(range === undefined ? {} : { min: range[0], max: range[1] }) } },
        axes: [
          {
            stroke: colour,
            grid,
            ticks: grid,
            // Wide enough for positions of nine digits.
            space: 90,
            ...(line.isDate
              ? {
                  splits: (_: uPlot, _axis: number, from: number, to: number) => [
                    ...dateTicks(from, to, width / 130),
                  ],
                  values: (_: uPlot, ticks: number[]) =>
                    ticks.map((tick) => dateText(tick, (ticks[1] ?? tick) - (ticks[0] ?? tick))),
                }
              : { values: (_: uPlot, ticks: number[]) => ticks.map(xText) }),
          },
          {
            stroke: colour,
            grid,
            ticks: grid,
            size: line.hasDates ? 90 : 64,
            ...(line.hasDates
              ? { values: (_: uPlot, ticks: number[]) => ticks.map((tick) => dateText(tick, 86_400)) }
              : {}),
          },
        ],
        series: [
          {
            label: along.key,
            value: (_: uPlot, value: number | null) =>
              value === null ? '' : line.isDate ? dateText(value, 1) : xText(value),
          },
          {
            label: title,
            stroke: isDark ? '#6fc3ff' : '#1565c0',
            width: 1,
            ...(line.hasDates
              ? { value: (_: uPlot, value: number | null) => (value === null ? '' : dateText(value, 1)) }
              : {}),
            spanGaps: false,
            points: { show: line.x.length < width / 6 },
          },
        ],
        cursor: { drag: { x: true, y: false, setScale: false } },
        hooks: {
          setSelect: [
            (plot) => {
              const { left, width: length } = plot.select;
              if (length < 3) return;
              change({ range: [plot.posToVal(left, 'x'), plot.posToVal(left + length, 'x')] });
            },
          ],
        },
      },
      [[...line.x], [...line.y].map((value) => (Number.isNaN(value) ? null : value))],
      element,
    );
    const reset = () => change({ range: undefined });
    chart.over.addEventListener('dblclick', reset);
    return () => chart.destroy();
  }, [line, along, title, width, isDark]);
}
