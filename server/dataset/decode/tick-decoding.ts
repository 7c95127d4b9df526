/**
 * Decodes dates that were computed from a coordinate, such as means. They are ticks of its calendar; labels and
 * tolerances have the same meaning as for the coordinate.
 */
import {
  type Block,
  dataOf,
  type DataType,
  itemsOfValues,
  NAT,
  plainNumbers,
  type TickTransform,
  type TimeType,
  transformBlock,
} from '../../zarr/index.js';
import { messageAround, valueMessage } from '../attributes.js';
import { dateTexts, type DateStyle } from '../calendar/date-text.js';
import { nanosecondsOf, type Tick, tickNames } from '../calendar/parse-time-units.js';
import { createDecoding, labelAxis } from './create-decoding.js';
import type { TimeAxis, VariableDecoding } from './decoding.js';

/** The type of a block of ticks. */
export function tickType(tick: Tick): TimeType {
  return { name: 'numpy.datetime64', itemSize: 8, unit: tick, scale: 1 };
}

/** The tick that equals the unit of a datetime64; undefined for days, years and multiples of a unit. */
export function tickOfType(dtype: DataType): Tick | undefined {
  if (dtype.name !== 'numpy.datetime64' || dtype.scale !== 1) return undefined;
  return tickNames.find((name) => name === dtype.unit);
}

/**
 * @param times the time axis of the coordinate from which the dates were computed
 * @param tick unit of the dates; not finer than that of `times`
 * @param dtype type of decoded dates: a datetime64 whose unit represents all of them exactly, or text
 */
export function tickDecoding(name: string, times: TimeAxis, tick: Tick, dtype: DataType): VariableDecoding {
  const stored = tickType(tick);
  const style = { ...times.style, tick };
  const calendar = times.calendar;
  const axis = inTicks(name, times, style);
  const plain = { name, zarrFormat: 3, dtype: stored, shape: [], attributes: {}, fill: undefined } as const;
  const unit = tickOfType(dtype);
  if (unit !== undefined)
    return createDecoding(plain, {
      dtype: tickType(unit),
      encoding: {},
      missing: 'nat',
      calendar,
      times: axis,
      ...(unit === tick ? {} : { transform: transformOf(name, tick, unit) }),
    });
  const text = { name: 'string', itemSize: null } as const;
  return createDecoding(plain, {
    dtype: text,
    encoding: {},
    missing: 'null',
    calendar,
    times: axis,
    decode: (block: Block): Block => ({
      dtype: text,
      shape: block.shape,
      items: itemsOfValues(dateTexts(axis.ticks(block), style), text),
    }),
  });
}

/** Decodes a coordinate to ticks of its calendar instead of datetime64 or text. */
export function toTicks(decoding: VariableDecoding, { transform }: TimeAxis): VariableDecoding {
  const { dtype } = transform;
  return {
    ...decoding,
    dtype,
    elementBytes: dtype.itemSize,
    isIdentity: false,
    transform,
    missing: 'nat',
    refine: undefined,
    decode: (stored) => transformBlock(transform, stored),
  };
}

function inTicks(name: string, times: TimeAxis, style: DateStyle): TimeAxis {
  const ratio = nanosecondsOf(style.tick) / nanosecondsOf(times.tick);
  const transform = transformOf(name, style.tick, style.tick);
  return {
    ...labelAxis(style),
    ticksPerUnit: times.ticksPerUnit / ratio,
    transform,
    ticks: (block) => dataOf(transformBlock(transform, block), 'numpy.datetime64'),
    tickOf(label) {
      const tick = times.tickOf(label);
      return tick === NAT || ratio === 1 ? tick : tick / BigInt(ratio);
    },
  };
}

function transformOf(name: string, tick: Tick, unit: Tick): TickTransform {
  return {
    kind: 'ticks',
    sourceBytes: 8,
    dtype: tickType(unit),
    values: plainNumbers('int64'),
    count: { kind: 'integers', start: 0n, factor: 1 },
    unit: {
      ticks: nanosecondsOf(unit) / nanosecondsOf(tick),
      message: valueMessage(name, `a date is not a whole number of ${unit}`),
    },
    earliest: undefined,
    beyond: messageAround(name, 'the date of ', ` does not fit in a 64-bit count of ${unit}`),
  };
}
