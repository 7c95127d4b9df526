/** Types of NetCDF's classic formats, and how values of other types are stored. */
import { NAT } from '../../../wire/data-types.js';
import {
  type Block,
  contentsAt,
  createPause,
  type DataType,
  isTime,
  type JsonObject,
  UnsupportedError,
} from '../../zarr/index.js';

/** Names as in CDL, with codes and sizes; those beyond `double` exist in CDF-5 only. */
export const netcdfTypes = {
  byte: { code: 1, bytes: 1, isClassic: true },
  char: { code: 2, bytes: 1, isClassic: true },
  short: { code: 3, bytes: 2, isClassic: true },
  int: { code: 4, bytes: 4, isClassic: true },
  float: { code: 5, bytes: 4, isClassic: true },
  double: { code: 6, bytes: 8, isClassic: true },
  ubyte: { code: 7, bytes: 1, isClassic: false },
  ushort: { code: 8, bytes: 2, isClassic: false },
  uint: { code: 9, bytes: 4, isClassic: false },
  int64: { code: 10, bytes: 8, isClassic: false },
  uint64: { code: 11, bytes: 8, isClassic: false },
} as const;

export type NetcdfType = keyof typeof netcdfTypes;

const numbers: Readonly<Record<string, NetcdfType>> = {
  bool: 'byte',
  int8: 'byte',
  int16: 'short',
  int32: 'int',
  int64: 'int64',
  uint8: 'ubyte',
  uint16: 'ushort',
  uint32: 'uint',
  uint64: 'uint64',
  float16: 'float',
  float32: 'float',
  float64: 'double',
};

/** @throws UnsupportedError for types that NetCDF lacks */
export function storedType(name: string, dtype: DataType): NetcdfType | 'time' {
  if (dtype.name === 'string') return 'char';
  if (isTime(dtype) && dtype.scale === 1 && unitNames[dtype.unit] !== undefined) return 'time';
  const type = numbers[dtype.name];
  if (type !== undefined) return type;
  throw new UnsupportedError(
    `"${name}" has values of type ${dtype.name}, which NetCDF lacks; select a field, or leave it out`,
  );
}

/** The units of CF in order of length, each with the number of the next shorter ones. */
const unitNames: Readonly<Record<string, string>> = {
  D: 'days',
  h: 'hours',
  m: 'minutes',
  s: 'seconds',
  ms: 'milliseconds',
  us: 'microseconds',
  ns: 'nanoseconds',
};
const coarser: Readonly<Record<string, readonly [unit: string, factor: bigint]>> = {
  ns: ['us', 1000n],
  us: ['ms', 1000n],
  ms: ['s', 1000n],
  s: ['m', 60n],
  m: ['h', 60n],
  h: ['D', 24n],
};

/** How dates and durations are stored. */
export interface TimeEncoding {
  /** Divides the counts without a remainder. */
  readonly divisor: bigint;
  /** Whether the results are stored as doubles, which represent them exactly; otherwise as 64-bit integers. */
  readonly isDouble: boolean;
  readonly attributes: JsonObject;
}

/**
 * The longest unit in which all times are whole, as doubles if these are exact: they need no CDF-5.
 * @param blocks the values; undefined if they are not known in advance, which are stored as 64-bit integers
 * @returns undefined for other types
 */
export async function timeEncoding(
  dtype: DataType,
  blocks: readonly Block[] | undefined,
): Promise<TimeEncoding | undefined> {
  if (!isTime(dtype)) return undefined;
  let unit: string = dtype.unit;
  let divisor = 1n;
  let isDouble = false;
  if (blocks !== undefined) {
    for (let next = coarser[unit]; next !== undefined; next = coarser[unit]) {
      const longer = divisor * next[1];
      if (!(await everyCount(blocks, (count) => count % longer === 0n))) break;
      divisor = longer;
      [unit] = next;
    }
    const most = BigInt(Number.MAX_SAFE_INTEGER) * divisor;
    isDouble = await everyCount(blocks, (count) => count <= most && count >= -most);
  }
  const name = unitNames[unit] ?? unit;
  const isDate = dtype.name === 'numpy.datetime64';
  const units = isDate
    ? { units: `${name} since 1970-01-01`, calendar: 'proleptic_gregorian' }
    : { units: name };
  return { divisor, isDouble, attributes: { ...units, _FillValue: isDouble ? NaN : NAT } };
}

/** Number of counts that are checked between two pauses. */
const CHECKED_COUNTS = 2 ** 13;

async function everyCount(blocks: readonly Block[], holds: (count: bigint) => boolean): Promise<boolean> {
  const pause = createPause();
  for (const block of blocks) {
    if (!('bytes' in block)) continue;
    const counts = new BigInt64Array(block.bytes.slice().buffer);
    for (const [i, count] of counts.entries()) {
      if (count !== NAT && !holds(count)) return false;
      if (i % CHECKED_COUNTS === 0) await pause();
    }
  }
  return true;
}

export function netcdfType(type: NetcdfType | 'time', time: TimeEncoding | undefined): NetcdfType {
  if (type !== 'time') return type;
  return time?.isDouble === true ? 'double' : 'int64';
}

/** Length of the longest text in bytes, at least 1; undefined for other types. @throws UnsupportedError for missing texts */
export async function textLength(
  name: string,
  dtype: DataType,
  blocks: readonly Block[],
): Promise<number | undefined> {
  if (dtype.name !== 'string') return undefined;
  const pause = createPause();
  let longest = 1;
  for (const block of blocks) {
    if (!('items' in block)) continue;
    for (let i = 0; i < block.items.lengths.length; i++) {
      if (i % CHECKED_COUNTS === 0) await pause();
      const text = contentsAt(block.items, i);
      if (text === null)
        throw new UnsupportedError(
          `the coordinate "${name}" has missing texts, which NetCDF cannot represent; request another format`,
        );
      longest = Math.max(longest, text.length);
    }
  }
  return longest;
}
