'use client';
/**
 * Hooks for React: `zarrql-client/react`. Arguments are compared by value, so they may be created during rendering:
 * slices of `lazySlice` and `compute` by client, store, path, expression and operations, options by their JSON. Other
 * objects with the same methods are compared by identity and must be memoised.
 */
import { useEffect, useState, useRef } from 'react';
import type { LineOptions, LinePoints, Statistics, StatisticsOptions } from '../analysis/index.js';
import { keyOf } from '../analysis/load.js';
import type { SliceOptions } from '../handles/array-handle.js';

export type { ElementRef, Loaded };

export interface UseLineOptions<N extends string = string> extends Omit<
  LineOptions<N>,
  'width' | 'signal' | 'inParts'
> {
  /** Width of the chart in pixels. @default the width of the element that has `ref` */
  readonly width?: number | undefined;
  /** Time in ms without a change of the width before a new line is requested. @default 100 */
  readonly debounceMs?: number | undefined;
}

export interface LoadedLine<P extends LinePoints = LinePoints> extends Loaded<P> {
  /** Receives the element that determines the width: `<div ref={ref}>`. */
  readonly ref: ElementRef;
}

/**
 * The values of a slice.
 * @example
 * const { data, error, isLoading } = useSlice(lazySlice(sst).mean('TIME'));
 */
export function useSlice<T>(
  slice: { read(options?: SliceOptions): Promise<T> } | undefined,
  { coordinates, timeoutMs }: Omit<SliceOptions, 'signal' | 'inParts'> = {},
): Loaded<T> {
  const key = slice && keyOf(slice, [coordinates, timeoutMs]);
  return useRequest(
    key,
    slice && ((signal) => slice.read({ coordinates, timeoutMs, signal, inParts: true })),
  );
}

/**
 * The points of a line chart, at the width of an element.
 * @example
 * const { ref, data, isLoading } = useLine(lazySlice(sst, { COADSY: { at: 1 }, COADSX: { at: 181 } }));
 * return <div ref={ref}>{data && <Chart x={data.x} y={data.y} dim={isLoading} />}</div>;
 */
export function useLine<N extends string, P extends LinePoints>(
  slice: { line(options: LineOptions<N>): Promise<P> } | undefined,
  { width: fixed, along, from, to, method, timeoutMs, debounceMs = 100 }: UseLineOptions<NoInfer<N>> = {},
): LoadedLine<P> {
  const [ref, measured] = useWidth(debounceMs);
  const width = fixed ?? measured;
  const key = slice && keyOf(slice, [width, along, from, to, method, timeoutMs]);
  const load =
    slice === undefined || width === undefined
      ? undefined
      : (signal: AbortSignal) =>
          slice.line({ width, along, from, to, method, timeoutMs, signal, inParts: true });
  return { ref, ...useRequest(key, load) };
}

/**
 * Statistics of all values of a slice.
 * @example
 * const { data } = useStatistics(lazySlice(sst), { quantiles: [0.02, 0.98] });
 */
export function useStatistics(
  slice: { statistics(options?: StatisticsOptions): Promise<Statistics> } | undefined,
  { quantiles, histogram, timeoutMs }: Omit<StatisticsOptions, 'signal' | 'inParts'> = {},
): Loaded<Statistics> {
  const key = slice && keyOf(slice, [quantiles, histogram?.bins, histogram?.range, timeoutMs]);
  return useRequest(
    key,
    slice && ((signal) => slice.statistics({ quantiles, histogram, timeoutMs, signal, inParts: true })),
  );
}

/** The members of the browser's class that this module uses; undefined on servers. */
declare const ResizeObserver:
  | (new (report: (entries: readonly { readonly contentRect: { readonly width: number } }[]) => void) => {
      observe(element: Element): void;
      disconnect(): void;
    })
  | undefined;

type ElementRef = (element: Element | null) => void;

/**
 * The width of an element in CSS pixels, rounded; undefined until the first layout. Returns the first width
 * immediately, and later widths after `debounceMs` without a change. The width of a hidden element does not change.
 */
function useWidth(debounceMs: number): readonly [ref: ElementRef, width: number | undefined] {
  const [element, setElement] = useState<Element | null>(null);
  const [width, setWidth] = useState<number>();
  useEffect(() => {
    if (element === null || typeof ResizeObserver === 'undefined') return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isFirst = true;
    const observer = new ResizeObserver((entries) => {
      const next = Math.round(entries.at(-1)?.contentRect.width ?? 0);
      if (next < 1) return;
      clearTimeout(timer);
      if (isFirst) setWidth(next);
      else timer = setTimeout(() => setWidth(next), debounceMs);
      isFirst = false;
    });
    observer.observe(element);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [element, debounceMs]);
  return [setElement, width];
}

interface Loaded<T> {
  /**
   * The last received values, also during the next request and after an error. Undefined without a slice.
   */
  readonly data: T | undefined;
  /**
   * The error of the last request, for example a GatewayError with a `code`; undefined after another request
   * has succeeded.
   */
  readonly error: Error | undefined;
  /** Whether the result for the current arguments is pending, also while the width of the element is unknown. */
  readonly isLoading: boolean;
}

interface State<T> {
  /** The request of `data` or `error`; undefined during the next request. */
  readonly key?: string | undefined;
  readonly data?: T | undefined;
  readonly error?: Error | undefined;
}

const empty = {};

/**
 * Sends a request whenever `key` changes, and aborts it when the key changes again or the component unmounts. Effects
 * do not run on a server, so nothing is sent there.
 *
 * @param key identifies the request; undefined to send nothing
 * @param load undefined if an input of the request is missing
 */
function useRequest<T>(
  key: string | undefined,
  load: ((signal: AbortSignal) => Promise<T>) | undefined,
): Loaded<T> {
  const [state, setState] = useState<State<T>>(empty);
  const latest = useRef(load);
  // Must come before the next effect, which calls it.
  useEffect(() => {
    latest.current = load;
  });
  const ready = load !== undefined;
  useEffect(() => {
    if (key === undefined) return setState(empty);
    setState((last) => (last.key === undefined ? last : { ...last, key: undefined }));
    if (!ready) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    const start = async () => latest.current?.(signal);
    start().then(
      (data) => {
        if (!signal.aborted) setState({ key, data });
      },
      (reason: unknown) => {
        const error = reason instanceof Error ? reason : new Error(String(reason), { cause: reason });
        if (!signal.aborted) setState((last) => ({ key, data: last.data, error }));
      },
    );
    return () => stop.abort();
  }, [key, ready]);
  if (key === undefined) return { data: undefined, error: undefined, isLoading: false };
  return { data: state.data, error: state.error, isLoading: state.key !== key };
}
