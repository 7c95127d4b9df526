import type { JsonObject, LazySlice, ResolvedDim } from '../zarr/index.js';
import type { CoordinateReader } from './coordinate-reader.js';
import type { VariableDecoding } from './decode/decoding.js';
import { decodeSlice } from './decoded-slice.js';
import type { Variable } from './variable.js';

/** The properties of a slice that determine its coordinates. */
export type SliceDims = Pick<LazySlice, 'origin' | 'dims' | 'where'>;

/** Labels before decoding: as stored, as ticks of their calendar, or computed numbers. */
export interface UndecodedLabels {
  readonly stored: LazySlice;
  readonly decoding: VariableDecoding;
}

export interface SliceCoordinate {
  readonly name: string;
  /** For each dimension of the coordinate, the position of the dimension in the slice. Empty for a single label. */
  readonly axes: readonly number[];
  /** The names of these dimensions. */
  readonly dimensions: readonly (string | null)[];
  /** The sizes of these dimensions. */
  readonly shape: readonly number[];
  /** Whether labels along its dimension are looked up in it. */
  readonly isIndex: boolean;
  readonly units: string | undefined;
  /** Set for dates. */
  readonly calendar: string | undefined;
  /** The attributes for users, without those that decoding consumed. */
  readonly attributes: JsonObject;
  /** The attributes that describe the meaning of the labels, such as units and `positive`. */
  readonly meaning: JsonObject;
  /** The variable from which the labels are computed; undefined for a coordinate that an operation created. */
  readonly variable: Variable | undefined;
  /** Set if each label belongs to one element of `variable`, at these positions along one dimension. */
  readonly along: ResolvedDim | undefined;
  /** The same, if the labels equal these elements: unless a selection with `wrap` moved them. */
  readonly positions: ResolvedDim | undefined;
  /** The bounds of labels that an operation created: two for each label. */
  readonly bounds: LazySlice | undefined;
  /**
   * The labels by metadata alone: their type may differ from that of `labels`.
   * @throws errors from `Variable.decoding`
   */
  planned(): UndecodedLabels | undefined;
  /**
   * Reads at most what determines the decoding. Undefined for blocks of labels without a mean, such as text.
   * @throws errors from `CoordinateReader.decoding`
   */
  labels(reader: Pick<CoordinateReader, 'decoding'>): Promise<UndecodedLabels | undefined>;
}

/** The labels after decoding. */
export function decodedLabels({ stored, decoding }: UndecodedLabels): LazySlice {
  return decodeSlice(stored, decoding);
}
