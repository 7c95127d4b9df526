/** Preserves consolidated metadata that is too long to be parsed when the rest of its document changes. */
import type { MetadataLimits } from '../limits.js';
import { runInTurns, runNow } from '../tree/turns.js';
import { replaceSpan } from '../tree/without-span.js';
import type { StoredDocument } from '../tree/stored-document.js';
import { scanSteps } from './consolidated-text.js';
import { assertLength } from './print-document.js';

/**
 * @param text the new document, with `null` as its consolidated metadata
 * @param before the document that it replaces
 * @returns the text with the previous consolidated metadata, if it was omitted during the read
 * @throws LimitError if the whole document would be too large to read
 */
export async function withKept(
  text: Uint8Array,
  before: StoredDocument | undefined,
  limits: MetadataLimits,
): Promise<Uint8Array> {
  const kept = before?.consolidated?.bytes;
  if (kept === undefined || kept.length <= limits.maxDocumentBytes) return text;
  const from = (await runInTurns(scanSteps({ name: 'zarr.json', bytes: kept }))).members[0]?.consolidated;
  const to = runNow(scanSteps({ name: 'zarr.json', bytes: text })).members[0]?.consolidated;
  if (from === undefined || to === undefined) return text;
  const whole = replaceSpan(text, to, kept.subarray(from.start, from.end));
  assertLength('maxConsolidatedBytes', whole.length, limits);
  return whole;
}
