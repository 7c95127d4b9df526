/**
 * Datetimes as text, in the format of NumPy's `datetime_as_string`: proleptic Gregorian calendar, no time
 * zone, as many digits as the unit has (`1970`, `1970-01`, `1970-01-01T00`, `1970-01-01T00:00:00.000000000`).
 * Weeks are written as days. Years take at least four characters including the sign (`-001`, `10000`). Exact
 * for all 64-bit counts.
 */
import { defined } from './guards.js';
import { dateText, daysBeforeMonth, yearText } from './calendar.js';
import { NAT, type TimeUnit, unitsPerDay } from './data-types.js';

/** Text that represents NaT ("not a time"). */
const NAT_TEXT = 'NaT';

/** The unit of a count: one count is `scale` x `unit`. */
export interface TimeStep {
  readonly unit: TimeUnit;
  readonly scale: number;
}

/** Number of decimals of a second for each unit, and number of fields of `HH:MM:SS`. */
interface Clock {
  readonly decimals: number;
  readonly fields: 1 | 2 | 3;
}

const clocks: Readonly<Partial<Record<TimeUnit, Clock>>> = {
  h: { decimals: 0, fields: 1 },
  m: { decimals: 0, fields: 2 },
  s: { decimals: 0, fields: 3 },
  ms: { decimals: 3, fields: 3 },
  us: { decimals: 6, fields: 3 },
  ns: { decimals: 9, fields: 3 },
  ps: { decimals: 12, fields: 3 },
  fs: { decimals: 15, fields: 3 },
  as: { decimals: 18, fields: 3 },
};

/**
 * @param count number of steps of `scale` x `unit` since 1970-01-01T00:00
 * @returns `NaT` for -2^63; the number for the generic unit, which has no calendar
 */
export function formatDatetime(count: bigint, { unit, scale }: TimeStep): string {
  if (count === NAT) return NAT_TEXT;
  const units = count * BigInt(scale);
  switch (unit) {
    case 'generic':
      return units.toString();
    case 'Y':
      return yearText(units + 1970n);
    case 'M': {
      const month = floorMod(units, 12n);
      return `${yearText((units - month) / 12n + 1970n)}-${pad(Number(month) + 1, 2)}`;
    }
    case 'W':
      return dateText(units * 7n);
    case 'D':
      return dateText(units);
    default: {
      const clock = clocks[unit];
      const perDay = unitsPerDay(unit);
      if (clock === undefined || perDay === undefined) return units.toString();
      const rest = floorMod(units, perDay);
      return `${dateText((units - rest) / perDay)}T${clockText(rest, perDay, clock)}`;
    }
  }
}

function clockText(rest: bigint, perDay: bigint, { decimals, fields }: Clock): string {
  if (fields < 3) {
    const minutes = fields === 1 ? Number(rest) * 60 : Number(rest);
    const hours = pad(Math.floor(minutes / 60), 2);
    return fields === 1 ? hours : `${hours}:${pad(minutes % 60, 2)}`;
  }
  const perSecond = perDay / 86_400n;
  const fraction = rest % perSecond;
  const text = secondsText(Number((rest - fraction) / perSecond));
  return decimals === 0 ? text : `${text}.${fraction.toString().padStart(decimals, '0')}`;
}

function secondsText(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return `${twoDigits[hours]}:${twoDigits[minutes - hours * 60]}:${twoDigits[seconds - minutes * 60]}`;
}

const twoDigits: readonly string[] = /*#__PURE__*/ Array.from({ length: 60 }, (_, value) => pad(value, 2));

/**
 * Formats many counts; null for NaT. Has a fast path for unscaled days and seconds to nanoseconds, as long as
 * the number of days or seconds fits in 53 bits.
 * @param counts counts in little-endian memory
 */
export function formatDatetimes(counts: BigInt64Array, type: TimeStep): (string | null)[] {
  const fast = type.scale === 1 ? fastUnits[type.unit] : undefined;
  // Each count is processed as two 32-bit halves, because bigint arithmetic is ten times slower.
  const halves = new Int32Array(counts.buffer, counts.byteOffset, counts.length * 2);
  const format = createCachedFormat();
  const texts: (string | null)[] = new Array<string | null>(counts.length);
  for (let i = 0; i < counts.length; i++) {
    const low = defined(halves[2 * i]) >>> 0;
    const high = defined(halves[2 * i + 1]);
    if (high === -0x80000000 && low === 0) texts[i] = null;
    else {
      const text = fast === undefined ? undefined : format(high, low, fast);
      texts[i] = text ?? formatDatetime(defined(counts[i]), type);
    }
  }
  return texts;
}

