'use client';
/**
 * Hooks for React: `zarrql-client/react`. Arguments are compared by value, so they may be created during rendering: slices of
 * `lazySlice` by client, store, path and operations, options by their JSON. Other objects with the same methods are compared
 * by identity and must be memoised.
 */
import type { LineOptions, LinePoints, Statistics, StatisticsOptions } from '../analysis/index.js';
import { keyOf } from '../analysis/slice-key.js';
import type { SliceOptions } from '../handles/array-handle.js';
import { useRequest, type Loaded } from './use-request.js';
import { useWidth, type ElementRef } from './use-width.js';

export type { ElementRef, Loaded };

export interface UseLineOptions<N extends string = string> extends Omit<LineOptions<N>, 'width' | 'signal'> {
  /** Width of the chart in pixels. @default the width of the element that has `ref` */
  readonly width?: number | undefined;
  /** The width is used after it has been stable for this time, in ms. @default 100 */
  readonly debounceMs?: number | undefined;
}

export interface LoadedLine extends Loaded<LinePoints> {
  /** Pass it as `ref` to the element that determines the width. */
  readonly ref: ElementRef;
}

/**
 * The values of a slice.
 * @example
 * const { data, error, isLoading } = useSlice(lazySlice(sst).mean('TIME'));
 */
export function useSlice<T>(
  slice: { read(options?: SliceOptions): Promise<T> } | undefined,
  { coordinates, timeoutMs }: Omit<SliceOptions, 'signal'> = {},
): Loaded<T> {
  const key = slice && keyOf(slice, [coordinates, timeoutMs]);
  return useRequest(key, slice && ((signal) => slice.read({ coordinates, timeoutMs, signal })));
}

/**
 * The points of a line chart, at the width of an element.
 * @example
 * const { ref, data, isLoading } = useLine(lazySlice(sst, { COADSY: { at: 1 }, COADSX: { at: 181 } }));
 * return <div ref={ref}>{data && <Chart x={data.x} y={data.y} dim={isLoading} />}</div>;
 */
export function useLine<N extends string>(
  slice: { line(options: LineOptions<N>): Promise<LinePoints> } | undefined,
  { width: given, along, from, to, method, timeoutMs, debounceMs = 100 }: UseLineOptions<NoInfer<N>> = {},
): LoadedLine {
  const [ref, measured] = useWidth(debounceMs);
  const width = given ?? measured;
  const key = slice && keyOf(slice, [width, along, from, to, method, timeoutMs]);
  const load =
    slice === undefined || width === undefined
      ? undefined
      : (signal: AbortSignal) => slice.line({ width, along, from, to, method, timeoutMs, signal });
  return { ref, ...useRequest(key, load) };
}

/**
 * Statistics of all values of a slice.
 * @example
 * const { data } = useStatistics(lazySlice(sst), { quantiles: [0.02, 0.98] });
 */
export function useStatistics(
  slice: { statistics(options?: StatisticsOptions): Promise<Statistics> } | undefined,
  { quantiles, histogram, timeoutMs }: Omit<StatisticsOptions, 'signal'> = {},
): Loaded<Statistics> {
  const key = slice && keyOf(slice, [quantiles, histogram?.bins, histogram?.range, timeoutMs]);
  return useRequest(
    key,
    slice && ((signal) => slice.statistics({ quantiles, histogram, timeoutMs, signal })),
  );
}
