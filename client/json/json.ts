import { isList, isRecord } from '../../wire/guards.js';

export { isList, isRecord };

/** A JSON value. The gateway writes integers beyond 2^53-1, NaN and the infinities as strings. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** A plain object from any realm, not a Map, Headers or typed array. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return Object.prototype.toString.call(value) === '[object Object]';
}

/**
 * A record with untrusted keys. Has no prototype, so that `constructor` and `__proto__` are ordinary keys.
 */
export function namedRecord<T>(entries: Iterable<readonly [name: string, value: T]>): Record<string, T> {
  const record: Record<string, T> = {};
  Object.setPrototypeOf(record, null);
  for (const [name, value] of entries) record[name] = value;
  return record;
}

/**
 * Formats an untrusted value for an error message. The text is short, and no method of the value is called.
 */
export function shown(value: unknown): string {
  if (typeof value === 'string') return value.length > 80 ? `${value.slice(0, 80)}...` : value;
  if (isList(value)) {
    const flat = value.length <= 16 && !value.some(isList);
    return flat ? `[${value.map(shown).join(', ')}]` : `a list of ${value.length}`;
  }
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
