/** A request's body: JSON, or CBOR where its variables hold what JSON has no form for. */
import { encodeCbor } from '../cbor/encode.js';
import { InputError } from '../errors.js';
import { isList, isRecord } from '../json.js';
import { encodeBase64 } from './base64.js';

export interface RequestBody {
  readonly type: 'application/json' | 'application/cbor';
  readonly body: string | Uint8Array<ArrayBuffer>;
}

export interface RequestParts {
  readonly query: string;
  readonly variables: unknown;
}

/**
 * @param plain only JSON: bytes of an array become base64, big integers decimal text
 * @throws InputError for lists with byte strings in them, which would be taken for text in JSON
 */
export function writeBody(members: object, plain: boolean): RequestBody {
  if (!plain && needsCbor(members)) return { type: 'application/cbor', body: encodeCbor(members) };
  const body = JSON.stringify(members, (key, value: unknown) => {
    if (typeof value === 'bigint') return String(value);
    if (!(value instanceof Uint8Array)) return value;
    if (key === 'data') return encodeBase64(value);
    throw new InputError(
      'BAD_INPUT',
      "lists of byte strings travel as CBOR: leave out the option format: 'json'",
    );
  });
  return { type: 'application/json', body };
}

/** Whether JSON has no form for some of it. */
export function needsCbor(value: unknown): boolean {
  if (typeof value === 'bigint' || Object.is(value, -0) || value instanceof Uint8Array) return true;
  if (isList(value)) return value.some(needsCbor);
  return isRecord(value) && Object.values(value).some(needsCbor);
}
