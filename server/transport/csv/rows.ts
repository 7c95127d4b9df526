/**
 * Values as CSV (RFC 4180): a line of names, then one row an element in C order, whatever the number of dimensions.
 * Index columns come first, then the value:
 *
 * - a struct has one column a field (`a`, `b.c`), one an element of a sub-array field (`d[0]`, `d[1,2]`);
 * - a complex number has two, `.real` and `.imag`;
 * - numbers are written as in JSON, but for bare `NaN`, `Infinity` and `-Infinity`; booleans as `true` and `false`;
 *   times as in JSON (ISO dates, counts); raw bytes as base64; objects and ragged items as JSON;
 * - what is missing (null, NaT) is an empty cell; an empty text is `""`.
 */
import { type Block, type DataType, sizeOf } from '../../zarr/index.js';
import { blockPart, partEnd } from '../block-part.js';
import { columnNames, columnsOf, quoted } from './columns.js';
import { placeOf } from '../json/list-text.js';

/** A column that tells where a value stands. */
export interface CsvIndex {
  readonly name: string;
  /** The dimension of the block that it goes along. */
  readonly dim: number;
  /** What stands at a position of that dimension. Text that is no number is quoted where it has to be. */
  at(position: number): number | string;
}

export interface CsvOptions {
  /** In the order of their dimensions. */
  readonly indexes: readonly CsvIndex[];
  /** Names the value's column; a struct's columns have the names of its fields. */
  readonly valueName: string;
  /** @default '\r\n', as the RFC has it */
  readonly newline?: '\n' | '\r\n';
}

/** Rows of one piece of text. */
const ROWS = 2 ** 11;

/** The line of names. @throws UnsupportedError for unknown types, and for more columns than anybody could want */
export function csvHead(dtype: DataType, { indexes, valueName, newline = '\r\n' }: CsvOptions): string {
  const names = [...indexes.map(({ name }) => name), ...columnNames(dtype, valueName)];
  return names.map(quoted).join(',') + newline;
}

/** The rows. @param whole of what the block is a part, where it is one: its shape, and the place of the part's first element in C order */
export function* csvRows(
  block: Block,
  { indexes, newline = '\r\n' }: CsvOptions,
  whole: { readonly shape: readonly number[]; readonly from: number } = { shape: block.shape, from: 0 },
): Generator<string> {
  const count = sizeOf(block.shape);
  const at = placeOf(whole.from, whole.shape);
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

/** To the next element in C order. */
function advance(at: number[], shape: readonly number[]): void {
  for (let d = at.length - 1; d >= 0; d--) {
    const next = (at[d] ?? 0) + 1;
    if (next < (shape[d] ?? 0)) {
      at[d] = next;
      return;
    }
    at[d] = 0;
  }
}
