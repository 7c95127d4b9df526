/**
 * The output of values, with one row for each data type. Structs are written field by field. In CBOR, types
 * that have an element (`elementOf` in `wire/data-types.ts`) are written as typed arrays, and others as lists
 * of items. NPY, raw files and base64 contain the bytes of a block; NPY also contains NumPy's name of their
 * type (`numpyTypestr`).
 */
import {
  type Block,
  contentsAt,
  dataOf,
  elementAt,
  formatDatetimes,
  type TypeName,
} from '../../zarr/index.js';
import { type FixedBytesName, NAT } from '../../../wire/data-types.js';
import { blockPart } from '../block-part.js';
import { Utf8Text } from '../cbor/value-run.js';
import { base64Cell, floatCell, itemCells, unfold, type Column } from '../csv/cells.js';
import {
  base64Item,
  base64Pieces,
  byteText,
  itemSegments,
  textPieces,
  timeSegments,
  variableSegments,
} from '../json/item-text.js';
import type { SegmentText } from '../json/list-text.js';
import { valueText } from '../json/value-text.js';
import {
  boolSegments,
  complexSegments,
  floatSegments,
  integerSegments,
  longSegments,
  type NonFinite,
} from '../json/number-text.js';

/** The values of the schema's enum `DataTypeKind`. */
type Kind =
  | 'BOOLEAN' | 'INTEGER' | 'UNSIGNED' | 'FLOAT' | 'COMPLEX' | 'DATETIME' | 'TIMEDELTA'
  | 'STRING' | 'BYTES' | 'RAW' | 'OBJECT'; // prettier-ignore

export interface WireRow {
  readonly kind: Kind;
  /**
   * Writes runs of elements. The data type alone determines the form.
   * @param itemText JSON of an item of a ragged array
   */
  json(block: Block, nonFinite: NonFinite, itemText: (item: unknown) => string): SegmentText;
  /** The cells of each column. @param itemText JSON of an item of a ragged array */
  csv(block: Block, itemText: (item: unknown) => string): readonly Column[];
  /** Suffixes of the column names, if there are several columns. */
  readonly csvSuffixes?: readonly string[];
  /** Items of types without a typed array. */
  cbor?(block: Block): Iterable<unknown>;
}

type SmallInteger = 'int8' | 'int16' | 'int32' | 'uint8' | 'uint16' | 'uint32';

function integers(name: SmallInteger, kind: Kind): WireRow {
  return {
    kind,
    json: (block) => integerSegments(dataOf(block, name)),
    csv: (block) => [Array.from(dataOf(block, name), String)],
  };
}

function longs(name: 'int64' | 'uint64', kind: Kind): WireRow {
  return {
    kind,
    json: (block) => longSegments(dataOf(block, name)),
    csv: (block) => [Array.from(dataOf(block, name), String)],
  };
}

function floats(name: 'float16' | 'float32' | 'float64'): WireRow {
  return {
    kind: 'FLOAT',
    json: (block, nonFinite) => floatSegments(dataOf(block, name), nonFinite),
    csv: (block) => [Array.from(dataOf(block, name), floatCell)],
  };
}

function complexNumbers(name: 'complex64' | 'complex128'): WireRow {
  return {
    kind: 'COMPLEX',
    json: (block, nonFinite) => complexSegments(dataOf(block, name), nonFinite),
    csv: (block) => unfold([Array.from(dataOf(block, name), floatCell)], 2),
    csvSuffixes: ['.real', '.imag'],
  };
}

/** Creates the row of a type of fixed-length byte strings. */
function fixedBytes(
  name: Exclude<FixedBytesName, 'fixed_length_utf32'>,
  kind: Kind,
  jsonOf: (item: Uint8Array) => string,
  cellOf: (item: Uint8Array) => string,
): WireRow {
  return {
    kind,
    json: (block) => itemSegments((from, to) => dataOf(blockPart(block, from, to), name), jsonOf),
    csv: (block) => [itemCells(dataOf(block, name), cellOf)],
    cbor: (block) => dataOf(block, name),
  };
}

/** @param itemOf the CBOR item of stored contents */
function* variableItems(block: Block, itemOf: (contents: Uint8Array) => unknown): Generator<unknown> {
  if (!('items' in block)) return;
  for (let i = 0; i < block.items.lengths.length; i++) {
    const contents = contentsAt(block.items, i);
    yield contents === null ? null : itemOf(contents);
  }
}

