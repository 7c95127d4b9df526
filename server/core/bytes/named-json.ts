/**
 * Parses the form in which v3 metadata names an extension (a codec, data type, chunk grid, key encoding): a
 * name, or `{name, configuration, must_understand}` (core specification, "Extensions").
 */
import { MetadataError, UnsupportedError } from '../errors.js';
import { describeJson } from './print-json.js';
import { isJsonObject, type JsonObject, type JsonValue } from './json.js';

interface Named {
  readonly name: string;
  /** The configuration; empty if absent. */
  readonly configuration: JsonObject;
}

const knownKeys = ['name', 'configuration', 'must_understand'];

/**
 * @param subject name of the extension, for errors
 * @throws MetadataError for any other form; UnsupportedError for an additional key, because its meaning is
 * unknown
 */
export function parseNamed(json: JsonValue | undefined, subject: string): Named {
  if (typeof json === 'string') return { name: json, configuration: {} };
  if (isJsonObject(json)) {
    const { name, configuration, must_understand: must = true } = json;
    const options = configuration ?? {};
    if (typeof name === 'string' && isJsonObject(options) && typeof must === 'boolean') {
      checkKeys(json, knownKeys, subject);
      return { name, configuration: options };
    }
  }
  throw new MetadataError(
    `${subject} is ${describeJson(json)}; expected a name or {"name": ..., "configuration": {...}}`,
  );
}

/** @throws UnsupportedError for a key that is not listed */
export function checkKeys(object: JsonObject, known: readonly string[], subject: string): void {
  const other = Object.keys(object).find((key) => !known.includes(key));
  if (other !== undefined)
    throw new UnsupportedError(
      `${subject} has the unknown key ${JSON.stringify(other)}; allowed keys are ${known.join(', ')}`,
    );
}
