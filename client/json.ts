/** A value of JSON. The gateway writes integers beyond 2^53-1 as decimal strings and NaN as "NaN". */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** A JSON object (or any object that is not a list) as a map of unknown values. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Made of its own members alone, in whatever realm: no Map, Headers or typed array, whose content is elsewhere. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return Object.prototype.toString.call(value) === '[object Object]';
}

/** A list of anything; `Array.isArray` would give `any`. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
