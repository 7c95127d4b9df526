/**
 * JSON without loss, as Zarr metadata needs it (RFC 8259 and what Python writes beyond it):
 * - integers beyond 2^53 - 1 become bigints; -0 stays -0; what is written as 2.0 is so written again (whole-floats.ts);
 * - bare NaN, Infinity and -Infinity are numbers (Python's json module writes them into attributes);
 * - a key that occurs twice in one object is refused, because readers disagree on which one counts;
 * - size, depth and the digits of an integer are bounded, so that hostile text costs an error and nothing else.
 * A byte order mark at the beginning is skipped, as RFC 8259 section 8.1 permits.
 */
import { LimitError, MetadataError } from '../errors.js';
import { metadataBounds } from '../limits.js';
import type { JsonValue } from './json.js';
import { JsonReader } from './json-reader.js';

export interface ParseJsonOptions {
  /** Bytes (for text: UTF-16 units). @default metadataBounds.maxDocumentBytes */
  readonly maxBytes?: number;
  /** Levels of lists and objects. @default metadataBounds.maxDepth */
  readonly maxDepth?: number;
}

/**
 * Parses a whole document of UTF-8 bytes.
 * @throws MetadataError with line and column where the text is not JSON, not UTF-8, repeats a key, nests too deep or has
 *   an integer of too many digits;
 *   LimitError where it is too long
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

/** The same for text that is a string already. @throws as parseJson */
export function parseJsonText(text: string, options: ParseJsonOptions = {}): JsonValue {
  checkLength(text.length, options);
  return new JsonReader(text, options.maxDepth ?? metadataBounds.maxDepth).document();
}

/** What one step of `parseJsonSteps` parses, in UTF-16 units. */
const STEP_UNITS = 16 * 1024;
/** What one step decodes, in bytes. */
const STEP_BYTES = 256 * 1024;

/**
 * As `parseJson`, for long texts: yields every few tenths of a millisecond, so that the caller can let others run.
 * @throws as parseJson
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
  throw new LimitError(`a JSON document of ${length} bytes is too long; at most ${allowed} are read`, {
    excess: [{ limit: 'maxDocumentBytes', allowed, needed: length }],
  });
}
