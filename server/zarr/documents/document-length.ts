/** Limits on the size of documents. */
import { LimitError } from '../../core/errors.js';
import type { MetadataLimits } from '../../core/limits.js';

/** Maximum size, in bytes, of documents that are parsed without yielding, in about half a millisecond. */
export const SHORT_BYTES = 64 * 1024;

/** @throws LimitError for a text beyond the limit */
export function assertDocumentLength(
  limit: keyof MetadataLimits,
  length: number,
  limits: MetadataLimits,
): void {
  const allowed = limits[limit];
  if (length <= allowed) return;
  throw new LimitError(`a metadata document has ${length} bytes; ${limit} allows ${allowed}`, {
    excess: [{ limit, allowed, needed: length }],
  });
}
