/** Selections by the values of a coordinate, beside those by position. */
import type { DimSelection, Selection } from '../../zarr/index.js';

export type LabelMethod = 'EXACT' | 'NEAREST' | 'PAD' | 'BACKFILL';

/** One dimension by label. Labels are as JSON gives them: numbers, bigints, text, booleans. */
export type LabelDim =
  /** Drops the dimension. `tolerance` is in the unit of the coordinate as stored; only for methods other than EXACT. */
  | {
      readonly kind: 'at';
      readonly value: unknown;
      readonly method: LabelMethod;
      readonly tolerance: number | undefined;
    }
  | { readonly kind: 'values'; readonly values: readonly unknown[] }
  /** Both ends included, in either order; undefined is open. */
  | { readonly kind: 'between'; readonly from: unknown; readonly to: unknown; readonly step: number };

export type DimSelectionOrLabel = DimSelection | LabelDim;

export interface NamedDim {
  readonly dim: string;
  readonly by: DimSelectionOrLabel;
}

export type SelectionOrLabels =
  | Selection
  | { readonly kind: 'dims'; readonly dims: readonly DimSelectionOrLabel[] }
  | { readonly kind: 'named'; readonly named: readonly NamedDim[] };

export function isLabelDim(by: { readonly kind: string }): by is LabelDim {
  return by.kind === 'at' || by.kind === 'values' || by.kind === 'between';
}
