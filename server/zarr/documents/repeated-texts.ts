/**
 * Parses short documents. Equal texts are parsed only once, because the images of a plate or the variables of
 * many time steps often have the same metadata. Equal texts result in the same object, and later steps
 * compare objects by identity. Figures: bench/records.md, "Reads: attempts".
 */
import { latin1FromBytes } from '#platform';
import { LRUCache } from 'lru-cache';
import type { JsonValue } from '../../core/bytes/json.js';
import { parseJson } from '../../core/bytes/parse-json.js';

/** Maximum length of a text in bytes. Longer texts are seldom repeated. */
const MAX_BYTES = 4096;
/** Maximum total size of the texts in bytes. */
const MAX_KEPT_BYTES = 2 ** 20;

const known = new LRUCache<string, { readonly json: JsonValue }>({
  max: 1024,
  maxSize: MAX_KEPT_BYTES,
  sizeCalculation: (_, text) => text.length + 1,
});

/** Whether a text is short enough for the cache of `parseRepeated`. */
export function mayRepeat(text: Uint8Array): boolean {
  return text.length <= MAX_BYTES;
}

/** @returns a value that must not be changed. @throws errors from `parseJson` */
export function parseRepeated(text: Uint8Array): JsonValue {
  if (!mayRepeat(text)) return parseJson(text);
  // One character for each byte, so that different texts have different keys.
  const key = latin1FromBytes(text, 0, text.length);
  const found = known.get(key);
  if (found !== undefined) return found.json;
  const json = parseJson(text);
  known.set(key, { json: frozen(json) });
  return json;
}

/** Freezes a shared value, so that changing it is an error. */
function frozen(json: JsonValue): JsonValue {
  if (typeof json !== 'object' || json === null) return json;
  for (const value of Object.values(json)) frozen(value);
  return Object.freeze(json);
}
