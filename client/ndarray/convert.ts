/** Datetimes and byte text in the forms that programs show. */
import type { TimeUnit } from './ndarray.js';
import type { NDArray } from './ndarray.js';
import { nanosecondsOf } from './time-units.js';
import { InputError } from '../errors.js';

const notATime = -(2n ** 63n);
/** A Date holds 8.64e15 ms either way (ECMAScript, 21.4.1.1). */
const maxMs = 8_640_000_000_000_000n;

/**
 * Datetimes as Dates, in C order, null for NaT. A Date counts milliseconds: what is finer is cut off (towards the
 * past).
 * @throws InputError for times beyond a Date's range, and for units below ns
 */
export function toDates(array: NDArray<'numpy.datetime64'>): (Date | null)[] {
  const { unit, scale } = array;
  return Array.from(array.data, (count) => (count === notATime ? null : toDate(count * BigInt(scale), unit)));
}

function toDate(count: bigint, unit: TimeUnit | undefined): Date {
  if (unit === 'Y') return fromMonths(count * 12n);
  if (unit === 'M') return fromMonths(count);
  const length = nanosecondsOf(unit);
  if (length === undefined)
    throw new InputError('BAD_INPUT', `datetimes in ${unit ?? 'no unit'} are no Dates`);
  const ns = count * length;
  const ms = ns / 1_000_000n - (ns % 1_000_000n < 0n ? 1n : 0n);
  return inRange(ms, () => new Date(Number(ms)));
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
