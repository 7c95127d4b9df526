/**
 * The labels of a coordinate, read in blocks because it may exceed the memory. Lines that share bins search for them
 * once.
 */
import { decodeCooperatively } from '../../dataset/decode/decode-cooperatively.js';
import type { Decoding } from '../../dataset/decode/decoding.js';
import {
  type Block,
  createYieldToEventLoop,
  type DataType,
  dataTypeName,
  type LazySlice,
  type ReadObject,
  SelectionError,
  type SliceFoldOptions,
} from '../../zarr/index.js';
import { BinSearch } from './bin-search.js';
import { pickElements } from './line-blocks.js';
import type { LabelRange, LineAxis } from './line-axis.js';

/** Maximum number of labels kept in memory between the search for bins and the lookup of labels. */
const MAX_HELD = 2 ** 20;

/** Maximum size of a block in bytes. */
const BLOCK_BYTES = 48 * 2 ** 20;

/**
 * @param stored the line's part of the coordinate: one dimension, not decoded
 * @throws SelectionError if its values are neither numbers nor dates
 */
export function coordinateAxis(name: string, stored: LazySlice, decoding: Decoding): LineAxis {
  const size = stored.shape[0] ?? 0;
  const { dtype, isIdentity } = decoding;
  const dtypeName = isIdentity ? stored.dtypeName : dataTypeName(dtype);
  if (decoding.times === undefined && !isOrdered(dtype))
    throw new SelectionError(
      `the coordinate "${name}" has values of the type ${dtype.name}; a line requires a coordinate of numbers or dates`,
    );
  const whole = stored.cost();
  const found = new Map<string, Promise<Float64Array>>();
  const seen: (readonly [ReadObject, string | undefined])[] = [];
  let held: Block | undefined;

  async function findStarts(
    range: LabelRange,
    bins: number,
    options: SliceFoldOptions,
  ): Promise<Float64Array> {
    const onVersion = (object: ReadObject, version: string | undefined): void => {
      seen.push([object, version]);
    };
    const reading = { ...options, onVersion };
    const yieldToEventLoop = createYieldToEventLoop(options.signal);
    if (size <= MAX_HELD) held ??= await stored.read(reading);
    const ends = await storedAt(Float64Array.of(0, size - 1), reading);
    const search = new BinSearch(name, decoding, ends, range, bins);
    if (held !== undefined) await search.add(held, yieldToEventLoop);
    else for await (const { block } of stored.stream(reading)) await search.add(block, yieldToEventLoop);
    return search.finish();
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
      intermediateBytes: whole.intermediateBytes + Math.min(whole.allocatedBytes, BLOCK_BYTES),
    },
    async binStarts(range, bins, options) {
      if (size === 0) return new Float64Array(bins + 1);
      const key = JSON.stringify([bins, keyOf(range.from), keyOf(range.to)]);
      let starts = found.get(key);
      if (starts === undefined) {
        starts = findStarts(range, bins, options);
        found.set(key, starts);
        starts.catch(() => found.delete(key));
      }
      await starts;
      for (const [object, version] of seen) options.onVersion?.(object, version);
      return starts;
    },
    async labelsAt(positions, options) {
      return decodeCooperatively(
        decoding,
        await storedAt(positions, options),
        createYieldToEventLoop(options.signal),
      );
    },
  };
}

function keyOf(label: unknown): string {
  return `${typeof label} ${String(label)}`;
}

function isOrdered({ name }: DataType): boolean {
  return /^(u?int|float)\d+$/.test(name) || name === 'numpy.timedelta64';
}
