/** The references of a row group, in a few bytes for each row. */
import { MetadataError } from '../../../core/errors.js';
import { BYTE_ARRAY, type ColumnPart, INT32, type RowGroup } from './footer.js';
import { type ColumnSink, readColumn } from './read-column.js';
import { damaged } from './thrift.js';

/** A row of the table as it was recorded. */
export interface ReferenceRow {
  /** Undefined if the row refers to no file. */
  readonly path: string | undefined;
  readonly offset: number;
  readonly size: number;
  /** The value itself; undefined if the row has none. */
  readonly raw: Uint8Array | undefined;
}

export const referenceColumns = ['path', 'offset', 'size', 'raw'] as const;
type ColumnName = (typeof referenceColumns)[number];

export class ReferenceRows {
  readonly #path: ByteColumn | undefined;
  readonly #raw: ByteColumn | undefined;
  readonly #offset: Float64Array | undefined;
  readonly #size: Float64Array | undefined;

  private constructor(columns: {
    readonly path: ByteColumn | undefined;
    readonly raw: ByteColumn | undefined;
    readonly offset: Float64Array | undefined;
    readonly size: Float64Array | undefined;
  }) {
    this.#path = columns.path;
    this.#raw = columns.raw;
    this.#offset = columns.offset;
    this.#size = columns.size;
  }

  /** @param stored the bytes of each column that the file has. @throws errors of `readColumn` */
  static async decode(
    { rows, columns }: RowGroup,
    stored: ReadonlyMap<string, Uint8Array>,
  ): Promise<ReferenceRows> {
    const partOf = (name: ColumnName): [ColumnPart, Uint8Array] | undefined => {
      const [column, bytes] = [columns.get(name), stored.get(name)];
      return column === undefined || bytes === undefined ? undefined : [column, bytes];
    };
    const bytesOf = async (name: 'path' | 'raw'): Promise<ByteColumn | undefined> => {
      const part = partOf(name);
      // A column without any value may have any type.
      if (part === undefined || part[0].type === INT32) return undefined;
      const column = new ByteColumn(rows);
      await readColumn(part[1], assertBytes(part[0]), rows, column);
      return column;
    };
    const numbersOf = async (name: 'offset' | 'size'): Promise<Float64Array | undefined> => {
      const part = partOf(name);
      if (part === undefined) return undefined;
      const numbers = new Float64Array(rows);
      await readColumn(part[1], part[0], rows, numberSink(numbers, part[0]));
      return numbers;
    };
    return new ReferenceRows({
      path: await bytesOf('path'),
      raw: await bytesOf('raw'),
      offset: await numbersOf('offset'),
      size: await numbersOf('size'),
    });
  }

  /** Memory in bytes. */
  get bytes(): number {
    const numbers = (this.#offset?.byteLength ?? 0) + (this.#size?.byteLength ?? 0);
    return numbers + (this.#path?.bytes ?? 0) + (this.#raw?.bytes ?? 0);
  }

  /** @throws MetadataError for a text that is not UTF-8 */
  at(row: number): ReferenceRow {
    const path = this.#path?.at(row);
    return {
      path: path === undefined ? undefined : textOf(path),
      offset: this.#offset?.[row] ?? 0,
      size: this.#size?.[row] ?? 0,
      raw: this.#raw?.at(row),
    };
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new MetadataError('the address of a reference is not valid UTF-8', { cause });
  }
}

function assertBytes(column: ColumnPart): ColumnPart {
  if (column.type !== BYTE_ARRAY) throw damaged('a column of texts has numbers');
  return column;
}

/** Integers; those that are no exact numbers become NaN, which is an error of their row only. */
function numberSink(rows: Float64Array, { type }: ColumnPart): ColumnSink {
  if (type === BYTE_ARRAY) throw damaged('a column of numbers has texts');
  return {
    begin: () => {},
    add(view, count) {
      const values = new Float64Array(count);
      for (let i = 0; i < count; i++) {
        const value =
          type === INT32
            ? view.getInt32(i * 4, true)
            : view.getInt32(i * 8 + 4, true) * 2 ** 32 + view.getUint32(i * 8, true);
        values[i] = Number.isSafeInteger(value) ? value : Number.NaN;
      }
      return values;
    },
    put: (row, value) => void (rows[row] = value),
  };
}

/** Spans of the pages that contain the values. */
class ByteColumn implements ColumnSink {
  /** For each row the number of a value, plus one; 0 for none. */
  readonly #rows: Uint32Array;
  readonly #pages: Uint8Array[] = [];
  // Of each value.
  #page = new Uint32Array(16);
  #start = new Uint32Array(16);
  #length = new Uint32Array(16);
  #count = 0;

  constructor(rows: number) {
    this.#rows = new Uint32Array(rows);
  }

  get bytes(): number {
    const pages = this.#pages.reduce((sum, { length }) => sum + length, 0);
    return pages + this.#rows.byteLength + 3 * this.#page.byteLength;
  }

  begin(page: Uint8Array): void {
    this.#pages.push(page);
  }

  add(view: DataView, count: number): Float64Array {
    this.#reserve(this.#count + count);
    const numbers = new Float64Array(count);
    let at = 0;
    for (let i = 0; i < count; i++) {
      if (view.byteLength - at < 4) throw damaged('a page has fewer values than it states');
      const length = view.getUint32(at, true);
      at += 4;
      if (length > view.byteLength - at) throw damaged('a value ends outside of its page');
      const number = this.#count++;
      this.#page[number] = this.#pages.length - 1;
      this.#start[number] = at;
      this.#length[number] = length;
      numbers[i] = number;
      at += length;
    }
    return numbers;
  }

  put(row: number, value: number): void {
    this.#rows[row] = value + 1;
  }

  at(row: number): Uint8Array | undefined {
    const number = (this.#rows[row] ?? 0) - 1;
    const [start, length] = [this.#start[number], this.#length[number]];
    if (start === undefined || length === undefined) return undefined;
    return this.#pages[this.#page[number] ?? -1]?.subarray(start, start + length);
  }

  #reserve(count: number): void {
    if (count <= this.#page.length) return;
    const length = Math.max(count, 2 * this.#page.length);
    const grown = (numbers: Uint32Array): Uint32Array<ArrayBuffer> => {
      const larger = new Uint32Array(length);
      larger.set(numbers);
      return larger;
    };
    [this.#page, this.#start, this.#length] = [grown(this.#page), grown(this.#start), grown(this.#length)];
  }
}
