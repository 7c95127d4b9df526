/**
 * Text: characters of one byte joined along their last dimension (as in classic netCDF), bytes with a
 * declared `_Encoding`, and missing values. Bytes without a declared encoding remain bytes, unless some can
 * be missing: then they are decoded as UTF-8, as they are displayed.
 */
import { type Block, type DataType, itemsOfValues, parseBase64, toTypedArray } from '../../zarr/index.js';
import { badAttribute } from '../attributes.js';
import type { DecodingOptions, StoredVariable, VariableDecoding } from './decoding.js';
import { createDecoding } from './create-decoding.js';
import { type Missing, parseMissing, readEach } from './missing-values.js';
import { createTextDecoder, utf8Text } from './text-encodings.js';

const textType = { name: 'string', itemSize: null } as const;

/**
 * @throws MetadataError if a missing value or `_Encoding` is not text; UnsupportedError for an encoding that
 *   this runtime does not support
 */
export function planText(variable: StoredVariable, options: Required<DecodingOptions>): VariableDecoding {
  const { dtype, shape } = variable;
  const isCharacters =
    dtype.name === 'null_terminated_bytes' && dtype.itemSize === 1 && options.joinCharacters;
  const joinedCharacters = isCharacters ? shape.at(-1) : undefined;
  const charset = declaredEncoding(variable);
  const { values: missing, encoding: marks } = missingTexts(variable, options.useFillValue, charset);
  const encoding = charset === undefined ? marks : { ...marks, _Encoding: charset };
  const join = joinedCharacters === undefined ? undefined : joinCharacters;
  if (charset === undefined && missing.length === 0) {
    const type = joinedCharacters === undefined ? dtype : joinedType(joinedCharacters);
    return createDecoding(variable, {
      dtype: type,
      encoding,
      missing: 'none',
      joinedCharacters,
      decode: join,
    });
  }
  const textOf = charset === undefined ? utf8Text : createTextDecoder(variable.name, charset);
  const decode = (stored: Block): Block => {
    const block = join === undefined ? stored : join(stored);
    const texts = Array.from(toTypedArray(block), (item) => {
      const text = item instanceof Uint8Array ? textOf(item) : item;
      return typeof text === 'string' && !missing.includes(text) ? text : null;
    });
    return { dtype: textType, shape: block.shape, items: itemsOfValues(texts, textType) };
  };
  const form = missing.length === 0 ? 'none' : 'null';
  return createDecoding(variable, { dtype: textType, encoding, missing: form, joinedCharacters, decode });
}

function declaredEncoding({ name, dtype, attributes }: StoredVariable): string | undefined {
  const charset = attributes['_Encoding'];
  if (charset === undefined || dtype.name !== 'null_terminated_bytes') return undefined;
  if (typeof charset === 'string') return charset;
  throw badAttribute(name, '_Encoding', charset, 'expected a name such as "utf-8"');
}

function missingTexts(
  variable: StoredVariable,
  useFillValue: boolean,
  charset: string | undefined,
): Missing<string> {
  const isBytes = variable.dtype.name === 'null_terminated_bytes';
  return parseMissing(variable, {
    // As in xarray, text with a declared encoding is compared with text only, so an empty fill value masks
    // nothing.
    own: useFillValue && charset === undefined ? ownFill(variable) : undefined,
    read: (json, attribute) =>
      readEach(json, (item) => {
        if (typeof item !== 'string') return undefined;
        const isEncoded = isBytes && attribute === '_FillValue' && variable.zarrFormat === 3;
        const bytes = isEncoded ? parseBase64(item) : undefined;
        return bytes === undefined ? item : utf8Text(bytes).replace(/\0+$/, '');
      }),
    expected: 'text',
  });
}

function ownFill({ fill, dtype }: StoredVariable): string | undefined {
  if (fill === undefined) return undefined;
  if (!('bytes' in fill)) return typeof fill.item === 'string' ? fill.item : undefined;
  if (dtype.name !== 'null_terminated_bytes' && dtype.name !== 'fixed_length_utf32') return undefined;
  const [value] = toTypedArray({ dtype, shape: [1], bytes: fill.bytes });
  return value instanceof Uint8Array ? utf8Text(value) : String(value);
}

function joinedType(length: number): DataType {
  return { name: 'null_terminated_bytes', itemSize: Math.max(1, length) };
}

/**
 * Reinterprets the last dimension as part of the data type. If it has no characters, each text is one
 * padding byte.
 */
function joinCharacters(stored: Block): Block {
  if (!('bytes' in stored)) return stored;
  const shape = stored.shape.slice(0, -1);
  const length = stored.shape.at(-1) ?? 0;
  const count = shape.reduce((product, size) => product * size, 1);
  const bytes = length === 0 ? new Uint8Array(count) : stored.bytes;
  return { dtype: { name: 'null_terminated_bytes', itemSize: Math.max(1, length) }, shape, bytes };
}
