/** Lengths of time: numbers in "days" and so on, where xarray's attribute `dtype: "timedelta64[...]"` says so. */
import type { Block, JsonObject, TimeType } from '../../zarr/index.js';
import { MISSING_TICKS } from '../calendar/date-text.js';
import { finest, nanosecondsOf, tickNames, type Tick } from '../calendar/ticks.js';
import type { TimeStep } from '../calendar/parse-time-units.js';
import { badAttribute, badValue } from './bad-attribute.js';
import { createDecoding } from './create-decoding.js';
import type { Decoding } from './decoding.js';
import type { Floats } from './number-kernels.js';
import {
  isScaled,
  isUnpackedFloat,
  longsOf,
  unpack,
  unpackedType,
  type Packing,
  type RealVariable,
} from './packed-numbers.js';
import { fit, integerTicks, type Ticks } from './tick-kernels.js';

/** The only units of durations, as in xarray: in the plural. */
const steps: Readonly<Record<string, TimeStep>> = {
  days: { count: 86_400, tick: 's' },
  hours: { count: 3600, tick: 's' },
  minutes: { count: 60, tick: 's' },
  seconds: { count: 1, tick: 's' },
  milliseconds: { count: 1, tick: 'ms' },
  microseconds: { count: 1, tick: 'us' },
  nanoseconds: { count: 1, tick: 'ns' },
};

/**
 * @param byUnits whether the unit alone is enough
 * @returns undefined where the numbers are no durations
 * @throws MetadataError where the attribute dtype is no timedelta64
 */
export function planDurations(
  variable: RealVariable,
  packing: Packing,
  byUnits: boolean,
): Decoding | undefined {
  const { units, dtype: declared } = variable.attributes;
  if (typeof units !== 'string' || !Object.hasOwn(steps, units)) return undefined;
  const step = steps[units];
  const isDeclared = typeof declared === 'string' && declared.startsWith('timedelta64');
  if (step === undefined || !(isDeclared || byUnits)) return undefined;
  const least = finest(step.tick, isDeclared ? declaredTick(variable, declared) : 'ns');
  const encoding: JsonObject = { ...packing.encoding, units, ...(isDeclared ? { dtype: declared } : {}) };
  const decodingOf = (tick: Tick, refine?: Decoding['refine']): Decoding => {
    const dtype: TimeType = { name: 'numpy.timedelta64', itemSize: 8, unit: tick, scale: 1 };
    const decode = (stored: Block): Block => {
      const result = durationTicks(stored, packing, step, tick);
      if ('beyond' in result)
        throw badValue(variable.name, `${result.beyond} ${units} are beyond 64 bits of ${tick}`);
      return { dtype, shape: stored.shape, bytes: new Uint8Array(result.ticks.buffer) };
    };
    return createDecoding(variable, { dtype, encoding, missing: 'nat', decode, refine });
  };
  if (!isUnpackedFloat(packing)) return decodingOf(least);
  return decodingOf(least, (stored) => {
    const values = unpack(stored, packing, 'float64');
    return decodingOf(finestTick(least, values, floatStep(packing, step)));
  });
}

function durationTicks(stored: Block, packing: Packing, step: TimeStep, tick: Tick): Ticks {
  const values = unpack(stored, packing, 'float64');
  const factor = step.count * (nanosecondsOf(step.tick) / nanosecondsOf(tick));
  if (!isUnpackedFloat(packing)) return integerTicks(values, longsOf(stored, packing), { start: 0n, factor });
  const ticks = new BigInt64Array(values.length);
  const counted = floatStep(packing, step);
  for (const [i, value] of values.entries()) {
    const count = floatDuration(value, counted, tick);
    if (count === undefined) return { beyond: value };
    ticks[i] = count;
  }
  return { ticks };
}

/** xarray knows seconds to nanoseconds only: coarser ones become seconds, finer ones nanoseconds. */
function declaredTick(variable: RealVariable, declared: string): Tick {
  const unit = /^timedelta64\[(Y|M|W|D|h|m|s|ms|us|ns|ps|fs|as)\]$/.exec(declared)?.[1];
  if (unit === undefined)
    throw badAttribute(variable.name, 'dtype', declared, 'expected a form such as "timedelta64[ns]"');
  if (/^(Y|M|W|D|h|m)$/.test(unit)) return 's';
  return tickNames.find((tick) => tick === unit) ?? 'ns';
}

interface FloatStep extends TimeStep {
  /** Whether to compute in float32. */
  readonly isSingle: boolean;
}

function floatStep(packing: Packing, step: TimeStep): FloatStep {
  return { ...step, isSingle: !isScaled(packing) && unpackedType(packing) === 'float32' && step.count === 1 };
}

function finestTick(least: Tick, values: Floats, step: FloatStep): Tick {
  let tick = least;
  for (const value of values) tick = finest(tick, wholeDuration(value, step).tick);
  return tick;
}

/**
 * As xarray: the number is taken to finer and finer ticks until it is whole, or nanoseconds are reached; that in the
 * precision of its type, unless it was counted in longer units than seconds.
 */
function wholeDuration(value: number, step: FloatStep): TimeStep {
  let count = value * step.count;
  let index = tickNames.indexOf(step.tick);
  if (Number.isFinite(count))
    for (; index < tickNames.length - 1 && !Number.isInteger(count); index++)
      count = step.isSingle ? Math.fround(count * 1000) : count * 1000;
  return { count: Math.trunc(count), tick: tickNames[index] ?? 'ns' };
}

/**
 * What the unit cannot hold is rounded to it: see `refine` for the one that holds all.
 * @returns undefined where it does not fit
 */
function floatDuration(value: number, step: FloatStep, tick: Tick): bigint | undefined {
  if (Number.isNaN(value)) return MISSING_TICKS;
  const { count, tick: own } = wholeDuration(value, step);
  if (!(Math.abs(count) < 2 ** 63)) return undefined;
  const [has, wanted] = [nanosecondsOf(own), nanosecondsOf(tick)];
  if (has < wanted) return fit(BigInt(Math.round(count / (wanted / has))));
  return fit(BigInt(count) * BigInt(has / wanted));
}
