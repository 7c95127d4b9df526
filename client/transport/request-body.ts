/** Request bodies: JSON, or CBOR if the variables contain values without a JSON form. */
import { encodeCbor } from './cbor.js';
import { InputError } from '../errors.js';
import { isList, isRecord } from '../json/json.js';
import { encodeBase64 } from '../../wire/base64.js';

export interface RequestBody {
  readonly type: 'application/json' | 'application/cbor';
  readonly body: string | Uint8Array<ArrayBuffer>;
}

export interface RequestParts {
  readonly query: string;
  readonly variables: unknown;
}

/** @param plain whether only JSON is allowed. @throws errors from {@link writeJson} */
export function writeBody(members: object, plain: boolean): RequestBody {
  if (!plain && needsCbor(members)) return { type: 'application/cbor', body: encodeCbor(members) };
  return { type: 'application/json', body: writeJson(members) };
}

/**
 * Writes JSON for the gateway: base64 for the bytes of an array, decimal text for large integers.
 * @throws InputError for values that JSON would change: byte strings in lists, -0, NaN and the infinities
 */
export function writeJson(members: unknown): string {
  return JSON.stringify(members, (key, value: unknown) => {
    if (typeof value === 'bigint') return String(value);
    if (typeof value === 'number' && hasNoJson(value))
      throw noJson(Object.is(value, -0) ? 'the number -0' : `the number ${value}`);
    if (!(value instanceof Uint8Array)) return value;
    if (key === 'data') return encodeBase64(value);
    throw noJson('a list of byte strings');
  });
}

function noJson(what: string): InputError {
  return new InputError(
    'BAD_INPUT',
    `${what} has no JSON form; use a typed array, or remove the option format: 'json' to send CBOR`,
  );
}

/** Whether the value contains values without a JSON form. */
export function needsCbor(value: unknown): boolean {
  if (typeof value === 'number') return hasNoJson(value);
  if (typeof value === 'bigint' || value instanceof Uint8Array) return true;
  if (isList(value)) return value.some(needsCbor);
  return isRecord(value) && Object.values(value).some(needsCbor);
}

/** Checks for -0, NaN and the infinities, which JSON.stringify would change. */
function hasNoJson(value: number): boolean {
  return !Number.isFinite(value) || Object.is(value, -0);
}
