/** Zooms and scrolls a heat map, in whole positions. */
import { signal } from '@preact/signals';
import type { Dimension } from '../array/model.js';
import type { Span } from '../state/view.js';
import { sortedNumbers } from './ticks.js';

/** Minimum length of the visible span, in positions. */
const MIN_LENGTH = 4;

/** Zooms around a point of the span, from 0 to 1. A factor below 1 zooms in. */
export function zoom([start, stop]: Span, size: number, factor: number, around: number): Span {
  const length = stop - start;
  const wanted = Math.min(size, Math.max(Math.min(MIN_LENGTH, size), Math.round(length * factor)));
  const from = Math.round(start + around * (length - wanted));
  return clamp([from, from + wanted], size);
}

export function scroll([start, stop]: Span, size: number, by: number): Span {
  const shift = Math.round(by);
  return clamp([start + shift, stop + shift], size);
}

/** Moves a span into the array. Keeps its length if it fits. */
export function clamp([start, stop]: Span, size: number): Span {
  const length = Math.min(stop - start, size);
  const first = Math.min(Math.max(0, start), size - length);
  return [first, first + length];
}

/**
 * The size in pixels that fits into a box. With an aspect (width / height of the content), keeps the content
 * undistorted.
 */
export function fit(
  width: number,
  maxHeight: number,
  aspect: number | undefined,
): { readonly width: number; readonly height: number } {
  if (aspect === undefined || !Number.isFinite(aspect) || aspect <= 0)
    return { width, height: Math.min(maxHeight, Math.max(220, Math.round(width * 0.5))) };
  const height = width / aspect;
  if (height <= maxHeight) return { width, height: Math.max(40, Math.round(height)) };
  return { width: Math.max(40, Math.round(maxHeight * aspect)), height: maxHeight };
}

/**
 * Whether row 0 is drawn at the bottom. Coordinates increase upwards, except depths; rows without coordinates increase
 * downwards.
 */
export function isFlipped(y: Dimension): boolean {
  const numbers = sortedNumbers(y);
  if (numbers === undefined) return false;
  const rises = (numbers.at(-1) ?? 0) > (numbers[0] ?? 0);
  return rises !== y.isDownwards;
}

/**
 * Width divided by height of the visible part: in degrees for longitudes and latitudes, in cells for axes without
 * labels. Undefined for other axes, and for very long rows or columns.
 */
export function aspectOf(x: Dimension, y: Dimension, spanX: Span, spanY: Span): number | undefined {
  if (x.role === 'longitude' && y.role === 'latitude') {
    const [across, up] = [extentOf(x, spanX), extentOf(y, spanY)];
    return across === undefined || up === undefined ? undefined : across / up;
  }
  if (x.labels !== undefined || y.labels !== undefined) return undefined;
  const aspect = (spanX[1] - spanX[0]) / (spanY[1] - spanY[0]);
  // Excludes data with very long rows, such as tables.
  return aspect > 0.2 && aspect < 5 ? aspect : undefined;
}

function extentOf(dim: Dimension, [start, stop]: Span): number | undefined {
  const numbers = sortedNumbers(dim);
  if (numbers === undefined) return undefined;
  const step = Math.abs((numbers.at(-1) ?? 0) - (numbers[0] ?? 0)) / Math.max(1, numbers.length - 1);
  return Math.abs((numbers[stop - 1] ?? 0) - (numbers[start] ?? 0)) + step;
}

/** The cell under the pointer, shared by pictures shown side by side. */
export const hovered = signal<{ readonly x: number; readonly y: number } | undefined>(undefined);
