/** Zooms and scrolls a heat map, in whole positions. */
import type { Span } from '../state/view.js';

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
