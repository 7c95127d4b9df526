/** Values as the text of a cell. */
import type { AnyNDArray } from 'zarrql-client';
import { numberText } from './labels.js';

export function cellText(array: AnyNDArray, place: number): string {
  if (place >= array.size) return '';
  if (array.mask?.[place] === 1) return '–';
  const value: unknown = array.at(place);
  if (typeof value === 'bigint' && array.unit !== undefined) return dateText(array, place);
  return valueText(value, array.dtype === 'float32' || array.dtype === 'float16');
}

interface Field {
  readonly name: string;
  readonly dtype: { readonly name: string };
}

/** One field of a record. */
export function fieldText(array: AnyNDArray, place: number, { name, dtype }: Field): string {
  if (place >= array.size) return '';
  const record: unknown = array.at(place);
  if (typeof record !== 'object' || record === null) return '';
  const value: unknown = Object.entries(record).find(([key]) => key === name)?.[1];
  return valueText(value, dtype.name === 'float32' || dtype.name === 'float16');
}

function valueText(value: unknown, isFloat32 = false): string {
  if (typeof value === 'number') return Number.isNaN(value) ? '–' : numberText(value, isFloat32);
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  return typeof value === 'object' && value !== null ? objectText(value) : '';
}

function objectText(value: object): string {
  if (value instanceof Uint8Array) return bytesText(value);
  return (
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === 'bigint' ? String(each) : each instanceof Uint8Array ? bytesText(each) : each,
    ) ?? ''
  );
}

/** Printable ASCII as text without trailing zeros, other bytes in hexadecimal. */
function bytesText(bytes: Uint8Array): string {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end -= 1;
  const used = bytes.subarray(0, end);
  if (used.every((byte) => byte >= 0x20 && byte < 0x7f)) return String.fromCharCode(...used);
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function dateText(array: AnyNDArray, place: number): string {
  const json = array.toJSON();
  const flat = Array.isArray(json) ? json.flat(1) : [json];
  return String(flat[place] ?? '–');
}
