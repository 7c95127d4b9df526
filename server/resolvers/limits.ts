/** The configured limits of one request, and of one download. */
import type { Limits } from '../zarr/index.js';

/** Limits on documents. Checked before execution, except `maxPositions` and `maxListedNodes`. */
export interface DocumentLimits {
  readonly maxTokens: number;
  /** Maximum nesting depth of fields. */
  readonly maxDepth: number;
  readonly maxAliases: number;
  readonly maxRootFields: number;
  /** Maximum number of fields; the fields of a fragment count at each use. */
  readonly maxFields: number;
  /** Maximum number of entries of lists in selections; each use counts. */
  readonly maxPositions: number;
  /** Maximum number of nodes that listings visit, whether they are returned or not. */
  readonly maxListedNodes: number;
  /** Maximum number of fields of the response; a field in a list counts `first` times. */
  readonly maxComplexity: number;
}

export interface GatewayLimits extends Limits, DocumentLimits {
  /** Maximum number of bytes of values that one download link may deliver. */
  readonly maxHrefBytes: number;
  /** Maximum of `first`, and of the length of a list of ids or slice requests. */
  readonly maxFirst: number;
}
