/** Orientation and aspect ratio of a heat map. */
import type { Dimension } from '../array/model.js';
import type { Span } from '../state/view.js';
import { sortedNumbers } from './ticks.js';

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
 * Width divided by height of the visible part: in degrees for maps, in cells for images. Undefined if the axes have
 * different quantities.
 */
export function aspectOf(x: Dimension, y: Dimension, spanX: Span, spanY: Span): number | undefined {
  if (x.role === 'longitude' && y.role === 'latitude') {
    const [across, up] = [extentOf(x, spanX), extentOf(y, spanY)];
    return across === undefined || up === undefined ? undefined : across / up;
  }
  if (x.labels !== undefined || y.labels !== undefined) return undefined;
  const aspect = (spanX[1] - spanX[0]) / (spanY[1] - spanY[0]);
  // Excludes tables with long rows.
  return aspect > 0.2 && aspect < 5 ? aspect : undefined;
}

function extentOf(dim: Dimension, [start, stop]: Span): number | undefined {
  const numbers = sortedNumbers(dim);
  if (numbers === undefined) return undefined;
  const step = Math.abs((numbers.at(-1) ?? 0) - (numbers[0] ?? 0)) / Math.max(1, numbers.length - 1);
  return Math.abs((numbers[stop - 1] ?? 0) - (numbers[start] ?? 0)) + step;
}
