/** Bounds on one request, as the gateway is configured. */
import type { Limits } from '../zarr/index.js';

export interface GatewayLimits extends Limits {
  /** Bytes of values that one download link may deliver. */
  readonly maxHrefBytes: number;
  /** The largest `first`, and the longest list of ids or slice requests. */
  readonly maxFirst: number;
}
