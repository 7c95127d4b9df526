/**
 * How v3 metadata name an extension (a codec, data type, chunk grid, key encoding): by a name alone, or by
 * `{name, configuration, must_understand}` (core specification, "Extensions").
 */
import { MetadataError, UnsupportedError } from '../errors.js';
import { describeJson } from './describe-json.js';
import { isJsonObject, type JsonObject, type JsonValue } from './json.js';

export interface Named {
  readonly name: string;
  /** Empty where there is none. */
  readonly configuration: JsonObject;
}

const KEYS = ['name', 'configuration', 'must_understand'];

/**
 * @param what for the error
 * @throws MetadataError; UnsupportedError for a further key, since what it changes is not known
 */
export function parseNamed(json: JsonValue | undefined, what: string): Named {
  if (typeof json === 'string') return { name: json, configuration: {} };
  if (isJsonObject(json)) {
    const { name, configuration, must_understand: must = true } = json;
    const options = configuration ?? {};
    if (typeof name === 'string' && isJsonObject(options) && typeof must === 'boolean') {
      checkKeys(json, KEYS, what);
      return { name, configuration: options };
    }
  }
  throw new MetadataError(
    `${what} is ${describeJson(json)}; it must be a name or {"name": ..., "configuration": {...}}`,
  );
}

/** @throws UnsupportedError for a key that is not among those */
export function checkKeys(object: JsonObject, known: readonly string[], what: string): void {
  const other = Object.keys(object).find((key) => !known.includes(key));
  if (other !== undefined)
    throw new UnsupportedError(
      `${what} has the key ${JSON.stringify(other)}, which is not known (known: ${known.join(', ')})`,
    );
}
