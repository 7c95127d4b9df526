/** Text and bytes of a fixed length: NumPy's S, U and V, and v3's raw bits. */
import { sizeOf } from '../../bytes/shape.js';
import { encodeBase64, parseBase64 } from '../../../../wire/base64.js';
import {
  type FixedBytesName,
  isByteStringName,
  isFixedBytesName,
  isTextName,
  textFromUtf32,
  utf32FromText,
  withoutPadding,
} from '../../../../wire/data-types.js';
import { describeJson } from '../../bytes/print-json.js';
import type { JsonObject } from '../../bytes/json.js';
import { MetadataError, UnsupportedError } from '../../errors.js';
import { metadataBounds } from '../../limits.js';
import { fixedItemSize, type Block, dataTypeName, type DataOf, type FixedType } from '../data-type.js';
import { parseFixedFill, printFixedFill } from '../fill-bytes.js';
import { invalidValue, type PositionText } from '../pack-numbers.js';
import { type Family, type FixedTraits, refuseConfiguration, mapItems, viewAs, viewBytes } from './family.js';

const CODE_POINT_BYTES = 4;
const MAX_ITEM_SIZE = metadataBounds.maxItemBytes;

export const fixedRows: {
  readonly [N in FixedBytesName]: {
    readonly view: (block: Block) => DataOf<N>;
    readonly valueOf: (item: Uint8Array) => DataOf<N>[number];
  };
} = {
  null_terminated_bytes: {
    view: (block) => mapItems(block, withoutPadding),
    valueOf: withoutPadding,
  },
  fixed_length_utf32: { view: textsOf, valueOf: textOf },
  raw_bytes: { view: (block) => mapItems(block, (item) => item), valueOf: (item) => item },
  raw_bits: { view: (block) => mapItems(block, (item) => item), valueOf: (item) => item },
};

export const fixedFamily: Family = {
  names: ['r*', ...Object.keys(fixedRows).filter((name) => name !== 'raw_bits')],
  parseV3({ name, configuration, at }) {
    const bits = /^r([1-9]\d{0,10})$/.exec(name)?.[1];
    if (bits !== undefined) {
      refuseConfiguration(configuration, name, at);
      return rawBits(name, Number(bits) / 8, at);
    }
    return isFixedBytesName(name) && name !== 'raw_bits'
      ? parseConfiguration(name, configuration, at)
      : undefined;
  },
};

function rawBits(name: string, itemSize: number, at: string): FixedType {
  if (Number.isInteger(itemSize) && itemSize <= MAX_ITEM_SIZE) return { name: 'raw_bits', itemSize };
  throw new MetadataError(
    `${at} is "${name}"; the number of raw bits must be a multiple of 8, at most ${8 * MAX_ITEM_SIZE}`,
  );
}

function parseConfiguration(name: FixedBytesName, configuration: JsonObject, at: string): FixedType {
  const size = configuration['length_bytes'];
  if (typeof size !== 'number' || !Number.isInteger(size) || size < 0 || size > MAX_ITEM_SIZE)
    throw new MetadataError(
      `${at} "${name}": length_bytes is ${describeJson(size)}; expected an integer from 0 to ${MAX_ITEM_SIZE}`,
    );
  if (isTextName(name) && size % CODE_POINT_BYTES !== 0)
    throw new MetadataError(
      `${at} "${name}": length_bytes is ${size}; expected a multiple of 4, because a character takes 4 bytes`,
    );
  return { name, itemSize: size };
}

function textOf(item: Uint8Array): string {
  return textFromUtf32(viewBytes(Uint32Array, item));
}

function textsOf(block: Block): string[] {
  const points = viewAs(Uint32Array)(block);
  const length = fixedItemSize(block.dtype) / CODE_POINT_BYTES;
  return Array.from({ length: sizeOf(block.shape) }, (_, i) =>
    textFromUtf32(points, i * length, (i + 1) * length),
  );
}

export function fixedTraits(dtype: FixedType): FixedTraits {
  const { name, itemSize } = dtype;
  const isText = isTextName(name);
  const isBits = name === 'raw_bits';
  const length = itemSize / CODE_POINT_BYTES;
  return {
    v3Json() {
      if (!isBits) return { name, configuration: { length_bytes: itemSize } };
      if (itemSize === 0) throw new UnsupportedError('Zarr v3 cannot represent raw bits of length 0');
      return dataTypeName(dtype);
    },
    listValues: isText ? 'none' : 'bytes',
    castsFrom: ({ name: other }) => (isText ? isTextName(other) : isByteStringName(other)),
    swaps: () => (isText && itemSize > 0 ? [{ offset: 0, unit: CODE_POINT_BYTES, count: length }] : []),
    undefinedFill: () => new Uint8Array(itemSize),
    parseFill: (json, context) => parseFixedFill(json, dtype, context),
    printFill: (bytes, format) =>
      isBits && format === 2 ? encodeBase64(bytes) : printFixedFill(bytes, dtype),
    pack: (values, position) => packStrings(values, dtype, position),
    valueOf: (item) => fixedRows[name].valueOf(item),
  };
}

const encoder = new TextEncoder();

function packStrings(values: ArrayLike<unknown>, dtype: FixedType, position: PositionText): Uint8Array {
  const size = dtype.itemSize;
  const bytes = new Uint8Array(values.length * size);
  for (let i = 0; i < values.length; i++) bytes.set(stringBytes(values[i], dtype, position(i)), i * size);
  return bytes;
}

function stringBytes(value: unknown, dtype: FixedType, position: string): Uint8Array {
  const size = dtype.itemSize;
  if (isTextName(dtype.name)) {
    const points = typeof value === 'string' ? utf32FromText(value, size / CODE_POINT_BYTES) : undefined;
    if (points === undefined)
      throw invalidValue(value, `text of at most ${size / CODE_POINT_BYTES} characters`, position);
    return new Uint8Array(points.buffer);
  }
  const isText = dtype.name === 'null_terminated_bytes';
  if (typeof value === 'string' && isText && /\p{Surrogate}/u.test(value))
    throw invalidValue(value, 'text without lone surrogates', position);
  const bytes =
    value instanceof Uint8Array
      ? value
      : typeof value !== 'string'
        ? undefined
        : isText
          ? encoder.encode(value)
          : parseBase64(value);
  if (bytes === undefined || (isText ? bytes.length > size : bytes.length !== size))
    throw invalidValue(
      value,
      isText ? `text or bytes, at most ${size} bytes` : `${size} bytes, or the same as base64 text`,
      position,
    );
  return bytes;
}
