/**
 * Values as CSV (RFC 4180): a header row, then one row per element in C order, for any number of dimensions.
 * Index columns come first, then the value:
 *
 * - a struct has one column per field (`a`, `b.c`), and one per element of a sub-array field (`d[0]`,
 *   `d[1,2]`);
 * - a complex number has two columns, `.real` and `.imag`;
 * - numbers are written without quotes, including 64-bit integers, `NaN`, `Infinity` and `-Infinity`; booleans as
 *   `true` and `false`; times as in JSON, without quotes (ISO dates, counts); raw and variable-length bytes as
 *   base64; other byte strings as text; objects and ragged items as JSON;
 * - a missing value (null, NaT) is an empty cell; an empty string is `""`.
 */
import { defined } from '../../../wire/guards.js';
import {
  advance,
  type Block,
  type DataType,
  sizeOf,
  type StructType,
  UnsupportedError,
  type LazySlice,
} from '../../zarr/index.js';
import { blockPart, partEnd, structFieldBlock } from '../block-part.js';
import { indicesAt } from '../json/list-text.js';
import { itemText } from '../json/block-text.js';
import { wireRow } from '../values/wire-rows.js';
import { quotedCell, type Column, unfold } from './cells.js';

/** A column with the index of each value along one dimension. */
export interface CsvIndex {
  readonly name: string;
  /** Index of the dimension of the block. */
  readonly dim: number;
  /** The contents of the cell at an index of that dimension: a number, or text without quotes. */
  at(position: number): number | string;
}

export interface CsvOptions {
  /** Index columns in the order of their dimensions. */
  readonly indexes: readonly CsvIndex[];
  /** Name of the value column. Columns of a struct are named after its fields. */
  readonly valueName: string;
  /** Line terminator. @default '\r\n', as RFC 4180 specifies */
  readonly newline?: '\n' | '\r\n';
}

/** Number of rows per piece of text. */
const ROWS = 2 ** 11;

/** The header row. @throws UnsupportedError for more than 10,000 columns of values */
export function csvHead(dtype: DataType, { indexes, valueName, newline = '\r\n' }: CsvOptions): string {
  const names = [...indexes.map(({ name }) => name), ...columnNames(dtype, valueName)];
  return names.map(quotedCell).join(',') + newline;
}

/**
 * Generates the rows of a block.
 * @param whole for a part of a larger block: the shape of the larger block, and the index (in C order) of the
 * part's first element in it
 */
export function* csvRows(
  block: Block,
  { indexes, newline = '\r\n' }: CsvOptions,
  whole: { readonly shape: readonly number[]; readonly from: number } = { shape: block.shape, from: 0 },
): Generator<string> {
  const count = sizeOf(block.shape);
  const at = indicesAt(whole.from, whole.shape);
  let to = 0;
  for (let from = 0; from < count; from = to) {
    to = partEnd(block, from, Math.min(count, from + ROWS));
    const columns = columnsOf(blockPart(block, from, to));
    let text = '';
    for (let row = 0; row < to - from; row++) {
      const cells: string[] = [];
      for (const index of indexes) cells.push(labelText(index.at(defined(at[index.dim]))));
      for (const column of columns) cells.push(column[row] ?? '');
      text += cells.join(',') + newline;
      advance(at, whole.shape);
    }
    yield text;
  }
}

function labelText(label: number | string): string {
  return typeof label === 'number' ? String(label) : quotedCell(label);
}

const MAX_COLUMNS = 10_000;

/** @throws UnsupportedError for more than 10,000 columns */
function columnNames(dtype: DataType, name: string): string[] {
  const count = columnCount(dtype);
  if (count > MAX_COLUMNS)
    throw new UnsupportedError(
      `the CSV would have ${count} columns of values; at most ${MAX_COLUMNS} are allowed; select a field`,
    );
  return dtype.name === 'struct' ? structNames(dtype, '') : namesOf(dtype, name);
}

function columnCount(dtype: DataType): number {
  if (dtype.name === 'struct')
    return dtype.fields.reduce((sum, field) => sum + columnCount(field.dtype) * sizeOf(field.shape), 0);
  return wireRow(dtype.name)?.csvSuffixes?.length ?? 1;
}

function namesOf(dtype: DataType, name: string): string[] {
  if (dtype.name === 'struct') return structNames(dtype, `${name}.`);
  return wireRow(dtype.name)?.csvSuffixes?.map((suffix) => `${name}${suffix}`) ?? [name];
}

function structNames(dtype: StructType, prefix: string): string[] {
  return dtype.fields.flatMap((field) => {
    const name = `${prefix}${field.name}`;
    if (field.shape.length === 0) return namesOf(field.dtype, name);
    return Array.from({ length: sizeOf(field.shape) }, (_, i) => indicesAt(i, field.shape)).flatMap(
      (indices) => namesOf(field.dtype, `${name}[${indices.join(',')}]`),
    );
  });
}

/**
 * The cells of all columns, one list per column, in the order of `columnNames`.
 * @param block block of one dimension
 */
function columnsOf(block: Block): readonly Column[] {
  const { dtype } = block;
  if ('bytes' in block && dtype.name === 'struct')
    return dtype.fields.flatMap((field) => {
      const values = structFieldBlock(block, field);
      const flat = columnsOf({ ...values, shape: [sizeOf(values.shape)] });
      const width = sizeOf(field.shape);
      return field.shape.length === 0 ? flat : unfold(flat, width);
    });
  return wireRow(dtype.name)?.csv(block, (item) => itemText(item, 'STRING')) ?? [];
}

/**
 * Creates one column per dimension of the result, named like the dimension or `dim_0`, with indices into the
 * array. For points, creates one column per dimension of the array. The dimensions of a sub-array field
 * follow.
 */
export function csvIndexes({ origin, dims }: Pick<LazySlice, 'origin' | 'dims'>): CsvIndex[] {
  const { dimensionNames, selection } = origin;
  const rank = origin.shape.length;
  const indexes: CsvIndex[] = [];
  let dim = 0;
  if (selection.kind === 'points') {
    if (!selection.dropped) {
      for (const [d, list] of selection.at.entries())
        indexes.push({ name: dimensionNames[d] ?? `dim_${d}`, dim, at: (i) => defined(list[i]) });
      dim += 1;
    }
  } else {
    for (const [d, by] of selection.dims.entries()) {
      if (by.dropped) continue;
      const at =
        by.kind === 'range' ? (i: number) => by.start + i * by.step : (i: number) => defined(by.at[i]);
      indexes.push({ name: dims[dim]?.name ?? `dim_${d}`, dim, at });
      dim += 1;
    }
  }
  for (const [n, { start, step }] of dims.slice(dim).entries())
    indexes.push({ name: `dim_${rank + n}`, dim: dim + n, at: (i) => (start ?? 0) + i * (step ?? 1) });
  return indexes;
}
