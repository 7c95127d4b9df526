/**
 * `units since reference` (CF, section 4.4). Dates of calendars that agree with the proleptic Gregorian one
 * become datetime64, others ISO text of their calendar. Integers are decoded exactly. Floats are rounded as
 * in xarray, which depends on all values: use `refine` for the same result.
 */
import { type Block, itemsOfValues } from '../../zarr/index.js';
import { calendarNames, calendarOf, parseCalendarName } from '../calendar/calendars.js';
import { dateTexts, type DateStyle } from '../calendar/date-text.js';
import { isTimeUnits, parseTimeUnits } from '../calendar/parse-time-units.js';
import { badAttribute } from './bad-attribute.js';
import { createDecoding, type DecodingParts } from './create-decoding.js';
import {
  formOfUnits,
  formOfValues,
  ticksOf,
  ticksPerUnit,
  tickTransform,
  type DateCoding,
  type DateForm,
} from './date-coding.js';
import type { Decoding, TimeAxis } from './decoding.js';
import { labelAxis } from './label-axis.js';
import { isUnpackedFloat, type Packing, type RealVariable } from './packed-numbers.js';

/**
 * @returns undefined if the numbers are not dates, or for the calendar "none"
 * @throws MetadataError if units or calendar are invalid
 */
export function planDates(variable: RealVariable, packing: Packing): Decoding | undefined {
  const { units: text, calendar: given = 'standard' } = variable.attributes;
  if (typeof text !== 'string' || !isTimeUnits(text)) return undefined;
  const calendarName = typeof given === 'string' ? parseCalendarName(given) : undefined;
  if (calendarName === undefined || typeof given !== 'string')
    throw badAttribute(variable.name, 'calendar', given, `expected one of ${calendarNames.join(', ')}`);
  if (calendarName === 'none') return undefined;
  const calendar = calendarOf(calendarName);
  const units = parseTimeUnits(text, calendar);
  if (typeof units === 'string') throw badAttribute(variable.name, 'units', text, units);
  const coding = { name: variable.name, packing, calendar, units };
  const decodingOf = (form: DateForm, refine?: Decoding['refine']): Decoding =>
    createDecoding(variable, {
      encoding: {
        ...packing.encoding,
        units: text,
        ...(variable.attributes['calendar'] === undefined ? {} : { calendar: given }),
      },
      calendar: given === '' ? calendarName : given,
      times: timeAxis(coding, form),
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

function timeAxis(coding: DateCoding, form: DateForm): TimeAxis {
  return {
    ticksPerUnit: ticksPerUnit(coding.units, form.tick),
    transform: tickTransform(coding, form),
    ticks: (stored) => ticksOf(coding, stored, form),
    ...labelAxis(styleOf(coding, form)),
  };
}

function styleOf({ calendar, units }: DateCoding, { tick }: DateForm): DateStyle {
  return { calendar, tick, hasYearZero: units.hasYearZero };
}
