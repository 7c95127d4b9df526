/** How long documents may be. */
import { LimitError } from '../errors.js';
import type { MetadataLimits } from '../limits.js';

/** Documents up to this size are parsed without a pause, in about half a millisecond. */
export const SHORT_BYTES = 64 * 1024;

/** @throws LimitError for the text of a node's own document that is longer than allowed */
export function assertShort(bytes: Uint8Array, { maxDocumentBytes }: MetadataLimits): void {
  if (bytes.length <= maxDocumentBytes) return;
  throw new LimitError(
    `a metadata document of ${bytes.length} bytes is too long; at most ${maxDocumentBytes} are read`,
    { excess: [{ limit: 'maxDocumentBytes', allowed: maxDocumentBytes, needed: bytes.length }] },
  );
}
