/** The x-axis of a line: the labels of a coordinate, or positions if there is none. */
import { defined } from '../../../wire/guards.js';
import {
  type Block,
  type DataType,
  type LazySlice,
  type PlanCost,
  type SliceFoldOptions,
  createBins,
  createPause,
  STEPS_BETWEEN_PAUSES,
  firstOfBin,
  numberType,
  SelectionError,
} from '../../zarr/index.js';

/** Labels of the ends; undefined for the end of the coordinate. */
export interface LabelRange {
  readonly from?: unknown;
  readonly to?: unknown;
}

export interface LineAxis {
  /** Data type of the labels. */
  readonly dtype: DataType;
  readonly dtypeName: string;
  readonly inputs: LazySlice['inputs'];
  /** Cost of finding bins and looking up labels. Undefined if nothing is read. */
  readonly cost: PlanCost | undefined;
  /**
   * Finds the starts of bins of equal width over a range of labels.
   * @returns positions, one more than bins; the last is the end of the range
   * @throws SelectionError for an unsorted coordinate or invalid ends; InputError for an unbounded range
   */
  binStarts(range: LabelRange, bins: number, options: SliceFoldOptions): Promise<Float64Array>;
  /** The labels at ascending positions, as a list. */
  labelsAt(positions: Float64Array, options: SliceFoldOptions): Promise<Block>;
}

/** @param size number of positions */
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
      const pause = createPause(signal);
      for (let k = 0; k <= count; k++) {
        starts[k] = firstOfBin(bins, k, false, (i) => i, k === 0 ? 0 : defined(starts[k - 1]), size);
        if (k % STEPS_BETWEEN_PAUSES === 0) await pause();
      }
      return starts;
    },
    async labelsAt(positions, { signal }) {
      const counts = new BigInt64Array(positions.length);
      const pause = createPause(signal);
      for (let i = 0; i < counts.length; i++) {
        counts[i] = BigInt(defined(positions[i]));
        if (i % STEPS_BETWEEN_PAUSES === 0) await pause();
      }
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
