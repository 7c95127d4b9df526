/**
 * Fill values of byte strings, raw bytes and text: base64 of the bytes (v2 "Fill value encoding"), lists of bytes
 * (v3 raw bits), plain text for U. Existing v2 files use 0 or "" for any of them.
 */
import { encodeBase64, parseBase64 } from '../../../wire/base64.js';
import { textFromUtf32, utf32FromText } from '../../../wire/data-types.js';
import type { JsonValue } from '../bytes/json.js';
import type { FixedType } from './data-type.js';
import { badFill, type FillContext } from './family/family.js';

/** @returns `itemSize` bytes. @throws MetadataError if it is not a value of the type */
export function parseFixedFill(json: JsonValue, dtype: FixedType, context: FillContext): Uint8Array {
  const size = dtype.itemSize;
  if (context.format < 3 && (json === 0 || json === '')) return new Uint8Array(size);
  if (dtype.name === 'fixed_length_utf32') return parseTextFill(json, size, context);
  const padded = dtype.name === 'null_terminated_bytes';
  const bytes =
    typeof json === 'string' && dtype.name !== 'raw_bits'
      ? (parseBase64(json) ?? (padded && context.format < 3 ? new TextEncoder().encode(json) : undefined))
      : byteList(json);
  const fits = bytes !== undefined && (padded ? bytes.length <= size : bytes.length === size);
  if (!fits) {
    const count = `${padded ? 'at most ' : ''}${size} bytes`;
    throw badFill(json, dtype.name === 'raw_bits' ? `a list of ${count}` : `base64 of ${count}`, context);
  }
  const item = new Uint8Array(size);
  item.set(bytes);
  return item;
}

function parseTextFill(json: JsonValue, size: number, context: FillContext): Uint8Array {
  const points = typeof json === 'string' ? utf32FromText(json, size / 4) : undefined;
  if (points === undefined) throw badFill(json, `text of at most ${size / 4} characters`, context);
  return new Uint8Array(points.buffer);
}

/** Reads bytes in v3's notation, a list of integers. */
function byteList(json: JsonValue): Uint8Array | undefined {
  if (!Array.isArray(json)) return undefined;
  const list: readonly JsonValue[] = json;
  const isByte = (byte: JsonValue): byte is number =>
    typeof byte === 'number' && Number.isInteger(byte) && byte >= 0 && byte <= 255;
  return list.every(isByte) ? Uint8Array.from(list) : undefined;
}

/** @throws MetadataError unless it is text, or 0 in formats 1 and 2 */
export function parseStringFill(json: JsonValue, context: FillContext): string {
  if (context.format < 3 && json === 0) return '';
  if (typeof json === 'string') return json;
  throw badFill(json, 'text', context);
}

/** @throws MetadataError unless it is base64 text or a list of bytes, or 0 in formats 1 and 2 */
export function parseBytesFill(json: JsonValue, context: FillContext): Uint8Array {
  if (context.format < 3 && (json === 0 || json === '')) return new Uint8Array(0);
  const bytes = typeof json === 'string' ? parseBase64(json) : byteList(json);
  if (bytes === undefined) throw badFill(json, 'base64 or a list of bytes', context);
  return bytes;
}

export function printFixedFill(bytes: Uint8Array, dtype: FixedType): JsonValue {
  if (dtype.name === 'raw_bits') return [...bytes];
  if (dtype.name === 'fixed_length_utf32') return textFromUtf32(new Uint32Array(bytes.slice().buffer));
  return encodeBase64(bytes);
}
