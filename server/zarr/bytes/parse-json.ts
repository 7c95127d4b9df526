/**
 * Parses the JSON of Zarr metadata without loss (RFC 8259, and Python's extensions):
 *
 * - integers beyond 2^53 - 1 become bigints; -0 stays -0; a number written as 2.0 is written as 2.0 again
 *   (whole-floats.ts);
 * - bare NaN, Infinity and -Infinity are numbers (Python's json module writes them into attributes);
 * - duplicate keys in an object are rejected, because readers disagree on which one applies;
 * - size, depth and the digits of an integer are bounded, so that hostile text only causes an error.
 *
 * A byte order mark at the start is skipped, as RFC 8259 section 8.1 permits.
 */
import { LimitError, MetadataError } from '../errors.js';
import { metadataBounds } from '../limits.js';
import type { JsonValue } from './json.js';
import { JsonReader } from './json-reader.js';

export interface ParseJsonOptions {
  /** Maximum size in bytes (for strings: UTF-16 units). @default metadataBounds.maxDocumentBytes */
  readonly maxBytes?: number;
  /** Maximum nesting of lists and objects. @default metadataBounds.maxDepth */
  readonly maxDepth?: number;
}

/**
 * Parses a document of UTF-8 bytes.
 * @throws MetadataError with line and column if the text is not JSON, not UTF-8, has duplicate keys, is
 *   nested too deeply or has an integer with too many digits; LimitError if it is too long
 */
export function parseJson(bytes: Uint8Array, options: ParseJsonOptions = {}): JsonValue {
  checkLength(bytes.length, options);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new MetadataError('the JSON text is not valid UTF-8', { cause });
  }
  return parseJsonText(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text, options);
}

/** Like `parseJson`, for text that is already a string. @throws errors from `parseJson` */
export function parseJsonText(text: string, options: ParseJsonOptions = {}): JsonValue {
  checkLength(text.length, options);
  return new JsonReader(text, options.maxDepth ?? metadataBounds.maxDepth).document();
}

/** Number of UTF-16 units parsed per step of `parseJsonSteps`. */
const STEP_UNITS = 16 * 1024;
/** Number of bytes decoded per step. */
const STEP_BYTES = 256 * 1024;

/**
 * Like `parseJson`, for long texts: yields every few tenths of a millisecond, so that the caller can pause.
 * @throws errors from `parseJson`
 */
export function* parseJsonSteps(
  bytes: Uint8Array,
  options: ParseJsonOptions = {},
): Generator<void, JsonValue, void> {
  checkLength(bytes.length, options);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parts: string[] = [];
  try {
    for (let at = 0; at < bytes.length; at += STEP_BYTES) {
      parts.push(decoder.decode(bytes.subarray(at, at + STEP_BYTES), { stream: true }));
      yield;
    }
    parts.push(decoder.decode());
  } catch (cause) {
    throw new MetadataError('the JSON text is not valid UTF-8', { cause });
  }
  const reader = new JsonReader(parts.join(''), options.maxDepth ?? metadataBounds.maxDepth);
  while (!reader.run(STEP_UNITS)) yield;
  return reader.value;
}

function checkLength(length: number, options: ParseJsonOptions): void {
  const allowed = options.maxBytes ?? metadataBounds.maxDocumentBytes;
  if (length <= allowed) return;
  throw new LimitError(`a JSON document has ${length} bytes; at most ${allowed} are allowed`, {
    excess: [{ limit: 'maxDocumentBytes', allowed, needed: length }],
  });
}
