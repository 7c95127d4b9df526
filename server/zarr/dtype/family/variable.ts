/** Types of variable length: text, bytes, the objects of v2 (JSON, ragged arrays), and types that are not known. */
import { parseBase64 } from '../../../../wire/base64.js';
import { encodeUtf8 } from '../../bytes/text.js';
import { InputError, UnsupportedError } from '../../errors.js';
import {
  dataTypeName,
  isFixedSize,
  type FixedSizeType,
  type RaggedType,
  type UnknownType,
  type VariableType,
} from '../data-type.js';
import { parseBytesFill, parseStringFill } from '../fill-bytes.js';
import { contentsOfJson } from '../item-values.js';
import { isList } from '../nested-values.js';
import { refuse } from '../pack-numbers.js';
import type { FixedTraits, VariableTraits } from './family.js';

export function variableTraits(
  dtype: VariableType | RaggedType | UnknownType,
  fixedTraitsOf: (dtype: FixedSizeType) => FixedTraits,
): VariableTraits {
  const v3Json = (): never => {
    throw new UnsupportedError(`the data type "${dataTypeName(dtype)}" has no form in Zarr v3`);
  };
  switch (dtype.name) {
    case 'string':
      return {
        v3Json: () => dtype.name,
        emptyItem: () => '',
        parseFill: parseStringFill,
        pack(value, place) {
          if (typeof value === 'string' && !/\p{Surrogate}/u.test(value)) return encodeUtf8(value);
          throw refuse(value, 'well-formed text', place);
        },
      };
    case 'variable_length_bytes':
      return {
        v3Json: () => dtype.name,
        emptyItem: () => new Uint8Array(0),
        parseFill: parseBytesFill,
        pack(value, place) {
          const bytes = typeof value === 'string' ? parseBase64(value) : value;
          if (bytes instanceof Uint8Array) return bytes;
          throw refuse(value, 'bytes, or base64 of them', place);
        },
      };
    case 'json':
      return {
        v3Json,
        emptyItem: () => null,
        parseFill: (json) => json,
        pack: contentsOfJson,
      };
    case 'ragged':
      return {
        v3Json,
        emptyItem: () => emptyRagged(dtype),
        // Nobody has written another fill value for objects than 0 and null.
        parseFill: () => emptyRagged(dtype),
        pack: (value, place) => packRagged(value, dtype, place, fixedTraitsOf),
      };
    case 'unknown':
      return {
        v3Json,
        emptyItem: () => null,
        parseFill: () => null,
        pack() {
          throw new InputError(`values of the type "${dtype.given}" cannot be written`);
        },
      };
  }
}

function emptyRagged({ item }: RaggedType): unknown {
  return { dtype: item, shape: [0], ...(isFixedSize(item) ? { bytes: new Uint8Array(0) } : {}) };
}

function packRagged(
  value: unknown,
  { item }: RaggedType,
  place: string,
  fixedTraitsOf: (dtype: FixedSizeType) => FixedTraits,
): Uint8Array {
  if (!isFixedSize(item) || item.name === 'struct' || !isList(value))
    throw refuse(value, 'a list of values', place);
  return fixedTraitsOf(item).pack(value, (i) => `value ${i} of ${place}`);
}
