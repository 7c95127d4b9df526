/** Datetimes and byte text in the forms that programs show. */
import type { TimeUnit } from './ndarray.js';
import type { NDArray } from './ndarray.js';
import { NAT, unitsPerDay } from '../../wire/time-units.js';
import { InputError } from '../errors.js';

/** A Date holds 8.64e15 ms either way (ECMAScript, 21.4.1.1). */
const maxMs = 8_640_000_000_000_000n;

/**
 * Datetimes as Dates, in C order, null for NaT. A Date counts milliseconds: what is finer is cut off (towards the
 * past).
 * @throws InputError for times beyond the range of Date, and for the generic unit
 */
export function toDates(array: NDArray<'numpy.datetime64'>): (Date | null)[] {
  const { unit, scale } = array;
  return Array.from(array.data, (count) => (count === NAT ? null : toDate(count * BigInt(scale), unit)));
}

function toDate(count: bigint, unit: TimeUnit | undefined): Date {
  if (unit === 'Y') return fromMonths(count * 12n);
  if (unit === 'M') return fromMonths(count);
  const days = unit === 'W';
  const perDay = days ? 1n : unit === undefined ? undefined : unitsPerDay(unit);
  if (perDay === undefined)
    throw new InputError('BAD_INPUT', `datetimes in the unit ${unit ?? 'none'} have no Date`);
  const ms = (days ? count * 7n : count) * 86_400_000n;
  const rest = ms % perDay;
  const floor = (ms - rest) / perDay - (rest < 0n ? 1n : 0n);
  return inRange(floor, () => new Date(Number(floor)));
}

function fromMonths(months: bigint): Date {
  return inRange(months, () => {
    const date = new Date(0);
    date.setUTCFullYear(1970, Number(months), 1);
    return date;
  });
}

function inRange(count: bigint, create: () => Date): Date {
  const date = count > maxMs || count < -maxMs ? undefined : create();
  if (date !== undefined && !Number.isNaN(date.getTime())) return date;
  throw new InputError('BAD_INPUT', 'the time is beyond the range of a Date');
}

/**
 * Byte strings as text, in C order.
 * @param encoding a label of the Encoding standard. @default utf-8
 */
export function toText(
  array: NDArray<'null_terminated_bytes' | 'raw_bytes' | 'raw_bits'>,
  encoding = 'utf-8',
): string[] {
  const decoder = new TextDecoder(encoding);
  return array.data.map((bytes) => decoder.decode(bytes));
}
