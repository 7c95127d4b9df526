/** Ticks of a colour scale with their labels: round numbers, the ends of the range, or dates. Pure. */
import { type DataType, formatDatetimes } from '../../zarr/index.js';
import type { ScalePainting } from '../paint/painting.js';

type TimeType = Extract<DataType, { readonly unit: unknown }>;

export interface ScaleTick {
  /** Position on the scale: 0 is the first colour, 1 the last. */
  readonly share: number;
  readonly label: string;
}

/** The ticks in ascending order: at most `most` numbers, or three dates. */
export function scaleTicks(painting: ScalePainting, dtype: DataType, most: number): readonly ScaleTick[] {
  if (dtype.name === 'numpy.datetime64') return dateTicks(painting, dtype);
  return painting.log === true ? logTicks(painting, most) : linearTicks(painting, most);
}

/** Relative rounding tolerance. */
const TOLERANCE = 1e-9;

function linearTicks({ min, max }: ScalePainting, most: number): readonly ScaleTick[] {
  const span = max - min;
  const step = roundStep(span / Math.max(1, most - 1));
  const first = Math.ceil(min / step - TOLERANCE);
  const last = Math.floor(max / step + TOLERANCE);
  // The range contains fewer than two multiples of the step, or is so small relative to its values that
  // rounding would merge the ticks.
  if (!(last > first && last - first <= most)) return endTicks(min, max);
  return Array.from({ length: last - first + 1 }, (_, i) => {
    const value = (first + i) * step;
    return { share: clamped((value - min) / span), label: decimal(value, step) };
  });
}

/** The smallest number of the form 1, 2 or 5 times a power of ten that is at least `least`. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return (
    [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least * (1 - TOLERANCE)) ?? least
  );
}

/**
 * Creates ticks at powers of ten. If there are too few, creates ticks at 1, 2 and 5 times powers of ten, or
 * at the ends.
 */
function logTicks({ min, max }: ScalePainting, most: number): readonly ScaleTick[] {
  const [low, high] = [Math.log10(min), Math.log10(max)];
  const powers = between(Math.ceil(low - TOLERANCE), Math.floor(high + TOLERANCE));
  const every = Math.ceil(powers.length / most);
  const share = (value: number): number => clamped((Math.log10(value) - low) / (high - low));
  if (powers.length > 2)
    return powers
      .filter((power) => power % every === 0)
      .map((power) => ({ share: clamped((power - low) / (high - low)), label: powerOfTen(power) }));
  const values = between(Math.floor(low), Math.floor(high))
    .flatMap((power) => [1, 2, 5].map((factor) => factor * 10 ** power))
    .filter((value) => value >= min * (1 - TOLERANCE) && value <= max * (1 + TOLERANCE));
  if (values.length < 2 || values.length > most) return endTicks(min, max);
  return values.map((value) => ({ share: share(value), label: significant(value) }));
}

function between(first: number, last: number): readonly number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
}

function endTicks(min: number, max: number): readonly ScaleTick[] {
  return [
    { share: 0, label: significant(min) },
    { share: 1, label: significant(max) },
  ];
}

/** The first, the middle and the last date, with the precision in which they differ. */
function dateTicks({ min, max }: ScalePainting, dtype: TimeType): readonly ScaleTick[] {
  const counts = [min, min + (max - min) / 2, max].map((count) => BigInt(Math.round(count)));
  const texts = formatDatetimes(BigInt64Array.from(counts), dtype).map((text) => text ?? '');
  const [first = '', , last = ''] = texts;
  const days = (Date.parse(last) - Date.parse(first)) / 86_400_000;
  const characters = days > 730 ? 7 : days > 3 ? 10 : days > 0.01 ? 16 : undefined;
  const year = /^[+-]?\d+/.exec(first)?.[0].length ?? 4;
  return texts.map((text, i) => ({
    share: i / 2,
    label: text.slice(0, characters === undefined ? undefined : characters + year - 4).replace('T', ' '),
  }));
}

/**
 * Formats a number with as many decimals as the step; very large numbers and small steps as `significant`
 * does.
 */
function decimal(value: number, step: number): string {
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + TOLERANCE));
  const size = Math.abs(value);
  if (size >= 1e7 || decimals > 6) return significant(value);
  return withMinus(Number(value.toFixed(decimals)) === 0 ? '0' : value.toFixed(decimals));
}

/** Formats a number with up to 4 significant digits. */
function significant(value: number): string {
  const size = Math.abs(value);
  if (value === 0 || (size >= 1e-4 && size < 1e7)) return withMinus(String(Number(value.toPrecision(4))));
  const [digits = '', power = ''] = value.toExponential(3).split('e');
  return `${withMinus(String(Number(digits)))}·10${superscript(Number(power))}`;
}

function powerOfTen(power: number): string {
  if (power >= 0 && power < 6) return String(10 ** power);
  return power < 0 && power > -5 ? (10 ** power).toFixed(-power) : `10${superscript(power)}`;
}

function superscript(power: number): string {
  const digits = String(Math.abs(power))
    .split('')
    .map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.charAt(Number(digit)));
  return `${power < 0 ? '⁻' : ''}${digits.join('')}`;
}

function withMinus(text: string): string {
  return text.replace('-', '−');
}

function clamped(share: number): number {
  return Math.min(1, Math.max(0, share));
}
