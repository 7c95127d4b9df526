/**
 * Decodes a column of a row group into typed arrays. All sizes are bounded by the number of rows and by the size of the
 * pages; bytes of a page are kept, and the values are spans of them.
 */
import { UnsupportedError } from '../../../core/errors.js';
import { nextTurn } from '../../../core/turns.js';
import { decompress } from './decompress.js';
import { BYTE_ARRAY, type ColumnPart, INT32, INT64, MAX_ROWS, tooLargeParquet } from './footer.js';
import { readHybrid } from './hybrid.js';
import { damaged, integerIn, structIn, type ThriftStruct, ThriftReader } from './thrift.js';

const DATA_PAGE = 0;
const INDEX_PAGE = 1;
const DICTIONARY_PAGE = 2;
const DATA_PAGE_V2 = 3;
const PLAIN = 0;
const PLAIN_DICTIONARY = 2;
const RLE_DICTIONARY = 8;
/** Maximum size of a page, and of all pages of a column, in bytes. */
const MAX_PAGE_BYTES = 64 * 2 ** 20;
const MAX_DECODED_BYTES = 128 * 2 ** 20;

const HEADER = { type: 1, size: 2, stored: 3, data: 5, dictionary: 7, dataV2: 8 } as const;
const DATA = { values: 1, encoding: 2 } as const;
const DATA_V2 = { values: 1, nulls: 2, encoding: 4, levels: 5, repetition: 6, isCompressed: 7 } as const;

/** Receives the values of a column. */
export interface ColumnSink {
  /** Begins a page with values, or a dictionary. */
  readonly begin: (page: Uint8Array) => void;
  /** Adds values of the current page. @returns for each of them a number, by which `put` refers to it */
  readonly add: (view: DataView, count: number) => Float64Array;
  readonly put: (row: number, value: number) => void;
}

/**
 * @param bytes the column of a row group as stored
 * @throws MetadataError for damaged bytes; UnsupportedError for other encodings; LimitError for large pages
 */
export async function readColumn(
  bytes: Uint8Array,
  column: ColumnPart,
  rows: number,
  sink: ColumnSink,
): Promise<void> {
  const reader = new ThriftReader(bytes);
  let dictionary: Float64Array | undefined;
  let decoded = 0;
  for (let row = 0; row < rows;) {
    const header = reader.struct();
    const type = integerIn(header, HEADER.type);
    const size = integerIn(header, HEADER.size);
    const stored = integerIn(header, HEADER.stored);
    decoded += size;
    if (size > MAX_PAGE_BYTES) throw tooLargeParquet('page', size, MAX_PAGE_BYTES);
    if (decoded > MAX_DECODED_BYTES) throw tooLargeParquet('column', decoded, MAX_DECODED_BYTES);
    if (stored > bytes.length - reader.at) throw damaged('a page ends outside of its column');
    const content = bytes.subarray(reader.at, reader.at + stored);
    reader.at += stored;
    if (type === INDEX_PAGE) continue;
    // Other events are processed between pages, which take milliseconds.
    await nextTurn();
    if (type === DICTIONARY_PAGE) {
      const count = integerIn(structIn(header, HEADER.dictionary), DATA.values);
      if (dictionary !== undefined) throw damaged('a column has two dictionaries');
      if (count > MAX_ROWS) throw tooLargeParquet('dictionary', count, MAX_ROWS);
      const page = await decompress(column.codec, content, size);
      dictionary = plainValues(page, column.type, count, sink);
      continue;
    }
    const page = await openPage({ type, header, content, size, column, left: rows - row });
    putPage(page, row, { column, dictionary, sink });
    row += page.count;
  }
}

interface Page {
  /** Number of rows. */
  readonly count: number;
  readonly encoding: number;
  /** Whether each row has a value; undefined if all have. */
  readonly levels: Uint32Array | undefined;
  readonly values: Uint8Array;
}

interface StoredPage {
  readonly type: number;
  readonly header: ThriftStruct;
  readonly content: Uint8Array;
  readonly size: number;
  readonly column: ColumnPart;
  /** Number of rows that are missing. */
  readonly left: number;
}

