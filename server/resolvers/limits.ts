/** Bounds on one request, as the gateway is configured. */
import type { Limits } from '../zarr/index.js';

/** What a document may hold; checked before it runs. */
export interface DocumentLimits {
  readonly maxTokens: number;
  /** Levels of fields. */
  readonly maxDepth: number;
  readonly maxAliases: number;
  readonly maxRootFields: number;
  /** Fields, those of fragments wherever they are used. */
  readonly maxFields: number;
  /** Entries of lists in selections, counted again wherever they are used. */
  readonly maxPositions: number;
  /** Nodes that listings look at, whether they are in the answer or not. */
  readonly maxListedNodes: number;
  /** Fields of the answer, those within lists as often as `first` says. */
  readonly maxComplexity: number;
}

export interface GatewayLimits extends Limits, DocumentLimits {
  /** Bytes of values that one download link may deliver. */
  readonly maxHrefBytes: number;
  /** The largest `first`, and the longest list of ids or slice requests. */
  readonly maxFirst: number;
}
