/**
 * Converts JSON values to contents and back. Contents are JSON text as `parseJson` reads it, or `PACKED`
 * followed by MessagePack if the value contains bytes, which JSON cannot represent.
 */
import { type JsonValue, keepFloats } from '../bytes/json.js';
import { decodeMsgpack, encodeMsgpack } from '../bytes/msgpack.js';
import { parseJson } from '../bytes/parse-json.js';
import { printJson } from '../bytes/print-json.js';
import { encodeUtf8 } from '../bytes/text.js';
import { InputError, LimitError } from '../errors.js';
import { metadataBounds } from '../limits.js';

/** No JSON text and no MessagePack value starts with this byte. */
const PACKED = 0xc1;

const nullText = encodeUtf8('null');
const { maxDepth, maxObjectBytes } = metadataBounds;

export function valueOfJson(contents: Uint8Array): unknown {
  return contents[0] === PACKED
    ? decodeMsgpack(contents.subarray(1), false)
    : parseJson(contents, { maxBytes: maxObjectBytes });
}

/** @throws InputError, LimitError for a value that is too large */
export function contentsOfJson(value: unknown): Uint8Array {
  if (value === null || value === undefined) return nullText;
  const json = toJson(value, 0);
  let contents: Uint8Array;
  if (json !== undefined) contents = encodeUtf8(printJson(json));
  else {
    const packed = encodeMsgpack(value);
    contents = new Uint8Array(packed.length + 1);
    contents[0] = PACKED;
    contents.set(packed, 1);
  }
  if (contents.length <= maxObjectBytes) return contents;
  throw objectTooLarge(contents.length);
}

export function objectTooLarge(needed: number): LimitError {
  return new LimitError(
    `a JSON value takes at least ${needed} bytes; at most ${maxObjectBytes} are supported`,
    {
      excess: [{ limit: 'maxObjectBytes', allowed: maxObjectBytes, needed }],
    },
  );
}

/** The text of a JSON element; undefined if it contains bytes, which JSON cannot represent. */
export function jsonTextOf(contents: Uint8Array): Uint8Array | undefined {
  return contents[0] === PACKED ? undefined : contents;
}

/** Converts a value to JSON; undefined if it contains bytes. */
function toJson(value: unknown, depth: number): JsonValue | undefined {
  if (depth > maxDepth) throw new InputError(`a JSON value is nested deeper than ${maxDepth} levels`);
  if (value === null || value === undefined) return null;
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'number':
    case 'bigint':
      return value;
    case 'object':
      break;
    default:
      throw new InputError(`a value of the JavaScript type ${typeof value} cannot be written as JSON`);
  }
  if (value instanceof Uint8Array) return undefined;
  if (ArrayBuffer.isView(value)) throw new InputError('a typed array cannot be written as JSON; pass a list');
  // Lists are not converted by entries, because creating their index strings is slow.
  if (Array.isArray(value)) {
    const list: JsonValue[] = [];
    for (const part of value) {
      const json = toJson(part, depth + 1);
      if (json === undefined) return undefined;
      list.push(json);
    }
    return keepFloats(list, value);
  }
  const members: [string, JsonValue][] = [];
  for (const [key, part] of Object.entries(value)) {
    const json = toJson(part, depth + 1);
    if (json === undefined) return undefined;
    members.push([key, json]);
  }
  return keepFloats(Object.fromEntries(members), value);
}
