/** Labels that operations create, such as those of groups, and their description as a coordinate. */
import {
  type Block,
  blockOfValues,
  type DataType,
  type DimLabels,
  itemsOfValues,
  type JsonObject,
  NAT,
  numberType,
  UnsupportedError,
  type ResolvedDim,
  type ResolvedSelection,
  sizeOf,
  type SliceOrigin,
  takeElements,
} from '../../zarr/index.js';
import { textAttribute } from '../attributes.js';
import { dateTexts, type DateStyle } from '../calendar/date-text.js';
import { nanosecondsOf, type Tick, tickNames } from '../calendar/parse-time-units.js';
import { countAlong, positionAlong } from '../positions.js';
import { meanNumbers, meanTicks, statesLongitude } from './mean-labels.js';

/** Dates as ticks of their calendar. */
export interface DateTicks {
  readonly ticks: BigInt64Array;
  readonly style: DateStyle;
}

export class MadeLabels implements DimLabels {
  readonly values: Block;
  readonly bounds: Block | undefined;
  readonly units: string | undefined;
  readonly calendar: string | undefined;
  readonly attributes: JsonObject;
  /** The labels as ticks. Set if the labels are dates. */
  readonly dates: DateTicks | undefined;

  constructor(
    readonly name: string,
    parts: Pick<MadeLabels, 'values'> & Partial<Omit<MadeLabels, 'name' | 'values'>>,
  ) {
    this.values = parts.values;
    this.bounds = parts.bounds;
    this.units = parts.units;
    this.calendar = parts.calendar;
    this.attributes = parts.attributes ?? {};
    this.dates = parts.dates;
  }

  /** The mean labels of blocks of positions; undefined if the labels are neither dates nor numbers. */
  inBlocks(positions: Float64Array, size: number): MadeLabels | undefined {
    const { name, units, calendar, attributes, dates } = this;
    const described = { units, calendar, attributes };
    if (dates !== undefined) {
      const ticks = BigInt64Array.from(positions, (position) => dates.ticks[position] ?? NAT);
      const means = { ticks: meanTicks(ticks, size), style: dates.style };
      const values = dateLabels(means, meanType(means, this.values.dtype));
      return new MadeLabels(name, { ...described, values, dates: means });
    }
    const isLongitude = statesLongitude(units, textAttribute(attributes, 'standard_name'));
    const values = meanNumbers(this.values, positions, size, isLongitude);
    return values === undefined ? undefined : new MadeLabels(name, { ...described, values });
  }
}

/** Creates integer labels as int32, because JSON responses represent int64 as text. */
export function integerLabels(values: readonly number[]): Block {
  const bytes = new Uint8Array(Int32Array.from(values).buffer);
  return { dtype: numberType('int32'), shape: [values.length], bytes };
}

export function floatLabels(values: Float64Array, shape: readonly number[] = [values.length]): Block {
  return { dtype: numberType('float64'), shape, bytes: new Uint8Array(values.slice().buffer) };
}

export function textLabels(values: readonly (string | null)[], shape = [values.length]): Block {
  const dtype = { name: 'string', itemSize: null } as const;
  return { dtype, shape, items: itemsOfValues(values, dtype) };
}

/**
 * Creates date labels in the unit of their source coordinate, or in that of the ticks if the former is not a
 * single s, ms, us or ns; text if the source is text.
 */
export function dateLabels({ ticks, style }: DateTicks, type: DataType, shape = [ticks.length]): Block {
  if (type.name !== 'numpy.datetime64') return textLabels(dateTexts(ticks, style), shape);
  const unit: Tick =
    type.scale === 1 ? (tickNames.find((name) => name === type.unit) ?? style.tick) : style.tick;
  const ratio = BigInt(nanosecondsOf(unit) / nanosecondsOf(style.tick));
  const counts = ticks.map((tick) => (tick === NAT ? NAT : tick / ratio));
  return {
    dtype: { name: 'numpy.datetime64', itemSize: 8, unit, scale: 1 },
    shape,
    bytes: new Uint8Array(counts.buffer),
  };
}

/**
 * The type of means of dates: the type of the dates, or the unit of the ticks if that type cannot represent
 * the means.
 */
export function meanType({ ticks, style }: DateTicks, type: DataType): DataType {
  if (type.name !== 'numpy.datetime64') return type;
  const unit = type.scale === 1 ? tickNames.find((name) => name === type.unit) : undefined;
  const ratio = unit === undefined ? undefined : BigInt(nanosecondsOf(unit) / nanosecondsOf(style.tick));
  const isExact = ratio !== undefined && ticks.every((tick) => tick === NAT || tick % ratio === 0n);
  return isExact ? type : { ...type, unit: style.tick, scale: 1 };
}

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

// Coordinates of dimensions that operations created: the labels at the positions of a slice.

export interface MadeCoordinate {
  readonly made: MadeLabels;
  readonly values: Block;
  readonly bounds: Block | undefined;
  /** Name of its dimension. */
  readonly dimension: string;
}

export function madeCoordinates({ made, selection }: SliceOrigin): MadeCoordinate[] {
  return (made ?? []).flatMap((coordinates, axis) => {
    const dim = dimAt(selection, axis);
    if (coordinates === undefined || dim === undefined) return [];
    const { labels: first, chosen, points } = coordinates;
    const positions = Float64Array.from({ length: countAlong(dim) }, (_, i) => {
      const position = positionAlong(dim, i);
      return chosen?.[position] ?? position;
    });
    const of = (block: Block): Block => takeRows(block, positions, dim.dropped);
    return [first, ...(points?.beside ?? [])].flatMap((labels): MadeCoordinate[] => {
      if (!(labels instanceof MadeLabels)) return [];
      const { name, values, bounds } = labels;
      const dimension = points?.dimension ?? name;
      return [
        {
          made: labels,
          values: of(values),
          bounds: bounds === undefined ? undefined : of(bounds),
          dimension,
        },
      ];
    });
  });
}

function dimAt(selection: ResolvedSelection, axis: number): ResolvedDim | undefined {
  if (selection.kind === 'box') return selection.dims[axis];
  const at = selection.at[axis];
  if (at === undefined) return undefined;
  return selection.dropped
    ? { kind: 'range', start: at[0] ?? 0, step: 1, count: 1, dropped: true }
    : { kind: 'list', at, dropped: false };
}

/** Selects rows of a block along its first dimension, the dimension of the labels. */
function takeRows(block: Block, rows: Float64Array, isDropped: boolean): Block {
  const inner = block.shape.slice(1);
  const size = sizeOf(inner);
  const positions = Float64Array.from(
    { length: rows.length * size },
    (_, i) => (rows[Math.floor(i / size)] ?? 0) * size + (i % size),
  );
  return takeElements(block, positions, isDropped ? inner : [rows.length, ...inner]);
}
