/** How long documents may be. */
import { LimitError } from '../errors.js';
import type { MetadataLimits } from '../limits.js';

/** Documents up to this size are parsed without a pause, in about half a millisecond. */
export const SHORT_BYTES = 64 * 1024;

/** @throws LimitError for a text that is longer than allowed */
export function assertWithin(limit: keyof MetadataLimits, length: number, limits: MetadataLimits): void {
  const allowed = limits[limit];
  if (length <= allowed) return;
  throw new LimitError(`a metadata document of ${length} bytes is too long; at most ${allowed} are read`, {
    excess: [{ limit, allowed, needed: length }],
  });
}