async function openPage({ type, header, content, size, column, left }: StoredPage): Promise<Page> {
  if (type === DATA_PAGE) {
    const data = structIn(header, HEADER.data);
    const count = countOf(integerIn(data, DATA.values), left);
    const encoding = integerIn(data, DATA.encoding);
    const page = await decompress(column.codec, content, size);
    if (!column.isOptional) return { count, encoding, levels: undefined, values: page };
    if (page.length < 4) throw damaged('a page ends early');
    const length = new DataView(page.buffer, page.byteOffset).getUint32(0, true);
    if (length > page.length - 4) throw damaged('a page ends early');
    const levels = levelsIn(page.subarray(4, 4 + length), count);
    return { count, encoding, levels, values: page.subarray(4 + length) };
  }
  if (type !== DATA_PAGE_V2) throw damaged('a page has an unknown type');
  const data = structIn(header, HEADER.dataV2);
  const count = countOf(integerIn(data, DATA_V2.values), left);
  const encoding = integerIn(data, DATA_V2.encoding);
  const [levelBytes, repetitionBytes] = [
    integerIn(data, DATA_V2.levels),
    integerIn(data, DATA_V2.repetition),
  ];
  const start = levelBytes + repetitionBytes;
  if (start > content.length || start > size) throw damaged('a page ends early');
  const levels = column.isOptional ? levelsIn(content.subarray(repetitionBytes, start), count) : undefined;
  const rest = content.subarray(start);
  const isCompressed = data.get(DATA_V2.isCompressed) !== false;
  const values = isCompressed ? await decompress(column.codec, rest, size - start) : rest;
  return { count, encoding, levels, values };
}

function countOf(count: number, left: number): number {
  if (count === 0 || count > left) throw damaged('a page has more values than its row group, or none');
  return count;
}

function levelsIn(bytes: Uint8Array, count: number): Uint32Array {
  const levels = new Uint32Array(count);
  readHybrid(bytes, 1, levels);
  return levels;
}

interface PutContext {
  readonly column: ColumnPart;
  readonly dictionary: Float64Array | undefined;
  readonly sink: ColumnSink;
}

function putPage({ count, encoding, levels, values }: Page, firstRow: number, context: PutContext): void {
  const { column, dictionary, sink } = context;
  const present = levels === undefined ? count : levels.reduce((sum, level) => sum + level, 0);
  if (present === 0) return;
  let numbers: Float64Array;
  if (encoding === PLAIN) numbers = plainValues(values, column.type, present, sink);
  else if (encoding === PLAIN_DICTIONARY || encoding === RLE_DICTIONARY) {
    const [width] = values;
    if (dictionary === undefined || width === undefined) throw damaged('a page refers to a dictionary that is missing');
    const positions = new Uint32Array(present);
    readHybrid(values.subarray(1), width, positions);
    numbers = Float64Array.from(positions, (position) => {
      const value = dictionary[position];
      if (value === undefined) throw damaged('a page refers to a missing entry of its dictionary');
      return value;
    });
  } else throw new UnsupportedError(`a parquet file of references has the encoding ${encoding}; PLAIN and dictionaries are supported`); // prettier-ignore
  let next = 0;
  for (let i = 0; i < count; i++)
    if (levels === undefined || levels[i] === 1) sink.put(firstRow + i, numbers[next++] ?? Number.NaN);
}

function plainValues(page: Uint8Array, type: number, count: number, sink: ColumnSink): Float64Array {
  const width = type === INT64 ? 8 : 4;
  if (type !== INT64 && type !== INT32 && type !== BYTE_ARRAY)
    throw new UnsupportedError(
      'a parquet file of references has a column of another type than integers and bytes',
    );
  // A value of variable length takes at least the four bytes of its length.
  if (count * width > page.length) throw damaged('a page has fewer values than it states');
  sink.begin(page);
  return sink.add(new DataView(page.buffer, page.byteOffset, page.length), count);
}
