/** The x-axis of a dimension without a coordinate: its labels are positions. */
import {
  createBins,
  createYieldToEventLoop,
  firstOfBin,
  numberType,
  SelectionError,
  type SliceFoldOptions,
} from '../../zarr/index.js';
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
      const bins = createBins(Math.min(...ends), Math.max(...ends), count);
      const starts = new Float64Array(count + 1);
      const yieldToEventLoop = createYieldToEventLoop(signal);
      for (let k = 0; k <= count; k++) {
        starts[k] = firstOfBin(bins, k, false, (i) => i, starts[k - 1] ?? 0, size);
        await yieldToEventLoop();
      }
      return starts;
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
  throw new SelectionError('the dimension has no coordinate; "from" and "to" must be indices');
}
