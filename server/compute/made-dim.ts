/**
 * Dimensions created by an operation and their labels, such as the months of a resampled time. This file
 * contains only types.
 */
import type { LabelWrap } from '../format/selection/selection.js';

export interface DimLabels {
  /** Name of the dimension and of the coordinate with these labels. */
  readonly name: string;
  /**
   * The means of blocks of labels; undefined if they have no mean.
   * @param positions positions of the labels, in order
   * @param size number of labels per block; the last block may have fewer
   * @param wrap where the labels are given, if they repeat
   */
  inBlocks?(positions: Float64Array, size: number, wrap?: LabelWrap): DimLabels | undefined;
}

export interface MadeDim {
  readonly labels: DimLabels;
  /** Index of the label of each position; undefined for all labels in order. */
  readonly chosen: Float64Array | undefined;
  /** Set for points, such as a track. Their labels are coordinates, but not an index of the dimension. */
  readonly points?: MadePoints | undefined;
}

interface MadePoints {
  /** Name of the dimension. */
  readonly dimension: string;
  /** Further coordinates of the points. */
  readonly beside: readonly DimLabels[];
}

/** A dimension that a mapping adds as the first one. */
export interface LeadingDim {
  readonly name: string;
  readonly size: number;
  readonly labels?: DimLabels | undefined;
}
