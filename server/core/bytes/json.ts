/**
 * Types of JSON in Zarr metadata. `parse-json.ts` reads JSON without loss (64-bit integers, bare NaN and
 * Infinity), and `print-json.ts` writes it.
 */
import { isRecord } from '../../../wire/guards.js';

/** An integer beyond 2^53 - 1 is a bigint; NaN and the infinities are numbers. */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject;

/**
 * Keys keep the order of the text, except that keys like array indices ("0") come first. Objects have no
 * prototype, so that no key is special.
 */
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

/**
 * Objects whose prototype is an empty object without a prototype. No key is special, and V8 stores them in
 * its fast form, unlike objects from `Object.create(null)` (five times slower to fill).
 */
class Bare {
  [key: string]: JsonValue;
}
Object.setPrototypeOf(Bare.prototype, null);
Reflect.deleteProperty(Bare.prototype, 'constructor');

/** An empty object that inherits nothing: `__proto__` and `constructor` are ordinary keys. */
export function emptyJsonObject(): Record<string, JsonValue> {
  return new Bare();
}

/** Compares JSON values, ignoring the order of keys. A number that JSON represents as text equals that text. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, i) => sameJson(item, b[i]));
  if (isRecord(a) && isRecord(b)) {
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) return false;
    return keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]));
  }
  return shown(a) === shown(b);
}

/** Replaces bigints beyond 2^53 - 1 and non-finite numbers by the text that represents them in JSON. */
function shown(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value.toString();
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : String(value);
  return value;
}

/**
 * Records which whole numbers of a JSON text were written as floats. JavaScript does not distinguish 2.0
 * from 2, but in Python, a `scale_factor` of 2 results in integers and 2.0 in floats. Parsed objects and
 * lists keep this information until they are written again. Copies keep it only if `keepFloats` or
 * `copyFloats` is called.
 */
const wholeFloats = Symbol('whole floats');

/** Marks the number under a key of an object, or at an index of a list, as a float. */
export function rememberFloat(container: object, key: string): void {
  const known = floatsOf(container);
  if (known !== undefined) known.add(key);
  // Not enumerable, so that comparisons ignore it.
  else Object.defineProperty(container, wholeFloats, { value: new Set([key]) });
}

/**
 * The keys (or indices) of numbers that were written as floats; undefined if there are none. Their values
 * may have changed.
 */
export function floatsOf(container: object): Set<string> | undefined {
  const known: unknown = Reflect.get(container, wholeFloats);
  return known instanceof Set ? known : undefined;
}

/** Copies the marks of an object or list to a copy of it. @returns the copy */
export function keepFloats<T extends object>(copy: T, original: object): T {
  for (const key of floatsOf(original) ?? []) rememberFloat(copy, key);
  return copy;
}

/** Copies marks between objects and lists of the same structure, recursively. */
export function copyFloats(from: unknown, to: unknown): void {
  if (typeof from !== 'object' || typeof to !== 'object' || from === null || to === null) return;
  keepFloats(to, from);
  for (const [key, value] of Object.entries(from)) copyFloats(value, Reflect.get(to, key));
}
