/** `numpy.datetime64` and `numpy.timedelta64`: 64-bit counts of a unit; -2^63 is NaT, "not a time". */
import { parseDatetime } from '../../../../wire/datetime.js';
import {
  isTimeName,
  timeNames,
  type TimeName,
  NAT,
  MAX_TIME_SCALE,
  parseTimeUnit,
} from '../../../../wire/data-types.js';
import { describeJson } from '../../bytes/print-json.js';
import type { JsonObject, JsonValue } from '../../bytes/json.js';
import { MetadataError } from '../../errors.js';
import {
  timeType,
  type Block,
  type DataOf,
  type DataType,
  type TimeType,
  integerRange,
} from '../data-type.js';
import { integerOfJson as fillInteger, integerBytes } from '../fill-number.js';
import { exactInteger, invalidValue, type PositionText } from '../pack-numbers.js';
import { type Family, type FixedTraits, badFill, type FillContext, viewAs, viewBytes } from './family.js';

export const timeRows: { readonly [N in TimeName]: { readonly view: (block: Block) => DataOf<N> } } = {
  'numpy.datetime64': { view: viewAs(BigInt64Array) },
  'numpy.timedelta64': { view: viewAs(BigInt64Array) },
};

export const timeFamily: Family = {
  names: timeNames,
  parseV3: ({ name, configuration, at }) =>
    isTimeName(name) ? parseConfiguration(name, configuration, at) : undefined,
};

function parseConfiguration(name: TimeName, configuration: JsonObject, at: string): TimeType {
  const { unit: text, scale_factor: scale } = configuration;
  const unit = typeof text === 'string' ? parseTimeUnit(text) : undefined;
  if (unit === undefined)
    throw new MetadataError(
      `${at} "${name}": unit is ${describeJson(text)}; expected one of Y, M, W, D, h, m, s, ms, us, ns, ps, fs, as, generic`,
    );
  if (typeof scale !== 'number' || !Number.isInteger(scale) || scale < 1 || scale > MAX_TIME_SCALE)
    throw new MetadataError(
      `${at} "${name}": scale_factor is ${describeJson(scale)}; expected an integer from 1 to ${MAX_TIME_SCALE}`,
    );
  return timeType(name, unit, scale);
}

export function timeTraits(dtype: TimeType): FixedTraits {
  const { name, unit, scale } = dtype;
  return {
    v3Json: () => ({ name, configuration: { unit, scale_factor: scale } }),
    listValues: 'none',
    castsFrom: (other) => castsFrom(name, other),
    swaps: () => [{ offset: 0, unit: 8, count: 1 }],
    undefinedFill: () => integerBytes(NAT, 8),
    parseFill,
    printFill,
    pack: (values, position) => packTimes(values, dtype, position),
    valueOf: (item) => viewBytes(BigInt64Array, item)[0],
  };
}

/**
 * Whether values of another type can be written as times. Integers can, and are interpreted as counts; dates
 * can be written as dates of another unit.
 */
function castsFrom(name: TimeName, { name: other }: DataType): boolean {
  return integerRange(other) !== undefined || (other === 'numpy.datetime64' && other === name);
}

function parseFill(json: JsonValue, context: FillContext): Uint8Array {
  const value = json === 'NaT' ? NAT : fillInteger(json);
  if (value === undefined || BigInt.asIntN(64, value) !== value)
    throw badFill(json, '"NaT" or a 64-bit integer', context);
  return integerBytes(value, 8);
}

/** Prints a fill value. NaT is the integer in v2, as zarr-python writes it, and the string in v3. */
function printFill(bytes: Uint8Array, format: 2 | 3): JsonValue {
  const count = new DataView(bytes.buffer, bytes.byteOffset, 8).getBigInt64(0, true);
  if (count === NAT && format === 3) return 'NaT';
  return Number.isSafeInteger(Number(count)) ? Number(count) : count;
}

function packTimes(values: ArrayLike<unknown>, dtype: TimeType, position: PositionText): Uint8Array {
  const counts = new BigInt64Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const count = countOf(values[i], dtype);
    if (count === undefined || BigInt.asIntN(64, count) !== count)
      throw invalidValue(values[i], timeWanted(dtype), position(i));
    counts[i] = count;
  }
  return new Uint8Array(counts.buffer);
}

function countOf(value: unknown, dtype: TimeType): bigint | undefined {
  if (value === null || value === 'NaT') return NAT;
  if (typeof value === 'boolean') return undefined;
  if (dtype.name === 'numpy.timedelta64') return exactInteger(value);
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? undefined : parseDatetime(value.toISOString(), dtype);
  return typeof value === 'string' ? parseDatetime(value, dtype) : exactInteger(value);
}

function timeWanted({ name, unit, scale }: TimeType): string {
  const step = scale === 1 ? unit : `${scale} ${unit}`;
  if (name === 'numpy.timedelta64') return `an integer count of ${step}, or null for NaT`;
  return `a date that is a whole count of ${step} (such as "2001-03-04T05:06:07"), the count itself, or null for NaT`;
}
