/** How the numbers of one variable count dates: from stored values to ticks of the variable's own calendar. */
import {
  type Block,
  dataOf,
  NAT,
  numberType,
  type TickTransform,
  transformBlock,
  tryTransformBlock,
} from '../../zarr/index.js';
import { FIRST_GREGORIAN_DAY, type Calendar } from '../calendar/calendars.js';
import type { TimeUnits } from '../calendar/parse-time-units.js';
import { nanosecondsOf, tickNames, ticksPerSecond, type Tick } from '../calendar/ticks.js';
import { messageAround, valueMessage } from './bad-attribute.js';
import { isUnpackedFloat, type Packing } from './packed-numbers.js';

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
  return dataOf(transformBlock(tickTransform(coding, form), stored), 'numpy.datetime64');
}

/**
 * Ticks, or counts of a coarser unit.
 * @param as the unit; its counts must be whole, and dates those of the proleptic Gregorian calendar
 */
export function tickTransform(
  { name, calendar, packing, units }: DateCoding,
  { tick, rounding }: Pick<DateForm, 'tick' | 'rounding'>,
  as?: Tick,
): TickTransform {
  const perSecond = BigInt(ticksPerSecond(tick));
  const ofDay = Math.floor(units.nanoseconds / nanosecondsOf(tick));
  const start = BigInt(units.day) * 86_400n * perSecond + BigInt(ofDay);
  const factor = ticksPerUnit(units, tick);
  const unit = as ?? tick;
  return {
    kind: 'ticks',
    sourceBytes: numberType(packing.values.name).itemSize,
    dtype: { name: 'numpy.datetime64', itemSize: 8, unit, scale: 1 },
    values: packing.values,
    count: isUnpackedFloat(packing)
      ? { kind: 'floats', start, factor, rounding, snap: tick === 'us' && units.step.tick === 's' }
      : { kind: 'integers', start, factor },
    unit: {
      ticks: sizeIn(unit, tick),
      message: valueMessage(name, `a date is no whole number of ${unit}, as all were before`),
    },
    earliest:
      as !== undefined && calendar.name === 'standard'
        ? {
            tick: firstGregorianTick(tick),
            message: valueMessage(
              name,
              'a date lies before 1582-10-15, where the calendar "standard" is Julian',
            ),
          }
        : undefined,
    beyond: messageAround(name, 'the date of ', ` is beyond 64 bits of ${tick}`),
  };
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
  const attempt = maySuit ? tryTransformBlock(tickTransform(coding, precise), stored) : undefined;
  const form = attempt === undefined ? general : precise;
  const ticks =
    attempt === undefined ? ticksOf(coding, stored, general) : dataOf(attempt, 'numpy.datetime64');
  const least = leastTick(ticks);
  if (least === undefined) return general;
  if (calendar.name === 'standard' && least < firstGregorianTick(form.tick))
    return { ...general, as: 'text' };
  if (!isFloat) return { ...form, as: form.tick };
  const isWhole = (tick: Tick) => areMultiples(ticks, BigInt(sizeIn(tick, form.tick)));
  return {
    ...form,
    as: tickNames.find((tick) => sizeIn(tick, form.tick) >= 1 && isWhole(tick)) ?? form.tick,
  };
}

function firstGregorianTick(tick: Tick): bigint {
  return BigInt(FIRST_GREGORIAN_DAY) * 86_400n * BigInt(ticksPerSecond(tick));
}

/** How many of `tick` make a `unit`; 0 where it is the other way round. */
function sizeIn(unit: Tick, tick: Tick): number {
  return Math.floor(nanosecondsOf(unit) / nanosecondsOf(tick));
}

/** The least of the ticks that are not missing. */
function leastTick(ticks: BigInt64Array): bigint | undefined {
  let least: bigint | undefined;
  for (const count of ticks) if (count !== NAT && (least === undefined || count < least)) least = count;
  return least;
}

function areMultiples(ticks: BigInt64Array, size: bigint): boolean {
  return size === 1n || ticks.every((count) => count === NAT || count % size === 0n);
}
