/**
 * Data types of v1 and v2 metadata: NumPy's typestr (`"<f4"`, `">M8[10ms]"`) and descr (lists of fields); v2
 * specification, "Data type encoding". The result is the canonical type (little-endian, packed) with the parts that
 * must be reversed in each stored item.
 */
import { typeOfKind } from '../../../wire/numpy-type.js';
import { describeJson } from '../bytes/describe-json.js';
import type { JsonValue } from '../bytes/json.js';
import { MetadataError } from '../errors.js';
import { metadataBounds } from '../limits.js';
import type { UnknownType } from './data-type.js';
import { swapsOf } from './families.js';
import { parseDescr, type NumpyType } from './family/struct-numpy.js';
import { outermost, type Nesting } from './struct-bounds.js';

export type { NumpyType };

const MAX_ITEM_SIZE = metadataBounds.maxItemBytes;

/**
 * `|O` is parsed as data type `unknown`: only its filter determines the type of the objects. The same applies
 * to NumPy's types without an equivalent in JavaScript (`<f16`, `<c32`).
 * @throws MetadataError for text that NumPy would not write
 */
export function parseNumpyType(json: JsonValue): NumpyType {
  return parseType(json, 'dtype', outermost());
}

function parseType(json: JsonValue, at: string, nesting: Nesting): NumpyType {
  if (typeof json === 'string') return parseTypestr(json, at);
  if (Array.isArray(json)) return parseDescr(json, at, nesting, parseType);
  throw new MetadataError(
    `${at} is ${describeJson(json)}; it must be a NumPy type string such as "<f8", or a list of [name, type] fields`,
  );
}

function parseTypestr(text: string, at: string): NumpyType {
  const match = /^([<>|])([a-zA-Z])(\d{0,10})(?:\[(\d{0,10})([^\]\d][^\]]*)\])?$/.exec(text);
  const fail = (why: string) =>
    new MetadataError(`${at} ${JSON.stringify(text)} is not a NumPy type string: ${why}`);
  if (match === null)
    throw fail('it must be a byte order (<, > or |), a kind and a size, such as "<f8" or "|S12"');
  const [, order = '', kind = '', digits = '', scale = '', unit] = match;
  const size = Number(digits);
  if (unit !== undefined && kind !== 'M' && kind !== 'm')
    throw fail(`the kind "${kind}" does not take a unit`);
  if (kind === 'O') return { dtype: unknownType(text), swaps: [] };
  if (digits === '' || size > MAX_ITEM_SIZE) throw fail('its size is missing or too large');
  const scaleOrOne = scale === '' ? 1 : Number(scale);
  const dtype = isLongDouble(kind, size)
    ? unknownType(text)
    : typeOfKind({ kind, size, scale: scaleOrOne, unit });
  if (dtype === undefined || (dtype.itemSize ?? 0) > MAX_ITEM_SIZE)
    throw fail(`unsupported size for the kind "${kind}"`);
  const swaps = swapsOf(dtype);
  if (order === '|' && swaps.length > 0) throw fail('the byte order is missing; it must start with < or >');
  return { dtype, swaps: order === '>' ? swaps : [] };
}

/** NumPy's long doubles, which have 80 or 128 bits, depending on the machine. */
function isLongDouble(kind: string, size: number): boolean {
  return (kind === 'f' && (size === 12 || size === 16)) || (kind === 'c' && (size === 24 || size === 32));
}

function unknownType(given: string): UnknownType {
  return { name: 'unknown', itemSize: null, given };
}
