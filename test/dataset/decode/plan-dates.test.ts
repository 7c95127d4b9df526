/** Dates that the fixtures do not cover, or for which xarray differs. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { planDecoding } from '../../../server/dataset/decode/plan-decoding.js';
import {
  blockOfValues,
  type DataType,
  type JsonObject,
  runToEnd,
  isZarrError,
  type Block,
} from '../../../server/zarr/index.js';
import { findPython, runScript, seed } from '../../interop/python.js';
import { fixtures } from '../../setup/fixtures.js';
import { shownDates } from '../expected-values.js';
import { decoded, numberType, textType, variableOf } from './stored.js';

const nan = NaN;

describe('dates', () => {
  const dates = (values: readonly (number | bigint)[], units: string, calendar = 'proleptic_gregorian') =>
    decoded('int64', values, { units, calendar });

  test('64-bit nanoseconds are exact', () => {
    const count = 2n ** 62n + 1n;
    expect(dates([count], 'nanoseconds since 1970-01-01')).toEqual({
      type: 'numpy.datetime64[ns]',
      values: [count],
    });
    expect(dates([0], 'days since 2262-04-11T00:00:00.000000001').type).toBe('numpy.datetime64[ns]');
  });

  test('64-bit overflow is an error, not another date', () => {
    for (const units of ['nanoseconds since 2000-01-01', 'days since 1970-01-01 00:00:00.000000001'])
      expect(() => dates([2n ** 63n - 1n], units)).toThrow('not fit in a 64-bit count');
    expect(() => decoded('float64', [1e300], { units: 'days since 2000-01-01' })).toThrow(
      'not fit in a 64-bit count',
    );
  });

  test('the unit of decoded dates depends on the attribute units', () => {
    for (const [units, unit] of [
      ['days', 's'],
      ['weeks', 's'],
      ['ms', 'ms'],
      ['microseconds', 'us'],
      ['ns', 'ns'],
    ] as const)
      // prettier-ignore
      expect(dates([1], `${units} since 2000-01-01`).type).toBe(`numpy.datetime64[${unit}]`);
  });

  test('dates of other calendars are text', () => {
    expect(dates([58, 59], 'days since 2001-01-01', '360_day')).toEqual({
      type: 'string',
      values: ['2001-02-29T00:00:00', '2001-02-30T00:00:00'],
    });
    expect(dates([500], 'milliseconds since 2001-01-01', 'noleap').values).toEqual([
      '2001-01-01T00:00:00.500000',
    ]);
    expect(dates([7], 'ns since 2001-01-01', 'noleap').values).toEqual(['2001-01-01T00:00:00.000000007']);
  });

  test('the standard calendar is text if the reference time precedes the reform', () => {
    expect(dates([0, 1], 'days since 1582-10-15', 'standard')).toMatchObject({
      type: 'numpy.datetime64[s]',
    });
    expect(dates([0], 'days since 1582-10-15', 'gregorian').type).toBe('numpy.datetime64[s]');
    expect(dates([0, 1], 'days since 1582-10-04', 'standard')).toEqual({
      type: 'string',
      values: ['1582-10-04T00:00:00', '1582-10-15T00:00:00'],
    });
  });

  test('the default calendar is standard', () => {
    const planned = planDecoding(variableOf(numberType('int32'), { units: 'days since 2000-01-01' }));
    expect(planned).toMatchObject({ calendar: 'standard', units: undefined, missing: 'nat' });
  });

  test('year 0 of the standard calendar, which xarray rejects, is decoded', () => {
    expect(dates([0, 366], 'days since 0000-01-01', 'standard').values).toEqual([
      '0000-01-01T00:00:00',
      '0001-01-01T00:00:00',
    ]);
    expect(dates([-1], 'days since 0001-01-01', 'standard').values).toEqual(['-0001-12-31T00:00:00']);
  });

  test('the calendar "none" has no dates', () => {
    const planned = planDecoding(
      variableOf(numberType('int32'), { units: 'days since 0001-01-01', calendar: 'none' }),
    );
    expect(planned).toMatchObject({ isIdentity: true, units: 'days since 0001-01-01', calendar: 'none' });
  });

  test('dates are not decoded if disabled, nor for text', () => {
    const attributes = { units: 'days since 2000-01-01' };
    expect(decoded('int32', [1], attributes, { options: { decodeTimes: false } }).type).toBe('int32');
    expect(decoded(textType(2), ['a'], attributes).type).toBe('null_terminated_bytes');
  });
});

describe('dates in floats', () => {
  const type = numberType('float64');
  const plan = (attributes: JsonObject) => planDecoding(variableOf(type, attributes));
  const block = (values: readonly number[]) => blockOfValues(values, type, 1);
  const typeOf = ({ dtype }: { dtype: DataType }) => ('unit' in dtype ? dtype.unit : dtype.name);

  test('their values determine the unit', () => {
    const planned = plan({ units: 'hours since 2000-01-01' });
    expect(typeOf(planned)).toBe('us');
    const refined = (values: readonly number[]) => {
      const refining = planned.refine?.(block(values));
      return refining === undefined ? undefined : typeOf(runToEnd(refining));
    };
    expect(refined([1, 0.5, nan])).toBe('s');
    expect(refined([0.00001])).toBe('ms');
    expect(refined([1 / 7])).toBe('ns');
    expect(refined([1 / 7, 1e8])).toBe('us');
    expect(refined([1, 1e8])).toBe('s');
    expect(refined([-1e7])).toBe('string');
    expect(refined([])).toBe('us');
    expect(refined([nan])).toBe('us');
  });

  test('values that the determined unit cannot represent are an error', () => {
    const refining = plan({ units: 'hours since 2000-01-01' }).refine?.(block([1]));
    const refined = refining === undefined ? undefined : runToEnd(refining);
    expect(() => refined?.decode(block([0.00001]))).toThrow('not a whole number of s');
    expect(() => refined?.decode(block([-1e7]))).toThrow('not fit in a 64-bit count');
    const planned = plan({ units: 'hours since 2000-01-01' });
    expect(() => planned.decode(block([-1e7]))).toThrow('before 1582-10-15');
  });

  test('the values of integers are inspected only in the standard calendar', () => {
    const int = (attributes: JsonObject) => planDecoding(variableOf(numberType('int32'), attributes)).refine;
    expect(int({ units: 'days since 2000-01-01', calendar: 'proleptic_gregorian' })).toBeUndefined();
    expect(int({ units: 'days since 2000-01-01', calendar: 'noleap' })).toBeUndefined();
    expect(int({ units: 'days since 2000-01-01' })).toBeDefined();
  });
});

describe('time axes', () => {
  test('ticks and labels have the same kind', () => {
    const dtype = numberType('int16');
    const { times } = planDecoding(
      variableOf(dtype, { units: 'hours since 2000-02-28', calendar: '360_day' }),
    );
    expect(times).toMatchObject({ calendar: '360_day', tick: 's', ticksPerUnit: 3600 });
    const ticks = times?.ticks(blockOfValues([0, 24, 48, 71, 72], dtype, 1));
    const span = times?.span('2000-02-30');
    const within = Array.from(ticks ?? []).map(
      (tick) => span !== undefined && tick >= span.first && tick <= span.last,
    );
    expect(within).toEqual([false, false, true, true, false]);
    expect(() => times?.span('2000-02-31')).toThrow(expect.objectContaining({ code: 'BAD_INPUT' }));
  });

  test('datetime64 coordinates have a time axis', () => {
    const dtype = { name: 'numpy.datetime64', itemSize: 8, unit: 'D', scale: 1 } as const;
    const { times, calendar } = planDecoding(variableOf(dtype, {}));
    expect(calendar).toBe('proleptic_gregorian');
    expect(times?.ticks(blockOfValues(['1970-01-02', null], dtype, 1))).toEqual(
      BigInt64Array.of(86_400n, -(2n ** 63n)),
    );
    expect(planDecoding(variableOf({ ...dtype, unit: 'M' }, {})).times).toBeUndefined();
  });
});

// Numbers with units and calendar become cftime's dates: 2,000 dates from a file, and 100,000 new ones if Python is
// available.

interface Line {
  readonly calendar: string;
  readonly units: string;
  readonly dtype: keyof typeof types;
  readonly values: string;
  readonly dates: readonly string[];
}

const types = {
  u2: { name: 'uint16', itemSize: 2 },
  i4: { name: 'int32', itemSize: 4 },
  i8: { name: 'int64', itemSize: 8 },
  f4: { name: 'float32', itemSize: 4 },
  f8: { name: 'float64', itemSize: 8 },
} as const;

function linesOf(text: string): Line[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function expectDates({ calendar, units, dtype: code, values, dates }: Line) {
  const dtype = types[code];
  const attributes = { units, calendar };
  const decoding = planDecoding({
    name: 'time',
    zarrFormat: 3,
    dtype,
    shape: [dates.length],
    attributes,
    fill: undefined,
  });
  const stored = { dtype, shape: [dates.length], bytes: Uint8Array.from(Buffer.from(values, 'base64')) };
  const wanted = { units, calendar, dates };
  expect({ units, calendar, ...shownDates(decoded()) }).toEqual(wanted);

  /** The decoded block. Julian dates, which datetime64 cannot represent, are decoded as text. */
  function decoded(): Block {
    try {
      return decoding.decode(stored);
    } catch (error) {
      if (!isZarrError(error, 'UNSUPPORTED') || decoding.refine === undefined) throw error;
      expect(dates.some((date) => date < '1582-10-15')).toBe(true);
      return runToEnd(decoding.refine(stored)).decode(stored);
    }
  }
}

test('2,000 dates of the reference file equal those of cftime', () => {
  const file = `${fixtures}dates/cftime.jsonl`;
  const lines = linesOf(readFileSync(file, 'utf8'));
  expect(lines.flatMap(({ dates }) => dates).length).toBe(2000);
  for (const line of lines) expectDates(line);
});

const python = await findPython('datasets');

describe.skipIf('missing' in python)('with cftime', () => {
  test('100,000 dates are equal', { timeout: 240_000 }, async () => {
    if ('missing' in python) return;
    const { stdout } = await runScript(python.command, '../dataset/make_dates.py', [`${seed}`, '2000', '50']);
    const lines = linesOf(stdout);
    expect(lines.flatMap(({ dates }) => dates).length).toBe(100_000);
    for (const line of lines) expectDates(line);
  });
});
