/** How the numbers of one variable count dates: from stored values to ticks of the variable's own calendar. */
import type { Block } from '../../zarr/index.js';
import { FIRST_GREGORIAN_DAY, type Calendar } from '../calendar/calendars.js';
import type { TimeUnits } from '../calendar/parse-time-units.js';
import { nanosecondsOf, tickNames, ticksPerSecond, type Tick } from '../calendar/ticks.js';
import { badValue } from './bad-attribute.js';
import { isUnpackedFloat, longsOf, unpack, type Packing } from './packed-numbers.js';
import { coarserTicks, floatTicks, integerTicks, leastTick, type Ticks } from './tick-kernels.js';

export interface DateCoding {
  /** The variable's, for messages. */
  readonly name: string;
  readonly packing: Packing;
  readonly calendar: Calendar;
  readonly units: TimeUnits;
}

/** One way for all values of a variable. */
export interface DateForm {
  /** What is counted in; at least as fine as the units' own. */
  readonly tick: Tick;
  /** Of floats: to the next tick as cftime does, or towards zero as pandas does. */
  readonly rounding: 'nearest' | 'towardsZero';
  /** The unit of datetime64, at least as coarse as the tick; or text. */
  readonly as: Tick | 'text';
}

/** Ticks that the number 1 stands for. */
export function ticksPerUnit({ step }: TimeUnits, tick: Tick): number {
  return step.count * (nanosecondsOf(step.tick) / nanosecondsOf(tick));
}

/**
 * @returns ticks since the calendar's day 0; -2^63 where missing
 * @throws UnsupportedError where a date is beyond 64 bits
 */
export function ticksOf(coding: DateCoding, stored: Block, form: DateForm): BigInt64Array {
  const result = tryTicks(coding, stored, form);
  if ('ticks' in result) return result.ticks;
  throw badValue(coding.name, `the date of ${result.beyond} is beyond 64 bits of ${form.tick}`);
}

export function tryTicks(
  { packing, units }: DateCoding,
  stored: Block,
  { tick, rounding }: Pick<DateForm, 'tick' | 'rounding'>,
): Ticks {
  const perSecond = BigInt(ticksPerSecond(tick));
  const ofDay = Math.floor(units.nanoseconds / nanosecondsOf(tick));
  const scale = {
    start: BigInt(units.day) * 86_400n * perSecond + BigInt(ofDay),
    factor: ticksPerUnit(units, tick),
  };
  const values = unpack(stored, packing, 'float64');
  if (!isUnpackedFloat(packing)) return integerTicks(values, longsOf(stored, packing), scale);
  return floatTicks(values, scale, rounding, tick === 'us' && units.step.tick === 's');
}

/**
 * What can be told without values: right for all that may come, but for dates before 1582-10-15 in the standard
 * calendar, which datetime64 cannot hold.
 */
export function formOfUnits({ calendar, packing, units }: DateCoding): DateForm {
  const tick = isUnpackedFloat(packing) && units.tick !== 'ns' ? 'us' : units.tick;
  const isGregorian =
    calendar.name === 'proleptic_gregorian' ||
    (calendar.name === 'standard' && units.day >= FIRST_GREGORIAN_DAY);
  return { tick, rounding: 'nearest', as: isGregorian ? tick : 'text' };
}

/**
 * Floats whose dates all lie within the reach of nanoseconds (1677 to 2262) are cut to nanoseconds, as xarray has it
 * from pandas; others, and those in abbreviated units, are rounded to microseconds, as it has it from cftime. Either
 * way the unit is the coarsest that holds all of them.
 */
export function formOfValues(coding: DateCoding, stored: Block): DateForm {
  const { calendar, packing, units } = coding;
  const general = formOfUnits(coding);
  const isFloat = isUnpackedFloat(packing);
  const precise: DateForm = { tick: 'ns', rounding: 'towardsZero', as: 'ns' };
  const maySuit = isFloat && general.as !== 'text' && units.isWholeWord;
  const attempt = maySuit ? tryTicks(coding, stored, precise) : undefined;
  const isPrecise = attempt !== undefined && 'ticks' in attempt;
  const form = isPrecise ? precise : general;
  const ticks = isPrecise ? attempt.ticks : ticksOf(coding, stored, general);
  const least = leastTick(ticks);
  if (least === undefined) return general;
  if (calendar.name === 'standard' && least < firstGregorianTick(form.tick))
    return { ...general, as: 'text' };
  if (!isFloat) return { ...form, as: form.tick };
  const isWhole = (tick: Tick) => coarserTicks(ticks, sizeIn(tick, form.tick)) !== undefined;
  return {
    ...form,
    as: tickNames.find((tick) => sizeIn(tick, form.tick) >= 1n && isWhole(tick)) ?? form.tick,
  };
}

/**
 * Counts of datetime64.
 * @throws UnsupportedError where the unit does not hold a date: see `formOfUnits`
 */
export function datetimeCounts(coding: DateCoding, stored: Block, form: DateForm, unit: Tick): BigInt64Array {
  const ticks = ticksOf(coding, stored, form);
  const least = coding.calendar.name === 'standard' ? leastTick(ticks) : undefined;
  if (least !== undefined && least < firstGregorianTick(form.tick))
    throw badValue(coding.name, 'a date lies before 1582-10-15, where the calendar "standard" is Julian');
  const counts = coarserTicks(ticks, sizeIn(unit, form.tick));
  if (counts !== undefined) return counts;
  throw badValue(coding.name, `a date is no whole number of ${unit}, as all were before`);
}

function firstGregorianTick(tick: Tick): bigint {
  return BigInt(FIRST_GREGORIAN_DAY) * 86_400n * BigInt(ticksPerSecond(tick));
}

/** How many of `tick` make a `unit`; 0 where it is the other way round. */
function sizeIn(unit: Tick, tick: Tick): bigint {
  return BigInt(Math.floor(nanosecondsOf(unit) / nanosecondsOf(tick)));
}
