/** Blocks of a line's labels and values, and their data types. */
import { defined } from '../../../wire/guards.js';
import {
  firstIndexWhere,
  type Block,
  type Pause,
  contentsAt,
  type DataType,
  type FixedSizeType,
  integerOf,
  ItemStore,
  type LinePoints,
  numberType,
  planeForm,
  sortInSteps,
} from '../../zarr/index.js';
import { ValueList, valueSource } from './value-list.js';

/**
 * The data type that can represent missing values, as in xarray's `fillna`: booleans and integers of up to 16
 * bits become float32, other integers float64.
 */
export function withMissing<T extends DataType>(dtype: T): T | FixedSizeType {
  if (!/^(u?int\d+|bool)$/.test(dtype.name)) return dtype;
  return numberType((dtype.itemSize ?? 8) <= 2 ? 'float32' : 'float64');
}

/** The data type of the midpoint of two labels. */
export function middleType(dtype: DataType): DataType {
  return /^u?int\d+$/.test(dtype.name) ? numberType('float64') : dtype;
}

/** Picks elements of a list by position. */
export function pickElements(list: Block, positions: Float64Array): Block {
  const shape = [positions.length];
  if ('items' in list) {
    const items = new ItemStore(positions.length);
    positions.forEach((from, i) => items.set(i, contentsAt(list.items, from)));
    return { dtype: list.dtype, shape, items };
  }
  const { dtype, bytes } = list;
  const size = dtype.itemSize;
  const picked = new Uint8Array(positions.length * size);
  positions.forEach((from, i) => picked.set(bytes.subarray(from * size, (from + 1) * size), i * size));
  return { dtype, shape, bytes: picked };
}

/** Number of points processed between two yields. */
const STEP = 2 ** 12;

/** The positions of all points, ascending, without duplicates. Yields between pieces of work. */
export function* pointPositions(lines: readonly LinePoints[]): Generator<void, Float64Array, void> {
  const all = new Float64Array(lines.reduce((sum, { at }) => sum + 2 * at.length, 0));
  let end = 0;
  for (const { at, to } of lines)
    for (let i = 0; i < at.length; i++) {
      if (i % STEP === STEP - 1) yield;
      all[end++] = defined(at[i]);
      all[end++] = defined(to[i]);
    }
  // The points of a single line are in order already.
  const indices = new Uint32Array(all.length);
  for (let i = 0; i < indices.length; i++) indices[i] = i;
  const order = yield* sortInSteps(indices, (a, b) => defined(all[a]) - defined(all[b]) || a - b);
  let count = 0;
  const positions = new Float64Array(all.length);
  for (let i = 0; i < order.length; i++) {
    if (i % STEP === STEP - 1) yield;
    const position = defined(all[defined(order[i])]);
    if (count === 0 || position !== positions[count - 1]) positions[count++] = position;
  }
  return positions.subarray(0, count);
}

/**
 * A block of the values of lines, padded with missing values.
 * @param source type of the points, before the conversion to a type with missing values
 */
export async function valuesBlock(
  lines: readonly LinePoints[],
  shape: readonly number[],
  source: DataType,
  dtype: DataType,
  pause: Pause,
): Promise<Block> {
  const length = defined(shape.at(-1));
  const list = new ValueList(dtype, lines.length * length);
  const isLong = planeForm(source) === 'words';
  for (const [s, { values, lows }] of lines.entries()) {
    for (let i = 0; i < length; i++) {
      if (i % STEP === STEP - 1) await pause();
      const value = values[i] ?? NaN;
      if (Number.isNaN(value)) list.setMissing(s * length + i);
      else list.setNumber(s * length + i, isLong ? integerOf(value, defined(lows[i])) : value);
    }
    await pause();
  }
  return list.block(shape);
}

/** A block of the labels of lines, padded with missing values. @param labels the labels of `positions` */
export async function labelsBlock(
  lines: readonly LinePoints[],
  shape: readonly number[],
  labels: Block,
  positions: Float64Array,
  dtype: DataType,
  pause: Pause,
): Promise<Block> {
  const length = defined(shape.at(-1));
  const list = new ValueList(dtype, lines.length * length);
  const source = valueSource(labels);
  for (const [s, { at, to }] of lines.entries()) {
    for (let i = 0; i < length; i++) {
      if (i % STEP === STEP - 1) await pause();
      const [first, last] = [at[i], to[i]];
      if (first === undefined || last === undefined) list.setMissing(s * length + i);
      else source.put(list, s * length + i, indexIn(positions, first), indexIn(positions, last));
    }
    await pause();
  }
  return list.block(shape);
}

function indexIn(positions: Float64Array, position: number): number {
  return firstIndexWhere(0, positions.length, (i) => (positions[i] ?? Infinity) >= position);
}
