/** Ticks along the axes of a heat map. */
import { isSorted, positionOf } from '../array/find-label.js';
import type { Dimension } from '../array/model.js';
import type { Span } from '../state/view.js';

export interface Tick {
  /** Location in positions: the centre of cell `i` is at `i + 0.5`. */
  readonly at: number;
  readonly text: string;
}

const sortedness = new WeakMap<Float64Array, boolean>();

/** Labels for interpolation between positions; undefined if they are not sorted numbers. */
export function sortedNumbers({ labels }: Dimension): Float64Array | undefined {
  if (labels === undefined || labels.numbers.length < 2) return undefined;
  const known = sortedness.get(labels.numbers);
  const sorted = known ?? isSorted(labels.numbers);
  if (known === undefined) sortedness.set(labels.numbers, sorted);
  return sorted ? labels.numbers : undefined;
}

/** @param wanted approximate number of ticks */
export function ticksOf(dim: Dimension, [start, stop]: Span, wanted: number): readonly Tick[] {
  const { labels, sample } = dim;
  const numbers = labels?.kind === 'number' ? sortedNumbers(dim) : undefined;
  if (numbers !== undefined) return numberTicks(dim, numbers, [start, stop], wanted);
  if (sample !== undefined) {
    const sampled = sampledTicks(sample, [start, stop], wanted);
    if (sampled.length > 1) return sampled;
  }
  const step = Math.max(1, niceStep((stop - start) / wanted));
  const ticks: Tick[] = [];
  for (let i = Math.ceil(start / step) * step; i < stop; i += step)
    ticks.push({ at: i + 0.5, text: labels?.text(i) ?? String(i) });
  return ticks;
}

/** Ticks at the sampled positions, whose labels are known. */
function sampledTicks(
  { step: unit, labels }: NonNullable<Dimension['sample']>,
  [start, stop]: Span,
  wanted: number,
): readonly Tick[] {
  const step = unit * Math.max(1, Math.ceil((stop - start) / wanted / unit));
  const ticks: Tick[] = [];
  for (let i = Math.ceil(start / step) * step; i < stop; i += step)
    ticks.push({ at: i + 0.5, text: labels.text(i / unit) });
  return ticks;
}

function numberTicks(
  dim: Dimension,
  numbers: Float64Array,
  [start, stop]: Span,
  wanted: number,
): readonly Tick[] {
  const ends = [numbers[start] ?? 0, numbers[stop - 1] ?? 0];
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const isAngle = dim.role === 'longitude' || dim.role === 'latitude';
  const step = isAngle ? niceAngle((high - low) / wanted) : niceStep((high - low) / wanted);
  if (!(step > 0) || (high - low) / step > 1000) return [];
  const ticks: Tick[] = [];
  for (let n = Math.ceil(low / step); n * step <= high; n++) {
    const value = Number((n * step).toPrecision(12));
    const at = positionOf(numbers, value);
    if (at !== undefined) ticks.push({ at: at + 0.5, text: labelText(dim, value) });
  }
  return ticks;
}

/** Formats longitudes as 20°E and latitudes as 5°S. */
export function labelText({ role }: Pick<Dimension, 'role'>, value: number): string {
  if (role === 'latitude') return value === 0 ? '0°' : `${Math.abs(value)}°${value > 0 ? 'N' : 'S'}`;
  if (role !== 'longitude') return String(value);
  const around = ((((value + 180) % 360) + 360) % 360) - 180;
  if (around === 0 || Math.abs(around) === 180) return `${Math.abs(around)}°`;
  return `${Number(Math.abs(around).toPrecision(8))}°${around > 0 ? 'E' : 'W'}`;
}

/** The smallest 1, 2 or 5 times a power of ten that is at least `step`. */
export function niceStep(step: number): number {
  if (!(step > 0) || !Number.isFinite(step)) return 0;
  const power = 10 ** Math.floor(Math.log10(step));
  const times = step / power;
  return (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10) * power;
}

function niceAngle(step: number): number {
  return [1, 2, 5, 10, 15, 30, 45, 60, 90].find((each) => step > 0.5 && each >= step) ?? niceStep(step);
}
