/** The x-axis of a dimension without a coordinate: its labels are positions. */
import {
  createYieldToEventLoop,
  numberType,
  SelectionError,
  type SliceFoldOptions,
} from '../../zarr/index.js';
import { BinStarts, createBins } from './bins.js';
import type { LineAxis } from './line-axis.js';

/** @param size positions from 0 */
export function indexAxis(size: number): LineAxis {
  const dtype = numberType('int64');
  return {
    dtype,
    dtypeName: dtype.name,
    inputs: [],
    cost: undefined,
    async binStarts({ from, to }, count, { signal }: SliceFoldOptions) {
      const ends = [endOf(from) ?? 0, endOf(to) ?? Math.max(0, size - 1)] as const;
      const starts = new BinStarts(createBins(Math.min(...ends), Math.max(...ends), count), false);
      const yieldToEventLoop = createYieldToEventLoop(signal);
      for (const _ of starts.add(size, (i) => i)) await yieldToEventLoop();
      return starts.finish();
    },
    async labelsAt(positions) {
      const counts = BigInt64Array.from(positions, BigInt);
      return { dtype, shape: [positions.length], bytes: new Uint8Array(counts.buffer) };
    },
  };
}

function endOf(label: unknown): number | undefined {
  if (label === undefined || label === null) return undefined;
  const position = typeof label === 'bigint' ? Number(label) : label;
  if (typeof position === 'number' && !Number.isNaN(position)) return position;
  throw new SelectionError(
    'the dimension has no coordinate; the ends of a line along it must be positions, counted from 0',
  );
}
