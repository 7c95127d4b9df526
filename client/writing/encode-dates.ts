/** Encodes dates as the numbers of a CF time coordinate, for writing. */
import { InputError } from '../errors.js';

/** Milliseconds of each supported unit, under its names in CF and UDUNITS. */
const lengthsMs: ReadonlyMap<string, number> = new Map(
  (
    [
      [86_400_000, ['day', 'days', 'd']],
      [3_600_000, ['hour', 'hours', 'hr', 'hrs', 'h']],
      [60_000, ['minute', 'minutes', 'min', 'mins']],
      [1000, ['second', 'seconds', 'sec', 'secs', 's']],
      [1, ['millisecond', 'milliseconds', 'msec', 'msecs', 'ms']],
    ] as const
  ).flatMap(([ms, names]) => names.map((name) => [name, ms] as const)),
);

/** The first day of the Gregorian calendar: before it, the calendar `standard` is Julian. */
const GREGORIAN_FROM_MS = Date.UTC(1582, 9, 15);

const unitsForm = /^\s*([a-z]+)\s+since\s+(\d{4})-(\d{1,2})-(\d{1,2})(?:[T\s]+(\d{1,2}):(\d{1,2})(?::(\d{1,2}(?:\.\d{1,3})?)\d*)?)?\s*(?:Z|UTC|\+00:?00)?\s*$/i; // prettier-ignore

/**
 * Dates as numbers in `units`, such as `hours since 2001-01-01`: the values to write into a coordinate that has these
 * units as an attribute, and the calendar `standard` or `proleptic_gregorian`.
 * @param dates null is encoded as NaN
 * @throws InputError for other units, invalid dates, and dates (also in `units`) before 1582-10-15, where the calendars
 *   differ
 * @example await time.write(undefined, encodeDates([new Date('2001-01-01T06:00Z')], 'hours since 2001-01-01'));
 */
export function encodeDates(dates: readonly (Date | null)[], units: string): Float64Array {
  const match = unitsForm.exec(units);
  const [, name = '', year, month, day, hour = 0, minute = 0, second = 0] = match ?? [];
  const msPerUnit = lengthsMs.get(name.toLowerCase());
  const start = new Date(0);
  start.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  start.setUTCHours(Number(hour), Number(minute), 0, Math.round(Number(second) * 1000));
  if (msPerUnit === undefined || start.getUTCMonth() !== Number(month) - 1)
    throw invalid(
      `invalid units ${JSON.stringify(units.slice(0, 80))}; expected a form such as "hours since 2001-01-01"`,
    );
  return Float64Array.from(dates, (date) =>
    date === null ? Number.NaN : (checked(date) - checked(start)) / msPerUnit,
  );
}

function checked(date: Date): number {
  const ms = date.getTime();
  if (Number.isNaN(ms)) throw invalid('a date is invalid; pass null for a missing value');
  if (ms < GREGORIAN_FROM_MS)
    throw invalid(`${date.toISOString()} is before 1582-10-15, where calendars differ`);
  return ms;
}

function invalid(message: string): InputError {
  return new InputError('BAD_INPUT', message);
}
