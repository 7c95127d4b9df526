/** The labels of a coordinate, which is read in bounded blocks: it may be too long to be held. */
import { decodeSlice } from '../../dataset/decoded-slice.js';
import { decodeInTurns } from '../../dataset/decode/decode-in-turns.js';
import type { Decoding } from '../../dataset/decode/decoding.js';
import {
  type ArraySlice,
  type Block,
  createBreathe,
  type DataType,
  SelectionError,
  type SliceFoldOptions,
} from '../../zarr/index.js';
import { BinSearch } from './bin-search.js';
import { pickElements } from './line-blocks.js';
import type { LineAxis } from './line-axis.js';

/** Labels of a coordinate that is held from the search for bins to that for labels. */
const MAX_HELD = 2 ** 20;

/** Bytes of a block, at most. */
const BLOCK_BYTES = 48 * 2 ** 20;

/**
 * @param stored the part of the coordinate that belongs to the line, of one dimension
 * @throws SelectionError where its values are neither numbers nor dates
 */
export function coordinateAxis(name: string, stored: ArraySlice, decoding: Decoding): LineAxis {
  const size = stored.shape[0] ?? 0;
  const { dtype, dtypeName } = decodeSlice(stored, decoding);
  if (decoding.times === undefined && !isOrdered(dtype))
    throw new SelectionError(
      `the coordinate "${name}" has values of the type ${dtype.name}; a line needs numbers or dates along it`,
    );
  const whole = stored.cost();
  let held: Block | undefined;
  const storedAt = async (positions: Float64Array, options: SliceFoldOptions): Promise<Block> =>
    held === undefined
      ? stored.select({ kind: 'dims', dims: [{ kind: 'indices', indices: [...positions] }] }).read(options)
      : pickElements(held, positions);
  return {
    dtype,
    dtypeName,
    inputs: stored.inputs,
    // Read to find bins, and to find labels.
    cost: {
      ...whole,
      chunks: 2 * whole.chunks,
      requests: 2 * whole.requests,
      decodedBytes: 2 * whole.indexBytes,
      reducedBytes: 2 * whole.decodedBytes,
      intermediateBytes: Math.min(whole.allocatedBytes, BLOCK_BYTES),
    },
    async binStarts(range, bins, options) {
      if (size === 0) return new Float64Array(bins + 1);
      const breathe = createBreathe(options.signal);
      if (size <= MAX_HELD) held = await stored.read(options);
      const ends = await storedAt(Float64Array.of(0, size - 1), options);
      const search = new BinSearch(name, decoding, ends, range, bins);
      if (held !== undefined) await search.add(held, breathe);
      else for await (const { block } of stored.stream(options)) await search.add(block, breathe);
      return search.finish();
    },
    async labelsAt(positions, options) {
      return decodeInTurns(decoding, await storedAt(positions, options), createBreathe(options.signal));
    },
  };
}

function isOrdered({ name }: DataType): boolean {
  return /^(u?int|float)\d+$/.test(name) || name === 'numpy.timedelta64';
}
