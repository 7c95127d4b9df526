/**
 * Types of JSON in Zarr metadata. `parse-json.ts` reads it without loss (64-bit integers, bare NaN and
 * Infinity), `print-json.ts` writes it.
 */

/** An integer beyond 2^53 - 1 is a bigint; NaN and the infinities are numbers. */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject;

/** Keys keep the order of the text. Objects have no prototype, so that no key is special. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Like `Array.isArray`, which narrows a read-only list to `any[]`. */
export function isJsonList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
