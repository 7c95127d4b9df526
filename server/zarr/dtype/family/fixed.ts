/** Text and bytes of a fixed length: NumPy's S, U and V, and v3's raw bits. */
import { encodeBase64, parseBase64 } from '../../../../wire/base64.js';
import { utf32FromText } from '../../../../wire/fixed-text.js';
import { UnsupportedError } from '../../errors.js';
import { dataTypeName, type FixedType } from '../data-type.js';
import { parseFixedFill, printFixedFill } from '../fill-bytes.js';
import { refuse, type PlaceOf } from '../pack-numbers.js';
import type { FixedTraits } from './family.js';

const CODE_POINT_BYTES = 4;

export function fixedTraits(dtype: FixedType): FixedTraits {
  const { name, itemSize } = dtype;
  const isText = name === 'fixed_length_utf32';
  const isBits = name === 'raw_bits';
  const length = itemSize / CODE_POINT_BYTES;
  return {
    v3Json() {
      if (!isBits) return { name, configuration: { length_bytes: itemSize } };
      if (itemSize === 0) throw new UnsupportedError('raw bits of no length have no form in Zarr v3');
      return dataTypeName(dtype);
    },
    swaps: () => (isText && itemSize > 0 ? [{ offset: 0, unit: CODE_POINT_BYTES, count: length }] : []),
    undefinedFill: () => new Uint8Array(itemSize),
    parseFill: (json, context) => parseFixedFill(json, dtype, context),
    printFill: (bytes, format) =>
      isBits && format === 2 ? encodeBase64(bytes) : printFixedFill(bytes, dtype),
    pack: (values, place) => packStrings(values, dtype, place),
  };
}

const encoder = new TextEncoder();

function packStrings(values: ArrayLike<unknown>, dtype: FixedType, place: PlaceOf): Uint8Array {
  const size = dtype.itemSize;
  const bytes = new Uint8Array(values.length * size);
  for (let i = 0; i < values.length; i++) bytes.set(stringBytes(values[i], dtype, place(i)), i * size);
  return bytes;
}

function stringBytes(value: unknown, dtype: FixedType, place: string): Uint8Array {
  const size = dtype.itemSize;
  if (dtype.name === 'fixed_length_utf32') {
    const points = typeof value === 'string' ? utf32FromText(value, size / CODE_POINT_BYTES) : undefined;
    if (points === undefined)
      throw refuse(value, `text of at most ${size / CODE_POINT_BYTES} characters`, place);
    return new Uint8Array(points.buffer);
  }
  const isText = dtype.name === 'null_terminated_bytes';
  if (typeof value === 'string' && isText && /\p{Surrogate}/u.test(value))
    throw refuse(value, 'text without halves of surrogate pairs', place);
  const bytes =
    value instanceof Uint8Array
      ? value
      : typeof value !== 'string'
        ? undefined
        : isText
          ? encoder.encode(value)
          : parseBase64(value);
  if (bytes === undefined || (isText ? bytes.length > size : bytes.length !== size))
    throw refuse(
      value,
      isText ? `text or bytes, at most ${size} bytes` : `${size} bytes, or base64 of them`,
      place,
    );
  return bytes;
}
