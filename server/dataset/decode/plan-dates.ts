/**
 * `units since reference` (CF, section 4.4). Dates of calendars that agree with the proleptic Gregorian one
 * become datetime64, others ISO text of their calendar. Integers are decoded exactly. Floats are rounded as
 * in xarray, which depends on all values: use `refine` for the same result.
 */
import {
  type Block,
  blockOfValues,
  type DataType,
  itemsOfValues,
  NAT,
  dataOf,
  type JsonObject,
  plainNumbers,
  type TickTransform,
  type TimeType,
  type TimeUnit,
  transformBlock,
} from '../../zarr/index.js';
import { calendarNames, calendarOf, parseCalendarName } from '../calendar/calendars.js';
import { dateTexts, type DateStyle } from '../calendar/date-text.js';
import { isTimeUnits, parseTimeUnits, type TickStep } from '../calendar/parse-time-units.js';
import { badAttribute, messageAround } from '../attributes.js';
import {
  formOfUnits,
  formOfValues,
  ticksOf,
  ticksPerUnit,
  tickTransform,
  type DateCoding,
  type DateForm,
} from './date-coding.js';
import {
  type VariableDecoding,
  type TimeAxis,
  type StoredVariable,
  createDecoding,
  type DecodingParts,
  labelAxis,
} from './decoding.js';
import { isUnpackedFloat, type Packing, type RealVariable } from './packed-numbers.js';

/**
 * @returns undefined if the numbers are not dates, or for the calendar "none"
 * @throws MetadataError if units or calendar are invalid
 */
export function planDates(variable: RealVariable, packing: Packing): VariableDecoding | undefined {
  const { units: text, calendar: calendarText = 'standard' } = variable.attributes;
  if (typeof text !== 'string' || !isTimeUnits(text)) return undefined;
  const calendarName = typeof calendarText === 'string' ? parseCalendarName(calendarText) : undefined;
  if (calendarName === undefined || typeof calendarText !== 'string')
    throw badAttribute(
      variable.name,
      'calendar',
      calendarText,
      `expected one of ${calendarNames.join(', ')}`,
    );
  if (calendarName === 'none') return undefined;
  const calendar = calendarOf(calendarName);
  const units = parseTimeUnits(text, calendar);
  if (typeof units === 'string') throw badAttribute(variable.name, 'units', text, units);
  const coding = { name: variable.name, packing, calendar, units };
  const decodingOf = (form: DateForm, refine?: VariableDecoding['refine']): VariableDecoding =>
    createDecoding(variable, {
      encoding: {
        ...packing.encoding,
        units: text,
        ...(variable.attributes['calendar'] === undefined ? {} : { calendar: calendarText }),
      },
      calendar: calendarText === '' ? calendarName : calendarText,
      times: timeAxis(coding, form, variable.dtype),
      refine,
      ...dateDecoder(coding, form),
    });
  return decodingOf(
    formOfUnits(coding),
    dependsOnValues(coding)
      ? function* (stored) {
          return decodingOf(yield* formOfValues(coding, stored));
        }
      : undefined,
  );
}

function dependsOnValues({ calendar, packing }: DateCoding): boolean {
  return (
    calendar.name === 'standard' || (calendar.name === 'proleptic_gregorian' && isUnpackedFloat(packing))
  );
}

function dateDecoder(
  coding: DateCoding,
  form: DateForm,
): Pick<DecodingParts, 'dtype' | 'missing' | 'decode' | 'transform'> {
  const { as } = form;
  if (as === 'text') {
    const dtype = { name: 'string', itemSize: null } as const;
    const style = styleOf(coding, form);
    const decode = (stored: Block): Block => ({
      dtype,
      shape: stored.shape,
      items: itemsOfValues(dateTexts(ticksOf(coding, stored, form), style), dtype),
    });
    return { dtype, missing: 'null', decode };
  }
  const transform = tickTransform(coding, form, as);
  return { dtype: transform.dtype, missing: 'nat', transform };
}

function timeAxis(coding: DateCoding, form: DateForm, dtype: DataType): TimeAxis {
  const ticks = (stored: Block): BigInt64Array => ticksOf(coding, stored, form);
  return {
    ticksPerUnit: ticksPerUnit(coding.units, form.tick),
    transform: tickTransform(coding, form),
    ticks,
    tickOf: (label) => firstOf(ticks(blockOfValues([label], dtype, 1))),
    ...labelAxis(styleOf(coding, form)),
  };
}

function firstOf(ticks: BigInt64Array): bigint {
  return ticks[0] ?? NAT;
}

function styleOf({ calendar, units }: DateCoding, { tick }: DateForm): DateStyle {
  return { calendar, tick, hasYearZero: units.hasYearZero };
}

// NumPy's datetime64 and timedelta64: values are not decoded, but dates can be compared with labels.

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
