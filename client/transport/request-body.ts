/** A request's body: JSON, or CBOR where its variables hold what JSON has no form for. */
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

/** @param plain only JSON. @throws InputError as {@link writeJson} */
export function writeBody(members: object, plain: boolean): RequestBody {
  if (!plain && needsCbor(members)) return { type: 'application/cbor', body: encodeCbor(members) };
  return { type: 'application/json', body: writeJson(members) };
}

/**
 * As the gateway reads it: bytes of an array are base64, big integers decimal text.
 * @throws InputError for what would mean something else: byte strings in lists (text), -0 (0), NaN and the infinities
 *   (null)
 */
export function writeJson(members: unknown): string {
  return JSON.stringify(members, (key, value: unknown) => {
    if (typeof value === 'bigint') return String(value);
    if (typeof value === 'number' && hasNoJson(value))
      throw noJson(Object.is(value, -0) ? 'the number -0 is' : `the number ${value} is`);
    if (!(value instanceof Uint8Array)) return value;
    if (key === 'data') return encodeBase64(value);
    throw noJson('lists of byte strings are');
  });
}

function noJson(what: string): InputError {
  return new InputError(
    'BAD_INPUT',
    `${what} nothing that JSON can say; typed arrays can, and CBOR (leave out the option format: 'json')`,
  );
}

/** Whether JSON has no form for some of it. */
export function needsCbor(value: unknown): boolean {
  if (typeof value === 'number') return hasNoJson(value);
  if (typeof value === 'bigint' || value instanceof Uint8Array) return true;
  if (isList(value)) return value.some(needsCbor);
  return isRecord(value) && Object.values(value).some(needsCbor);
}

/** JSON.stringify makes 0 of -0, and null of NaN and the infinities. */
function hasNoJson(value: number): boolean {
  return !Number.isFinite(value) || Object.is(value, -0);
}
