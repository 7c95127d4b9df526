/** Labels that operations create, such as those of groups, and their description as a coordinate. */
import {
  type Block,
  blockOfValues,
  type DataType,
  type DimLabels,
  itemsInSteps,
  type JsonObject,
  type LabelWrap,
  NAT,
  numberType,
  runToEnd,
  UnsupportedError,
} from '../../zarr/index.js';
import { textAttribute } from '../attributes.js';
import { nanosecondsOf, type Tick } from '../calendar/parse-time-units.js';
import type { TimeAxis, VariableDecoding } from '../decode/decoding.js';
import { plainDecoding } from '../decode/plan-decoding.js';
import { tickDecoding, tickOfType, tickType } from '../decode/tick-decoding.js';
import { wrappedBlock } from '../labels/wrapped-slice.js';
import { meanNumbers, meanTicks, statesLongitude } from './mean-labels.js';

/** A coordinate that an operation created, with the kind, calendar and units of the coordinate it was computed from. */
export class MadeLabels implements DimLabels {
  /** One label per position. Dates are ticks. */
  readonly stored: Block;
  readonly decoding: VariableDecoding;
  /** The bounds of the interval of each label, in the same form: shape [labels, 2]. */
  readonly bounds: Block | undefined;
  readonly units: string | undefined;
  readonly attributes: JsonObject;

  constructor(
    readonly name: string,
    parts: Pick<MadeLabels, 'stored'> & Partial<Omit<MadeLabels, 'name' | 'stored'>>,
  ) {
    this.stored = parts.stored;
    this.decoding = parts.decoding ?? plainDecoding(name, parts.stored);
    this.bounds = parts.bounds;
    this.units = parts.units;
    this.attributes = parts.attributes ?? {};
  }

  /** The mean labels of blocks of positions; undefined if the labels are neither dates nor numbers. */
  inBlocks(positions: Float64Array, size: number, wrap?: LabelWrap): MadeLabels | undefined {
    const { name, units, attributes, decoding, stored } = this;
    const described = { units, attributes };
    const { times } = decoding;
    if (times !== undefined) {
      const ticks = times.ticks(stored);
      const means = meanTicks(
        BigInt64Array.from(positions, (position) => ticks[position] ?? NAT),
        size,
      );
      const labels = runToEnd(dateLabels(name, times, means, decoding.dtype));
      return new MadeLabels(name, { ...described, ...labels });
    }
    const isLongitude = statesLongitude(units, textAttribute(attributes, 'standard_name'));
    const moved = wrap === undefined ? stored : wrappedBlock(decoding.decode(stored), wrap);
    const values = meanNumbers(moved, positions, size, isLongitude);
    return values === undefined ? undefined : new MadeLabels(name, { ...described, stored: values });
  }
}

/** Creates integer labels as int32, because JSON responses represent int64 as text. */
export function integerLabels(values: ArrayLike<number>): Block {
  const bytes = new Uint8Array(Int32Array.from(values).buffer);
  return { dtype: numberType('int32'), shape: [values.length], bytes };
}

export function floatLabels(values: Float64Array, shape: readonly number[] = [values.length]): Block {
  return { dtype: numberType('float64'), shape, bytes: new Uint8Array(values.slice().buffer) };
}

/** A few labels of text. */
export function namedTexts(name: string, values: readonly string[]): MadeLabels {
  return new MadeLabels(name, { stored: runToEnd(textLabels(values)) });
}

/** Yields every few thousand labels. */
export function* textLabels(values: readonly (string | null)[]): Generator<void, Block, void> {
  const dtype = { name: 'string', itemSize: null } as const;
  return { dtype, shape: [values.length], items: yield* itemsInSteps(values, dtype) };
}

/**
 * Creates date labels. Their type is that of the source coordinate, or the unit of the ticks if that type cannot
 * represent all labels exactly. Yields every few thousand labels.
 * @param times the time axis of the source coordinate
 * @param ticks nobody modifies them afterwards, nor `bounds`
 * @param bounds further dates of the same type: pairs
 */
export function* dateLabels(
  name: string,
  times: TimeAxis,
  ticks: BigInt64Array,
  dtype: DataType,
  bounds?: BigInt64Array,
): Generator<void, Pick<MadeLabels, 'stored' | 'decoding' | 'bounds'>, void> {
  const { tick } = times;
  const isExact =
    (yield* areExact(ticks, tick, dtype)) && (bounds === undefined || (yield* areExact(bounds, tick, dtype)));
  return {
    stored: tickBlock(ticks, tick, [ticks.length]),
    bounds: bounds === undefined ? undefined : tickBlock(bounds, tick, [ticks.length, 2]),
    decoding: tickDecoding(name, times, tick, isExact ? dtype : tickType(tick)),
  };
}

function tickBlock(ticks: BigInt64Array, tick: Tick, shape: readonly number[]): Block {
  const bytes = new Uint8Array(ticks.buffer, ticks.byteOffset, ticks.byteLength);
  return { dtype: tickType(tick), shape, bytes };
}

/** Whether dates of a type represent all ticks exactly. */
function* areExact(ticks: BigInt64Array, tick: Tick, dtype: DataType): Generator<void, boolean, void> {
  if (dtype.name !== 'numpy.datetime64') return true;
  const unit = tickOfType(dtype);
  if (unit === undefined) return false;
  const ratio = BigInt(nanosecondsOf(unit) / nanosecondsOf(tick));
  if (ratio === 1n) return true;
  for (let i = 0; i < ticks.length; i++) {
    if (i % STEP === STEP - 1) yield;
    const count = ticks[i] ?? NAT;
    if (count !== NAT && count % ratio !== 0n) return false;
  }
  return true;
}

/** Number of labels compared between two yields. */
const STEP = 4096;

/** @returns `tick` @throws UnsupportedError if it does not fit in 64 bits */
export function checkedTick(tick: bigint): bigint {
  if (BigInt.asIntN(64, tick) === tick) return tick;
  throw new UnsupportedError(
    'the label of a group is a date that does not fit in the 64-bit integers of the coordinate',
  );
}

/** Converts values to the type of the coordinate. */
export function sameLabels(values: readonly unknown[], dtype: DataType): Block {
  return blockOfValues(values, dtype, 1);
}
