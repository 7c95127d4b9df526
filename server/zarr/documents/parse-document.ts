/** Parses the text of a document into the form that is cached. */
import { parseJsonSteps } from '../../core/bytes/parse-json.js';
import { isZarrError } from '../../core/errors.js';
import type { MetadataLimits } from '../../core/limits.js';
import { ConsolidatedScan } from '../../format/metadata/consolidated.js';
import { ConsolidatedDocument } from './consolidated-document.js';
import { assertDocumentLength, SHORT_BYTES } from './document-length.js';
import { failureOf } from './failure.js';
import { mayRepeat, parseRepeated } from './repeated-texts.js';
import { brokenDocument, parsedDocument, type DocumentName, type StoredDocument } from './stored-document.js';
import { withoutSpan } from './without-span.js';

const STEP_BYTES = 64 * 1024;

interface DocumentText {
  readonly key: string;
  readonly name: DocumentName;
  readonly bytes: Uint8Array;
  readonly version: string | undefined;
  readonly limits: MetadataLimits;
}

/**
 * Parses a document. Never throws an error of the engine: if the text is invalid, the document has a
 * `failure`.
 */
export function* parseDocument(text: DocumentText): Generator<void, StoredDocument, void> {
  const { key, version } = text;
  try {
    return yield* parseText(text);
  } catch (error) {
    const failure = failureOf(error, key);
    if (failure === undefined) throw error;
    return brokenDocument(failure, version);
  }
}

function* parseText(text: DocumentText): Generator<void, StoredDocument, void> {
  const { key, name, bytes, version, limits } = text;
  const prefix = key.slice(0, Math.max(0, key.length - name.length - 1));
  if (name === '.zmetadata') {
    const consolidated = new ConsolidatedDocument({ prefix, name, bytes, limits });
    return parsedDocument(null, version, 0, consolidated);
  }
  const scan = name === 'zarr.json' ? yield* scanLong(bytes, limits) : undefined;
  const document = scan?.members[0];
  const own =
    document === undefined
      ? bytes
      : withoutSpan(bytes, document, document.consolidated ?? { start: 0, end: 0 });
  assertDocumentLength('maxDocumentBytes', own.length, limits);
  const json = mayRepeat(own)
    ? parseRepeated(own)
    : yield* parseJsonSteps(own, { maxBytes: limits.maxDocumentBytes });
  const holds =
    document === undefined
      ? name === 'zarr.json' && holdsConsolidated(json)
      : document.consolidated !== undefined;
  const consolidated =
    holds && name === 'zarr.json'
      ? new ConsolidatedDocument({ prefix, name, bytes, limits }, scan)
      : undefined;
  return parsedDocument(json, version, own.length, consolidated);
}

/**
 * Locates the consolidated metadata in a long document, so that only the rest is parsed.
 * @returns undefined if the document is to be parsed as a whole
 */
function* scanLong(
  bytes: Uint8Array,
  limits: MetadataLimits,
): Generator<void, ConsolidatedScan | undefined, void> {
  if (bytes.length <= Math.min(SHORT_BYTES, limits.maxDocumentBytes)) return undefined;
  try {
    const scan = new ConsolidatedScan(bytes, 'zarr.json');
    while (!scan.run(STEP_BYTES)) yield;
    return scan;
  } catch (error) {
    // Parsing reports the error of the document. If only its consolidated metadata cannot be used, that part
    // is ignored.
    if (bytes.length <= limits.maxDocumentBytes && isZarrError(error)) return undefined;
    throw error;
  }
}

function holdsConsolidated(json: unknown): boolean {
  return (
    typeof json === 'object' &&
    json !== null &&
    'consolidated_metadata' in json &&
    json.consolidated_metadata !== null
  );
}
