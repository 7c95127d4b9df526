/** NumPy's own times: there is nothing to decode, but dates can be compared with labels. */
import { dataOf, type Block, type JsonObject, type TimeType, type TimeUnit } from '../../zarr/index.js';
import { calendarOf } from '../calendar/calendars.js';
import type { TimeStep } from '../calendar/parse-time-units.js';
import { badValue } from './bad-attribute.js';
import { createDecoding } from './create-decoding.js';
import type { Decoding, StoredVariable, TimeAxis } from './decoding.js';
import { labelAxis } from './label-axis.js';
import { integerTicks } from './tick-kernels.js';

/** Years and months have no fixed length, what is finer than nanoseconds no ticks. */
const steps: Readonly<Partial<Record<TimeUnit, TimeStep>>> = {
  W: { count: 604_800, tick: 's' },
  D: { count: 86_400, tick: 's' },
  h: { count: 3600, tick: 's' },
  m: { count: 60, tick: 's' },
  s: { count: 1, tick: 's' },
  ms: { count: 1, tick: 'ms' },
  us: { count: 1, tick: 'us' },
  ns: { count: 1, tick: 'ns' },
};

/** NaT is the missing value, whatever the array's fill value. */
export function planNativeTimes(variable: StoredVariable, dtype: TimeType): Decoding {
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

function axisOf({ name }: StoredVariable, { unit, scale }: TimeType): TimeAxis | undefined {
  const step = steps[unit];
  if (step === undefined) return undefined;
  const factor = step.count * scale;
  const ticks = (stored: Block): BigInt64Array => {
    const counts = dataOf(stored, 'numpy.datetime64');
    const result = integerTicks(Float64Array.from(counts, Number), counts, { start: 0n, factor });
    if ('ticks' in result) return result.ticks;
    throw badValue(name, `the date of ${result.beyond} is beyond 64 bits of ${step.tick}`);
  };
  const style = { calendar: calendarOf('proleptic_gregorian'), tick: step.tick, hasYearZero: true };
  return { ticksPerUnit: factor, ticks, ...labelAxis(style) };
}
