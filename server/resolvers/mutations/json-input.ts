/** The scalar JSON as an argument: what came is checked before it is taken for JSON. */
import { InputError, keepFloats, type JsonObject, type JsonValue } from '../../zarr/index.js';

/** Documents of Zarr nest as deep at most. */
const MAX_DEPTH = 64;

/** @throws InputError for what is no JSON, or nests too deep */
export function parseJsonInput(value: unknown, name: string, depth = 0): JsonValue {
  if (depth > MAX_DEPTH) throw new InputError(`"${name}" nests deeper than ${MAX_DEPTH} levels`);
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
  throw new InputError(`"${name}" holds what is no JSON`);
}

/** Undefined for a null or an argument that was left out. @throws as above, and for JSON that is no object */
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
