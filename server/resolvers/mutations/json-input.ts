/** Validates arguments of the scalar JSON. */
import { InputError, keepFloats, type JsonObject, type JsonValue } from '../../zarr/index.js';

/** Maximum nesting of Zarr documents. */
const MAX_DEPTH = 64;

/** @throws InputError for values that are not JSON, or nested too deeply */
export function parseJsonInput(value: unknown, name: string, depth = 0): JsonValue {
  if (depth > MAX_DEPTH) throw new InputError(`"${name}" is nested deeper than ${MAX_DEPTH} levels`);
  switch (typeof value) {
    case 'boolean':
    case 'number':
    case 'bigint':
    case 'string':
      return value;
    case 'object':
      if (value === null) return null;
      if (Array.isArray(value))
        return keepFloats(
          value.map((one) => parseJsonInput(one, name, depth + 1)),
          value,
        );
      if (isPlain(value)) return parseEntries(value, name, depth);
      break;
    default:
  }
  throw new InputError(`"${name}" contains a value that is not JSON`);
}

/**
 * Undefined for null or an omitted argument.
 * @throws InputError for invalid JSON, and for JSON that is not an object
 */
export function parseJsonObjectInput(value: unknown, name: string): JsonObject | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'object' && isPlain(value)) return parseEntries(value, name, 0);
  throw new InputError(`"${name}" must be an object`);
}

function parseEntries(value: object, name: string, depth: number): JsonObject {
  const entries = Object.entries(value).map(
    ([key, one]) => [key, parseJsonInput(one, name, depth + 1)] as const,
  );
  return keepFloats(Object.fromEntries(entries), value);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
