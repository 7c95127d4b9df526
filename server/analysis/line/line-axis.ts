/** The x-axis of a line: the labels of a coordinate, or positions if there is none. */
import type { Block, DataType, LazySlice, PlanCost, SliceFoldOptions } from '../../zarr/index.js';

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
