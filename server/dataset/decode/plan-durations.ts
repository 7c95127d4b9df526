/**
 * Durations: numbers with a unit such as "days" that xarray's attribute `dtype: "timedelta64[...]"` declares
 * to be durations; by option, the unit alone is sufficient.
 */
import {
  type DurationStep,
  type JsonObject,
  numberType,
  type TickTransform,
  wholeDuration,
} from '../../zarr/index.js';
import { finest, nanosecondsOf, type Tick, tickNames, type TickStep } from '../calendar/parse-time-units.js';
import { badAttribute, messageAround } from '../attributes.js';
import { blockPieces } from './decode-cooperatively.js';
import type { VariableDecoding } from './decoding.js';
import { createDecoding } from './create-decoding.js';
import {
  isScaled,
  isUnpackedFloat,
  unpack,
  unpackedType,
  type Packing,
  type RealVariable,
} from './packed-numbers.js';

/** The units of durations, plural only, as in xarray. */
const steps: Readonly<Record<string, TickStep>> = {
  days: { count: 86_400, tick: 's' },
  hours: { count: 3600, tick: 's' },
  minutes: { count: 60, tick: 's' },
  seconds: { count: 1, tick: 's' },
  milliseconds: { count: 1, tick: 'ms' },
  microseconds: { count: 1, tick: 'us' },
  nanoseconds: { count: 1, tick: 'ns' },
};

/**
 * @param byUnits whether the unit alone is sufficient
 * @returns undefined if the numbers are not durations
 * @throws MetadataError if the attribute dtype starts with "timedelta64", but its unit is unknown
 */
export function planDurations(
  variable: RealVariable,
  packing: Packing,
  byUnits: boolean,
): VariableDecoding | undefined {
  const { units, dtype: declared } = variable.attributes;
  if (typeof units !== 'string' || !Object.hasOwn(steps, units)) return undefined;
  const step = steps[units];
  const isDeclared = typeof declared === 'string' && declared.startsWith('timedelta64');
  if (step === undefined || !(isDeclared || byUnits)) return undefined;
  const least = finest(step.tick, isDeclared ? declaredTick(variable, declared) : 'ns');
  const encoding: JsonObject = { ...packing.encoding, units, ...(isDeclared ? { dtype: declared } : {}) };
  const decodingOf = (tick: Tick, refine?: VariableDecoding['refine']): VariableDecoding => {
    const transform = durationTransform(variable.name, units, packing, step, tick);
    const { dtype } = transform;
    return createDecoding(variable, { dtype, encoding, missing: 'nat', transform, refine });
  };
  if (!isUnpackedFloat(packing)) return decodingOf(least);
  return decodingOf(least, function* (stored) {
    let tick = least;
    for (const { part } of blockPieces(stored)) {
      tick = finestTick(tick, unpack(part, packing), floatStep(packing, step));
      yield;
    }
    return decodingOf(tick);
  });
}

function durationTransform(
  name: string,
  units: string,
  packing: Packing,
  step: TickStep,
  tick: Tick,
): TickTransform {
  return {
    kind: 'ticks',
    sourceBytes: numberType(packing.values.name).itemSize,
    dtype: { name: 'numpy.timedelta64', itemSize: 8, unit: tick, scale: 1 },
    values: packing.values,
    count: isUnpackedFloat(packing)
      ? { kind: 'durations', step: floatStep(packing, step), nanoseconds: nanosecondsOf(tick) }
      : {
          kind: 'integers',
          start: 0n,
          factor: step.count * (nanosecondsOf(step.tick) / nanosecondsOf(tick)),
        },
    unit: undefined,
    earliest: undefined,
    beyond: messageAround(name, '', ` ${units} do not fit in a 64-bit count of ${tick}`),
  };
}

/**
 * The tick of a declared duration. xarray supports only seconds to nanoseconds: coarser units become seconds,
 * finer ones nanoseconds.
 */
function declaredTick(variable: RealVariable, declared: string): Tick {
  const unit = /^timedelta64\[(Y|M|W|D|h|m|s|ms|us|ns|ps|fs|as)\]$/.exec(declared)?.[1];
  if (unit === undefined)
    throw badAttribute(variable.name, 'dtype', declared, 'expected a form such as "timedelta64[ns]"');
  if (/^(Y|M|W|D|h|m)$/.test(unit)) return 's';
  return tickNames.find((tick) => tick === unit) ?? 'ns';
}

function floatStep(packing: Packing, { count, tick }: TickStep): DurationStep {
  const isSingle = !isScaled(packing) && unpackedType(packing) === 'float32' && count === 1;
  return { count, nanoseconds: nanosecondsOf(tick), isSingle };
}

function finestTick(least: Tick, values: Float64Array, step: DurationStep): Tick {
  let shortest = nanosecondsOf(least);
  for (const value of values) shortest = Math.min(shortest, wholeDuration(value, step).nanoseconds);
  return tickNames.find((tick) => nanosecondsOf(tick) === shortest) ?? 'ns';
}
