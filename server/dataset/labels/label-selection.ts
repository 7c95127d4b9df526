/** Selections by the values of a coordinate, in addition to those by position. */
import { type NamedTextDim, parseSelectionText, type TextSelection } from '../../../wire/selection-text.js';
import { inSelectionErrors, type DimSelection, type Selection } from '../../zarr/index.js';

export type LabelMethod = 'EXACT' | 'NEAREST' | 'PAD' | 'BACKFILL';

/** Selection by label along one dimension. Labels are JSON values: numbers, bigints, text, booleans. */
export type LabelDim =
  /**
   * Drops the dimension. `tolerance` is in the unit of the stored coordinate; only for methods other than
   * EXACT.
   */
  | {
      readonly kind: 'at';
      readonly value: unknown;
      readonly method: LabelMethod;
      readonly tolerance: number | undefined;
      /** The period after which labels repeat: 360 for longitudes. */
      readonly wrap?: number | undefined;
    }
  | { readonly kind: 'values'; readonly values: readonly unknown[] }
  /** A range of labels with inclusive ends, in either order; an undefined or null end is unbounded. */
  | {
      readonly kind: 'between';
      readonly from: unknown;
      readonly to: unknown;
      readonly step: number;
      /**
       * The period after which labels repeat. If set, both ends are required, and the range goes from `from`
       * to `to`, across the ends of the coordinate if necessary.
       */
      readonly wrap?: number | undefined;
    };

/** The positions at which an expression of the dataset's variables is true. */
export interface ConditionDim {
  readonly kind: 'where';
  readonly condition: string;
}

export type DimSelectionOrLabel = DimSelection | LabelDim | ConditionDim;

export interface NamedDim {
  readonly dim: string;
  readonly by: DimSelectionOrLabel;
}

export type SelectionOrLabels =
  | Selection
  | { readonly kind: 'dims'; readonly dims: readonly DimSelectionOrLabel[] }
  | { readonly kind: 'named'; readonly named: readonly NamedDim[] }
  /** As people write it. The coordinate decides how labels are read; without one, an integer is a position. */
  | { readonly kind: 'written'; readonly named: readonly NamedTextDim[] };

/** @throws SelectionError for text that is no selection */
export function selectionFromText(text: string): SelectionOrLabels {
  return writtenSelection(inSelectionErrors(text, () => parseSelectionText(text)));
}

export function writtenSelection(parsed: TextSelection): SelectionOrLabels {
  return parsed.kind === 'named' ? { kind: 'written', named: parsed.named } : parsed;
}