interface FastUnit {
  /** Divisor of the first step; at most 2^21, so that the divisions of both halves are exact in doubles. */
  readonly split: number;
  /** Number of units per second after division by `split`; 0 for days. */
  readonly perSecond: number;
  readonly decimals: number;
}

const fastUnits: Readonly<Partial<Record<TimeUnit, FastUnit>>> = {
  D: { split: 1, perSecond: 0, decimals: 0 },
  s: { split: 1, perSecond: 1, decimals: 0 },
  ms: { split: 1000, perSecond: 1, decimals: 3 },
  us: { split: 1_000_000, perSecond: 1, decimals: 6 },
  ns: { split: 1_000_000, perSecond: 1000, decimals: 9 },
};

/** Caches the text of the last day, because consecutive times are mostly on the same day. */
function createCachedFormat(): (high: number, low: number, unit: FastUnit) => string | undefined {
  let lastDay = NaN;
  let lastText = '';
  const dayText = (day: number) => {
    if (day !== lastDay) {
      lastDay = day;
      lastText = dateText(BigInt(day));
    }
    return lastText;
  };
  return (high, low, { split, perSecond, decimals }) => {
    const highest = Math.floor(high / split);
    const rest = (high - highest * split) * 2 ** 32 + low;
    const quotient = Math.floor(rest / split);
    const total = highest * 2 ** 32 + quotient;
    if (!Number.isSafeInteger(total)) return undefined;
    if (perSecond === 0) return dayText(total);
    const seconds = Math.floor(total / perSecond);
    const day = Math.floor(seconds / 86_400);
    const text = `${dayText(day)}T${secondsText(seconds - day * 86_400)}`;
    if (decimals === 0) return text;
    const fraction = (total - seconds * perSecond) * split + (rest - quotient * split);
    return `${text}.${pad(fraction, decimals)}`;
  };
}

const datePattern =
  /^([+-]?\d{3,19})(?:-(\d{2})(?:-(\d{2})(?:[T ](\d{2})(?::(\d{2})(?::(\d{2})(?:\.(\d{1,18}))?)?)?Z?)?)?)?$/;

/**
 * Parses text in the format of `formatDatetime`, shorter forms (`2001-03` is the first moment of that month),
 * a blank instead of `T`, and a final `Z`.
 * @returns undefined for malformed text, and for a time that is not a 64-bit multiple of `scale` x `unit`
 */
export function parseDatetime(text: string, { unit, scale }: TimeStep): bigint | undefined {
  if (text === NAT_TEXT) return NAT;
  if (unit === 'generic') return /^-?\d{1,19}$/.test(text) ? counted(BigInt(text), scale) : undefined;
  const match = datePattern.exec(text);
  if (match === null) return undefined;
  const [
    ,
    yearDigits = '0',
    month = '01',
    day = '01',
    hour = '00',
    minute = '00',
    second = '00',
    decimals = '',
  ] = match;
  const year = BigInt(yearDigits.replace('+', ''));
  const [m, d] = [Number(month), Number(day)];
  const time = (Number(hour) * 60 + Number(minute)) * 60 + Number(second);
  const days = daysBeforeMonth(year, m);
  const valid = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
  if (days === undefined || !valid || d < 1 || BigInt(d) > (daysBeforeMonth(year, m + 1) ?? 0n) - days)
    return undefined;
  const date = days + BigInt(d - 1);
  const attoseconds = BigInt(time) * 10n ** 18n + BigInt(decimals.padEnd(18, '0'));
  const whole = attoseconds === 0n;
  switch (unit) {
    case 'Y':
      return whole && m === 1 && d === 1 ? counted(year - 1970n, scale) : undefined;
    case 'M':
      return whole && d === 1 ? counted((year - 1970n) * 12n + BigInt(m - 1), scale) : undefined;
    case 'W':
      return whole && date % 7n === 0n ? counted(date / 7n, scale) : undefined;
    case 'D':
      return whole ? counted(date, scale) : undefined;
    default: {
      const perDay = unitsPerDay(unit) ?? 1n;
      const ofDay = attoseconds * perDay;
      const dayLength = 86_400n * 10n ** 18n;
      return ofDay % dayLength === 0n ? counted(date * perDay + ofDay / dayLength, scale) : undefined;
    }
  }
}

/** @returns undefined unless the count is a multiple of the scale, fits in 64 bits and is not NaT */
function counted(units: bigint, scale: number): bigint | undefined {
  const step = BigInt(scale);
  const count = units / step;
  return units % step === 0n && BigInt.asIntN(64, count) === count && count !== NAT ? count : undefined;
}

function floorMod(a: bigint, b: bigint): bigint {
  const rest = a % b;
  return rest < 0n ? rest + b : rest;
}

function pad(value: number, length: number): string {
  return String(value).padStart(length, '0');
}
