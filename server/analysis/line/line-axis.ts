/** What runs along a line: the labels of a coordinate, or where there is none the positions themselves. */
import type { Block, DataType, LazySlice, PlanCost, SliceFoldOptions } from '../../zarr/index.js';

/** Labels; undefined is the coordinate's own end. */
export interface LabelRange {
  readonly from?: unknown;
  readonly to?: unknown;
}

export interface LineAxis {
  /** Of labels. */
  readonly dtype: DataType;
  readonly dtypeName: string;
  readonly inputs: LazySlice['inputs'];
  /** What reading costs: bins have to be found, and labels. Undefined: nothing is read. */
  readonly cost: PlanCost | undefined;
  /**
   * Finds where bins of equal width begin that cover a range of labels.
   * @returns positions; one more than bins: the last is where the range ends
   * @throws SelectionError for a coordinate that is not sorted, and for ends that are no labels of it; InputError for a
   *   range without ends
   */
  binStarts(range: LabelRange, bins: number, options: SliceFoldOptions): Promise<Float64Array>;
  /** The labels at ascending positions, as a list. */
  labelsAt(positions: Float64Array, options: SliceFoldOptions): Promise<Block>;
}
