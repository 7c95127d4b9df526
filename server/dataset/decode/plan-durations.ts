/** Lengths of time: numbers in "days" and so on, where xarray's attribute `dtype: "timedelta64[...]"` says so. */
import type { Block, JsonObject, TimeType } from '../../zarr/index.js';
import { MISSING_TICKS } from '../calendar/date-text.js';
import { finest, nanosecondsOf, tickNames, type Tick } from '../calendar/ticks.js';
import type { TimeStep } from '../calendar/parse-time-units.js';
import { badAttribute, badValue } from './bad-attribute.js';
import { createDecoding } from './create-decoding.js';
import type { Decoding } from './decoding.js';
import { isUnpackedFloat, longsOf, unpack, type Packing, type RealVariable } from './packed-numbers.js';
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
  const tick = finest(step.tick, isDeclared ? declaredTick(variable, declared) : 'ns');
  const encoding: JsonObject = { ...packing.encoding, units, ...(isDeclared ? { dtype: declared } : {}) };
  const dtype: TimeType = { name: 'numpy.timedelta64', itemSize: 8, unit: tick, scale: 1 };
  const decode = (stored: Block): Block => {
    const result = durationTicks(stored, packing, step, tick);
    if ('beyond' in result)
      throw badValue(variable.name, `${result.beyond} ${units} are beyond 64 bits of ${tick}`);
    return { dtype, shape: stored.shape, bytes: new Uint8Array(result.ticks.buffer) };
  };
  return createDecoding(variable, { dtype, encoding, missing: 'nat', decode });
}

function durationTicks(stored: Block, packing: Packing, step: TimeStep, tick: Tick): Ticks {
  const values = unpack(stored, packing, 'float64');
  const factor = step.count * (nanosecondsOf(step.tick) / nanosecondsOf(tick));
  if (!isUnpackedFloat(packing)) return integerTicks(values, longsOf(stored, packing), { start: 0n, factor });
  const ticks = new BigInt64Array(values.length);
  for (const [i, value] of values.entries()) {
    const count = floatDuration(value, step, tick);
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

/**
 * As xarray: the number is taken to finer and finer ticks until it is whole, or nanoseconds are reached. Beyond that
 * the declared type counts: what it cannot hold is rounded to it.
 * @returns undefined where it does not fit
 */
function floatDuration(value: number, step: TimeStep, tick: Tick): bigint | undefined {
  if (Number.isNaN(value)) return MISSING_TICKS;
  let count = value * step.count;
  let index = tickNames.indexOf(step.tick);
  for (; index < tickNames.length - 1 && !Number.isInteger(count); index++) count *= 1000;
  if (!(Math.abs(count) < 2 ** 63)) return undefined;
  const has = nanosecondsOf(tickNames[index] ?? 'ns');
  const wanted = nanosecondsOf(tick);
  if (has < wanted) return fit(BigInt(Math.round(Math.trunc(count) / (wanted / has))));
  return fit(BigInt(Math.trunc(count)) * BigInt(has / wanted));
}