function* elements(block: Block): Generator<unknown> {
  if (!('items' in block)) return;
  for (let i = 0; i < block.items.lengths.length; i++) yield elementAt(block, i);
}

const wireRows: { readonly [N in Exclude<TypeName, 'struct' | 'unknown'>]: WireRow } = {
  bool: {
    kind: 'BOOLEAN',
    json: (block) => boolSegments(dataOf(block, 'bool')),
    csv: (block) => [Array.from(dataOf(block, 'bool'), (value) => (value === 0 ? 'false' : 'true'))],
  },
  int8: integers('int8', 'INTEGER'),
  int16: integers('int16', 'INTEGER'),
  int32: integers('int32', 'INTEGER'),
  int64: longs('int64', 'INTEGER'),
  uint8: integers('uint8', 'UNSIGNED'),
  uint16: integers('uint16', 'UNSIGNED'),
  uint32: integers('uint32', 'UNSIGNED'),
  uint64: longs('uint64', 'UNSIGNED'),
  float16: floats('float16'),
  float32: floats('float32'),
  float64: floats('float64'),
  complex64: complexNumbers('complex64'),
  complex128: complexNumbers('complex128'),
  'numpy.datetime64': {
    kind: 'DATETIME',
    json(block) {
      const texts = datetimes(block);
      return itemSegments((from, to) => texts(from, to), JSON.stringify);
    },
    csv: (block) => [itemCells(datetimes(block)(), (text) => text)],
  },
  'numpy.timedelta64': {
    kind: 'TIMEDELTA',
    json: (block) => timeSegments(dataOf(block, 'numpy.timedelta64')),
    csv: (block) => [
      Array.from(dataOf(block, 'numpy.timedelta64'), (count) => (count === NAT ? '' : String(count))),
    ],
  },
  null_terminated_bytes: fixedBytes(
    'null_terminated_bytes',
    'BYTES',
    (item) => JSON.stringify(byteText(item)),
    byteText,
  ),
  raw_bytes: fixedBytes('raw_bytes', 'RAW', base64Item, base64Cell),
  raw_bits: fixedBytes('raw_bits', 'RAW', base64Item, base64Cell),
  fixed_length_utf32: {
    kind: 'STRING',
    json: (block) =>
      itemSegments((from, to) => dataOf(blockPart(block, from, to), 'fixed_length_utf32'), JSON.stringify),
    csv: (block) => [itemCells(dataOf(block, 'fixed_length_utf32'), (text) => text)],
    cbor: (block) => dataOf(block, 'fixed_length_utf32'),
  },
  string: {
    kind: 'STRING',
    json: (block) => variableSegments(block, JSON.stringify, textPieces),
    csv: (block) => [itemCells(dataOf(block, 'string'), (text) => text)],
    cbor: (block) => variableItems(block, (contents) => new Utf8Text(contents)),
  },
  variable_length_bytes: {
    kind: 'BYTES',
    json: (block) =>
      variableSegments(
        block,
        (item) => (item instanceof Uint8Array ? base64Item(item) : valueText(item)),
        base64Pieces,
      ),
    csv: (block) => [itemCells(dataOf(block, 'variable_length_bytes'), base64Cell)],
    cbor: (block) => variableItems(block, (contents) => contents),
  },
  json: {
    kind: 'OBJECT',
    json: (block) => variableSegments(block, valueText),
    csv: (block) => [itemCells<unknown>(dataOf(block, 'json'), valueText)],
    cbor: elements,
  },
  ragged: {
    kind: 'OBJECT',
    json: (block, _, itemText) => variableSegments(block, itemText),
    csv: (block, itemText) => [itemCells<unknown>(dataOf(block, 'ragged'), itemText)],
    cbor: elements,
  },
};

/** Returns a function that formats a range of datetimes as text; null for NaT. */
function datetimes(block: Block): (from?: number, to?: number) => readonly (string | null)[] {
  const { dtype } = block;
  if (dtype.name !== 'numpy.datetime64') return () => [];
  const counts = dataOf(block, dtype.name);
  return (from, to) => formatDatetimes(counts.subarray(from, to), dtype);
}

/** @returns undefined for structs and unknown types */
export function wireRow(name: TypeName): WireRow | undefined {
  return name === 'struct' || name === 'unknown' ? undefined : wireRows[name];
}
