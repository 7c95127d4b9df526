/** Labels that an operation gave to the positions of a dimension, such as the months of a resampled time. Plain types. */
import type { Block } from '../../dtype/data-type.js';

export interface DimLabels {
  /** Of the dimension, and of the coordinate with these labels. */
  readonly name: string;
  /** Decoded; one for each position. */
  readonly values: Block;
  /** The ends of what each label stands for: shape [labels, 2]. */
  readonly bounds?: Block | undefined;
  /**
   * The means of blocks of labels; undefined if they have no mean.
   * @param positions of the labels, in order
   * @param size labels of a block; the last one may have fewer
   */
  inBlocks?(positions: Float64Array, size: number): DimLabels | undefined;
}

export interface MadeDim {
  readonly labels: DimLabels;
  /** Which of the labels the positions have; undefined: all, in order. */
  readonly chosen: Float64Array | undefined;
}

/** A dimension that a mapping adds before the others. */
export interface LeadingDim {
  readonly name: string;
  readonly size: number;
  readonly labels?: DimLabels | undefined;
}
