/** NumPy's datetime64 and timedelta64: values are not decoded, but dates can be compared with labels. */
import {
  type Block,
  blockOfValues,
  dataOf,
  type JsonObject,
  plainNumbers,
  type TickTransform,
  type TimeType,
  type TimeUnit,
  transformBlock,
} from '../../zarr/index.js';
import { calendarOf } from '../calendar/calendars.js';
import type { TickStep } from '../calendar/parse-time-units.js';
import { messageAround } from '../attributes.js';
import type { StoredVariable, TimeAxis, VariableDecoding } from './decoding.js';
import { createDecoding, labelAxis } from './create-decoding.js';
import { firstOf } from './plan-dates.js';

/** Years and months have no fixed length, and units finer than nanoseconds have no ticks. */
const steps: Readonly<Partial<Record<TimeUnit, TickStep>>> = {
  W: { count: 604_800, tick: 's' },
  D: { count: 86_400, tick: 's' },
  h: { count: 3600, tick: 's' },
  m: { count: 60, tick: 's' },
  s: { count: 1, tick: 's' },
  ms: { count: 1, tick: 'ms' },
  us: { count: 1, tick: 'us' },
  ns: { count: 1, tick: 'ns' },
};

/**
 * Plans the decoding of native times. NaT is always the missing value; the array's fill value has no effect.
 */
export function planNativeTimes(variable: StoredVariable, dtype: TimeType): VariableDecoding {
  const fill = variable.attributes['_FillValue'];
  const encoding: JsonObject = fill === undefined ? {} : { _FillValue: fill };
  if (dtype.name === 'numpy.timedelta64')
    return createDecoding(variable, { dtype, encoding, missing: 'nat' });
  const calendar = 'proleptic_gregorian';
  return createDecoding(variable, {
    dtype,
    encoding,
    missing: 'nat',
    calendar,
    times: axisOf(variable, dtype),
  });
}

function axisOf({ name }: StoredVariable, dtype: TimeType): TimeAxis | undefined {
  const { unit, scale } = dtype;
  const step = steps[unit];
  if (step === undefined) return undefined;
  const factor = step.count * scale;
  const transform: TickTransform = {
    kind: 'ticks',
    sourceBytes: 8,
    dtype: { name: 'numpy.datetime64', itemSize: 8, unit: step.tick, scale: 1 },
    values: plainNumbers('int64'),
    count: { kind: 'integers', start: 0n, factor },
    unit: undefined,
    earliest: undefined,
    beyond: messageAround(name, 'the date of ', ` does not fit in a 64-bit count of ${step.tick}`),
  };
  const ticks = (stored: Block): BigInt64Array =>
    dataOf(transformBlock(transform, stored), 'numpy.datetime64');
  const style = { calendar: calendarOf('proleptic_gregorian'), tick: step.tick, hasYearZero: true };
  const tickOf = (label: number | bigint): bigint => firstOf(ticks(blockOfValues([label], dtype, 1)));
  return { ticksPerUnit: factor, transform, ticks, tickOf, ...labelAxis(style) };
}
