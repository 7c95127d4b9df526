/**
 * Values as CSV (RFC 4180): a header row, then one row per element in C order, for any number of dimensions.
 * Index columns come first, then the value:
 *
 * - a struct has one column per field (`a`, `b.c`), and one per element of a sub-array field (`d[0]`,
 *   `d[1,2]`);
 * - a complex number has two columns, `.real` and `.imag`;
 * - numbers are written as in JSON, except for bare `NaN`, `Infinity` and `-Infinity`; booleans as `true` and
 *   `false`;
 *   times as in JSON (ISO dates, counts); raw bytes as base64; objects and ragged items as JSON;
 * - a missing value (null, NaT) is an empty cell; an empty string is `""`.
 */
import { type Block, type DataType, sizeOf } from '../../zarr/index.js';
import { blockPart, partEnd } from '../block-part.js';
import { quoted } from './cells.js';
import { columnNames, columnsOf } from './columns.js';
import { advance, indicesAt } from '../c-order.js';

/** A column with the index of each value along one dimension. */
export interface CsvIndex {
  readonly name: string;
  /** The dimension of the block. */
  readonly dim: number;
  /** The cell at an index of that dimension: a number, or text that is already quoted if necessary. */
  at(position: number): number | string;
}

export interface CsvOptions {
  /** Index columns in the order of their dimensions. */
  readonly indexes: readonly CsvIndex[];
  /** Name of the value column. Columns of a struct are named after its fields. */
  readonly valueName: string;
  /** @default '\r\n', as RFC 4180 specifies */
  readonly newline?: '\n' | '\r\n';
}

/** Rows per piece of text. */
const ROWS = 2 ** 11;

/** The header row. @throws UnsupportedError for unsupported types, and for too many columns */
export function csvHead(dtype: DataType, { indexes, valueName, newline = '\r\n' }: CsvOptions): string {
  const names = [...indexes.map(({ name }) => name), ...columnNames(dtype, valueName)];
  return names.map(quoted).join(',') + newline;
}

/**
 * The rows.
 * @param whole if the block is part of a larger one: the shape of that one, and the index in C order of the
 *   part's first element
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
      for (const index of indexes) cells.push(labelText(index.at(at[index.dim] ?? 0)));
      for (const column of columns) cells.push(column[row] ?? '');
      text += cells.join(',') + newline;
      advance(at, whole.shape);
    }
    yield text;
  }
}

function labelText(label: number | string): string {
  return typeof label === 'number' ? String(label) : quoted(label);
}
