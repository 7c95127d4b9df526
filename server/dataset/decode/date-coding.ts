/** Converts the stored numbers of a variable to ticks of its calendar. */
import {
  type Block,
  blockOfValues,
  dataOf,
  NAT,
  numberType,
  type TickTransform,
  transformBlock,
  tryTransformBlock,
} from '../../zarr/index.js';
import { FIRST_GREGORIAN_DAY, type Calendar } from '../calendar/calendars.js';
import {
  nanosecondsOf,
  type Tick,
  tickNames,
  ticksPerSecond,
  type TimeUnits,
} from '../calendar/parse-time-units.js';
import { messageAround, valueMessage } from '../attributes.js';
import { blockPieces } from './decode-cooperatively.js';
import { isUnpackedFloat, type Packing } from './packed-numbers.js';
import { plainIntegers } from './plain-integers.js';

export interface DateCoding {
  /** The variable's name, for messages. */
  readonly name: string;
  readonly packing: Packing;
  readonly calendar: Calendar;
  readonly units: TimeUnits;
}

/** How all values of a variable are represented. */
export interface DateForm {
  /** Resolution of the ticks; at least as fine as `TimeUnits.tick`. */
  readonly tick: Tick;
  /** Rounding of floats: to the nearest tick, as cftime does, or towards zero, as pandas does. */
  readonly rounding: 'nearest' | 'towardsZero';
  /** Unit of datetime64, at least as coarse as the tick; or text. */
  readonly as: Tick | 'text';
}

/** Number of ticks per unit. */
export function ticksPerUnit({ step }: TimeUnits, tick: Tick): number {
  return step.count * (nanosecondsOf(step.tick) / nanosecondsOf(tick));
}

/**
 * @returns ticks since the calendar's day 0; -2^63 for missing values
 * @throws UnsupportedError if a date does not fit in 64 bits
 */
export function ticksOf(coding: DateCoding, stored: Block, form: DateForm): BigInt64Array {
  return dataOf(transformBlock(tickTransform(coding, form), stored), 'numpy.datetime64');
}

/**
 * Converts to ticks, or to counts of a coarser unit.
 * @param as the target unit; all counts must be integers, and all dates must exist in the proleptic
 * Gregorian calendar
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
      message: valueMessage(name, `a date is not a whole number of ${unit}, unlike all previous dates`),
    },
    earliest:
      as !== undefined && calendar.name === 'standard'
        ? {
            tick: firstGregorianTick(tick),
            message: valueMessage(
              name,
              'a date is before 1582-10-15, where the calendar "standard" is Julian',
            ),
          }
        : undefined,
    beyond: messageAround(name, 'the date of ', ` does not fit in a 64-bit count of ${tick}`),
  };
}

/**
 * The form chosen without reading values. Correct except for dates before 1582-10-15 in the standard
 * calendar, which datetime64 cannot represent.
 */
export function formOfUnits({ calendar, packing, units }: DateCoding): DateForm {
  const tick = isUnpackedFloat(packing) && units.tick !== 'ns' ? 'us' : units.tick;
  const isGregorian =
    calendar.name === 'proleptic_gregorian' ||
    (calendar.name === 'standard' && units.day >= FIRST_GREGORIAN_DAY);
  return { tick, rounding: 'nearest', as: isGregorian ? tick : 'text' };
}

/**
 * Chooses the form by the values, as xarray does. If all dates in floats fit nanoseconds (1677 to 2262),
 * they are truncated to nanoseconds, as in pandas. Otherwise, for abbreviated units, and for reference times
 * before 1582-10-15 in the standard calendar, they are rounded to microseconds, as in cftime. In all cases,
 * the unit is the coarsest that represents all of them exactly. If a date of the standard calendar is before
 * 1582-10-15, all become text.
 */
export function* formOfValues(coding: DateCoding, stored: Block): Generator<void, DateForm, void> {
  const { calendar, packing, units } = coding;
  const general = formOfUnits(coding);
  const isFloat = isUnpackedFloat(packing);
  const precise: DateForm = { tick: 'ns', rounding: 'towardsZero', as: 'ns' };
  const maySuit = isFloat && general.as !== 'text' && units.isWholeWord;
  const fitting = maySuit ? yield* surveyTicks(coding, precise, stored) : undefined;
  const form = fitting === undefined ? general : precise;
  const survey = fitting ?? (yield* surveyTicks(coding, general, yield* endsOrAll(coding, stored)));
  if (survey?.least === undefined) return general;
  if (calendar.name === 'standard' && survey.least < firstGregorianTick(form.tick))
    return { ...general, as: 'text' };
  return { ...form, as: isFloat ? (survey.units[0] ?? form.tick) : form.tick };
}

/** Among integers, only the earliest date matters, and whether all fit in 64 bits. */
function* endsOrAll({ packing: { values } }: DateCoding, stored: Block): Generator<void, Block, void> {
  const plain = yield* plainIntegers(stored, values);
  return plain === undefined ? stored : blockOfValues(plain.ends, numberType(values.name), 2);
}

interface TickSurvey {
  /** The earliest tick that is not missing. */
  readonly least: bigint | undefined;
  /** The units that represent all ticks exactly, the coarsest first. */
  readonly units: readonly Tick[];
}

/**
 * @returns undefined if ticks rounded towards zero do not fit in 64 bits
 * @throws UnsupportedError if ticks rounded to the nearest do not
 */
function* surveyTicks(
  coding: DateCoding,
  form: DateForm,
  stored: Block,
): Generator<void, TickSurvey | undefined, void> {
  const transform = tickTransform(coding, form);
  let least: bigint | undefined;
  let units = tickNames.filter((unit) => sizeIn(unit, form.tick) >= 1);
  for (const { part } of blockPieces(stored)) {
    const block =
      form.rounding === 'nearest' ? transformBlock(transform, part) : tryTransformBlock(transform, part);
    if (block === undefined) return undefined;
    const ticks = dataOf(block, 'numpy.datetime64');
    for (const count of ticks) if (count !== NAT && (least === undefined || count < least)) least = count;
    units = units.filter((unit) => areMultiples(ticks, BigInt(sizeIn(unit, form.tick))));
    yield;
  }
  return { least, units };
}

function firstGregorianTick(tick: Tick): bigint {
  return BigInt(FIRST_GREGORIAN_DAY) * 86_400n * BigInt(ticksPerSecond(tick));
}

/** Number of `tick`s in a `unit`; 0 if `tick` is coarser than `unit`. */
function sizeIn(unit: Tick, tick: Tick): number {
  return Math.floor(nanosecondsOf(unit) / nanosecondsOf(tick));
}

function areMultiples(ticks: BigInt64Array, size: bigint): boolean {
  return size === 1n || ticks.every((count) => count === NAT || count % size === 0n);
}
