/**
 * `units since reference` (CF, section 4.4). Dates of calendars that agree with the proleptic Gregorian one
 * become datetime64, others ISO text of their calendar. Integers are decoded exactly. Floats are rounded as
 * in xarray, which depends on all values: use `refine` for the same result.
 */
import { type Block, blockOfValues, type DataType, itemsOfValues, NAT } from '../../zarr/index.js';
import { calendarNames, calendarOf, parseCalendarName } from '../calendar/calendars.js';
import { type DateStyle, dateTexts } from '../calendar/date-text.js';
import { isTimeUnits, parseTimeUnits } from '../calendar/parse-time-units.js';
import { badAttribute } from '../attributes.js';
import {
  type DateCoding,
  type DateForm,
  formOfUnits,
  formOfValues,
  ticksOf,
  ticksPerUnit,
  tickTransform,
} from './date-coding.js';
import type { TimeAxis, VariableDecoding } from './decoding.js';
import { createDecoding, type DecodingParts, labelAxis } from './create-decoding.js';
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

export function firstOf(ticks: BigInt64Array): bigint {
  return ticks[0] ?? NAT;
}

function styleOf({ calendar, units }: DateCoding, { tick }: DateForm): DateStyle {
  return { calendar, tick, hasYearZero: units.hasYearZero };
}
