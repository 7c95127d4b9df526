/**
 * The x-axis of a coordinate. A long coordinate is not kept in memory: threads find the bins once for all
 * lines with this coordinate, and only the labels of the points are read again.
 */
import { defined } from '../../../wire/guards.js';
import { decodeCooperatively } from '../../dataset/decode/decode-cooperatively.js';
import type { VariableDecoding } from '../../dataset/decode/decoding.js';
import {
  type ArraySlice,
  type Block,
  createPause,
  dataTypeName,
  type Fold,
  type LabelOrderTotal,
  type LazySlice,
  type ReadObject,
  type RegularLabels,
  SelectionError,
  type SliceFoldOptions,
} from '../../zarr/index.js';
import type { LabelRange, LineAxis } from './line-axis.js';
import { pickElements } from './line-blocks.js';
import { isOrdered } from './read-points.js';
import { ValueList } from './value-list.js';
import { assertSorted, binFold, foldLabels, keyTransform } from './bins.js';

/** Maximum number of labels kept in memory from the search for bins until the lookup of labels. */
const MAX_HELD = 2 ** 20;

/** Maximum size of a block in bytes. */
const BLOCK_BYTES = 48 * 2 ** 20;

/**
 * @param stored the part of the coordinate that belongs to the line: one dimension, not decoded
 * @throws SelectionError if its values are neither numbers nor dates
 */
export function coordinateAxis(
  name: string,
  stored: LazySlice | ArraySlice,
  decoding: VariableDecoding,
): LineAxis {
  const size = defined(stored.shape[0]);
  const { dtype, isIdentity } = decoding;
  const dtypeName = isIdentity ? stored.dtypeName : dataTypeName(dtype);
  if (!hasNumbers(decoding))
    throw new SelectionError(
      `the coordinate "${name}" has values of type ${dtype.name}; a line requires a coordinate of numbers or dates`,
    );
  const whole = stored.cost();
  const orders = new Map<string, Promise<LabelOrderTotal>>();
  const seen: (readonly [ReadObject, string | undefined])[] = [];
  const transform = keyTransform(decoding);
  let held: Block | undefined;
  /** Computes equally spaced labels instead of reading them again. */
  let labelsBy: ((positions: Float64Array) => Block) | undefined;

  async function findOrder(
    range: LabelRange,
    bins: number,
    options: SliceFoldOptions,
  ): Promise<LabelOrderTotal> {
    const onVersion = (object: ReadObject, version: string | undefined): void => {
      seen.push([object, version]);
    };
    const reading = { ...options, onVersion };
    if (size <= MAX_HELD) held ??= await stored.read(reading);
    const ends = await storedAt(Float64Array.of(0, size - 1), reading);
    const order = await foldKeys(binFold(name, decoding, ends, range, bins), reading);
    assertSorted(name, order);
    labelsBy = regularLabels(decoding, order.regular);
    return order;
  }

  function foldKeys(fold: Fold<LabelOrderTotal>, options: SliceFoldOptions): Promise<LabelOrderTotal> {
    if (held === undefined && 'array' in stored && isOrdered(stored))
      return stored.fold(fold, { ...options, transform });
    const blocks = held === undefined ? blocksOf(stored, options) : [held];
    return foldLabels(blocks, transform, fold, createPause(options.signal));
  }

  async function storedAt(positions: Float64Array, options: SliceFoldOptions): Promise<Block> {
    if (held !== undefined) return pickElements(held, positions);
    return stored
      .select({ kind: 'dims', dims: [{ kind: 'indices', indices: [...positions] }] })
      .read(options);
  }

  return {
    dtype,
    dtypeName,
    inputs: stored.inputs,
    // Read once to find the bins and once to look up labels.
    cost: {
      ...whole,
      chunks: 2 * whole.chunks,
      requests: 2 * whole.requests,
      decodedBytes: 2 * whole.indexBytes,
      reducedBytes: 2 * (whole.decodedBytes + whole.reducedBytes),
      allocatedBytes: Math.min(whole.allocatedBytes, BLOCK_BYTES),
    },
    async binStarts(range, bins, options) {
      if (size === 0) return new Float64Array(bins + 1);
      const key = JSON.stringify([bins, keyOf(range.from), keyOf(range.to)]);
      let order = orders.get(key);
      if (order === undefined) {
        order = findOrder(range, bins, options);
        orders.set(key, order);
        order.catch(() => orders.delete(key));
      }
      const { starts } = await order;
      for (const [object, version] of seen) options.onVersion?.(object, version);
      return starts;
    },
    async labelsAt(positions, options) {
      if (labelsBy !== undefined) return labelsBy(positions);
      return decodeCooperatively(decoding, await storedAt(positions, options), createPause(options.signal));
    },
  };
}

async function* blocksOf(stored: LazySlice, options: SliceFoldOptions): AsyncGenerator<Block> {
  for await (const { block } of stored.stream(options)) yield block;
}

function keyOf(label: unknown): string {
  return `${typeof label} ${String(label)}`;
}

/** Whether the labels are numbers or dates. */
export function hasNumbers({ times, dtype: { name } }: VariableDecoding): boolean {
  return times !== undefined || /^(u?int|float)\d+$/.test(name) || name === 'numpy.timedelta64';
}

/**
 * @param regular equally spaced keys; see `keyTransform`
 * @returns undefined if labels differ from their keys: floats, whose multiples are rounded, and dates as
 * text
 */
function regularLabels(
  decoding: VariableDecoding,
  regular: RegularLabels | undefined,
): ((positions: Float64Array) => Block) | undefined {
  const divisor = keysPerLabel(decoding);
  if (regular === undefined || divisor === undefined) return undefined;
  const [first, step] = [BigInt(regular.first), BigInt(regular.step)];
  if (first % divisor !== 0n || step % divisor !== 0n) return undefined;
  return (positions) => {
    const list = new ValueList(decoding.dtype, positions.length);
    positions.forEach((position, i) => list.setNumber(i, (first + BigInt(position) * step) / divisor));
    return list.block([positions.length]);
  };
}

function keysPerLabel({ dtype, isIdentity, times, transform }: VariableDecoding): bigint | undefined {
  if (times === undefined) return isIdentity && /^u?int\d+$/.test(dtype.name) ? 1n : undefined;
  // Excludes datetime64 values, dates as text, and dates that may fail to decode.
  if (transform?.kind !== 'ticks' || transform.earliest !== undefined) return undefined;
  return BigInt(transform.unit?.ticks ?? 1);
}
