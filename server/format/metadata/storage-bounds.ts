/**
 * Limits on the part of a document that describes the storage of an array: everything except its attributes
 * and consolidated metadata, which are only passed on. The rest is validated, bound to codecs and sent to
 * decoding threads without yielding.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/bytes/json.js';
import { LimitError } from '../../core/errors.js';
import { metadataBounds } from '../../core/limits.js';

const notStorage = ['attributes', 'consolidated_metadata'];

/**
 * @param name name of the document, for example ".zarray"
 * @throws LimitError for a document beyond the bounds
 */
export function assertStorageBounds(document: JsonObject, name: string): void {
  const { maxStorageValues, maxStorageText } = metadataBounds;
  const entries = Object.entries(document).filter(([key]) => !notStorage.includes(key));
  const left = { values: maxStorageValues, text: maxStorageText };
  for (const [key, value] of entries) {
    count(key, left);
    count(value, left);
  }
  if (left.values < 0) throw tooMuch(name, 'values', maxStorageValues);
  if (left.text < 0) throw tooMuch(name, 'characters of text', maxStorageText);
}

/** Counts values and text. Stops soon after a limit is exceeded. */
function count(json: JsonValue, left: { values: number; text: number }): void {
  left.values--;
  if (typeof json === 'string') left.text -= json.length;
  else if (Array.isArray(json)) countAll(json, left);
  else if (isJsonObject(json)) {
    for (const [key, value] of Object.entries(json)) {
      if (left.values < 0 || left.text < 0) return;
      left.text -= key.length;
      count(value, left);
    }
  }
}

function countAll(list: readonly JsonValue[], left: { values: number; text: number }): void {
  if (list.length > left.values) left.values = -1;
  for (const value of list) {
    if (left.values < 0 || left.text < 0) return;
    count(value, left);
  }
}

function tooMuch(name: string, unit: string, allowed: number): LimitError {
  return new LimitError(`${name} has more than ${allowed} ${unit}, not counting its attributes`, {
    excess: [{ limit: unit, allowed, needed: allowed + 1 }],
  });
}
