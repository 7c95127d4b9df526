/** The forms in which a slice's values are downloaded: how each begins, goes on part by part, and ends. */
import {
  type Block,
  type LazySlice,
  numpyTypestr,
  sizeOf,
  type StructField,
  UnsupportedError,
} from '../../zarr/index.js';
import { csvIndexes } from '../csv-indexes.js';
import { csvHead, type CsvOptions, csvRows } from '../csv.js';
import { blockText, elementText } from '../json/block-text.js';
import { type ElementRange, listText, shifted } from '../json/list-text.js';
import { npyHeader } from '../npy.js';
import type { BodyPiece } from '../time-sliced-body.js';

export type FileFormat = 'NPY' | 'RAW' | 'CSV' | 'JSON';

/**
 * Reads elements of a slice one part after the other; a part's place is given among all elements of that slice. Its bytes
 * are only there until the next one is asked for.
 */
export type ReadParts = (slice: LazySlice, range: ElementRange) => AsyncIterable<ReadPart>;

export interface ReadPart extends ElementRange {
  readonly block: Block;
}

export interface SliceFile {
  readonly mediaType: string;
  /** With its dot. */
  readonly ending: string;
  /** Undefined for text, whose length only making it tells. */
  readonly byteLength: number | undefined;
  /** Bytes `from` up to, not including, `to`; of text always all. */
  pieces(read: ReadParts, from: number, to: number): AsyncGenerator<BodyPiece>;
}

/** Bytes handed on at once. */
const PIECE_BYTES = 2 ** 16;

/**
 * @param newline of CSV
 * @throws UnsupportedError where the type has no such form, before anything is read
 */
export function openFile(
  slice: LazySlice,
  format: FileFormat,
  newline: NonNullable<CsvOptions['newline']> = '\r\n',
): SliceFile {
  switch (format) {
    case 'NPY':
      return binaryFile(slice, '.npy', npyHeader(slice.dtype, slice.shape));
    case 'RAW':
      if (slice.dtype.name !== 'struct' && numpyTypestr(slice.dtype) === undefined) throw withoutBytes(slice);
      return binaryFile(slice, '.bin', new Uint8Array(0));
    case 'CSV':
      return csvFile(slice, newline);
    case 'JSON':
      return jsonFile(slice);
  }
}

function withoutBytes({ dtypeName, where }: LazySlice): UnsupportedError {
  return new UnsupportedError(
    `values of the type ${dtypeName} have no form as plain bytes; ask for the format CSV or JSON`,
    { where },
  );
}

function binaryFile(slice: LazySlice, ending: string, header: Uint8Array): SliceFile {
  const itemSize = slice.dtype.itemSize ?? 0;
  const byteLength = header.length + sizeOf(slice.shape) * itemSize;
  return {
    mediaType: 'application/octet-stream',
    ending,
    byteLength,
    pieces: (read, from, to) => {
      const start = header.length;
      const values = bytePieces(slice, itemSize, read, Math.max(0, from - start), to - start);
      return from < start ? behind(header.subarray(from, to), values) : values;
    },
  };
}

/** Bytes `from` up to, not including, `to`, of the values. */
async function* bytePieces(
  slice: LazySlice,
  itemSize: number,
  read: ReadParts,
  from: number,
  to: number,
): AsyncGenerator<Uint8Array> {
  if (itemSize === 0 || to <= from) return;
  const range = { from: Math.floor(from / itemSize), to: Math.ceil(to / itemSize) };
  for await (const part of read(slice, range)) {
    if (!('bytes' in part.block)) throw withoutBytes(slice);
    const start = part.from * itemSize;
    const bytes = part.block.bytes.subarray(Math.max(0, from - start), to - start);
    for (let at = 0; at < bytes.length; at += PIECE_BYTES)
      yield Buffer.from(bytes.subarray(at, at + PIECE_BYTES));
  }
}

/** What comes first, once it is known that something can come after it: values that cannot be read make no file. */
async function* behind(first: BodyPiece, others: AsyncGenerator<BodyPiece>): AsyncGenerator<BodyPiece> {
  const second = await others.next();
  yield first;
  if (second.done !== true) yield second.value;
  yield* others;
}

function all(slice: LazySlice): ElementRange {
  return { from: 0, to: sizeOf(slice.shape) };
}

function csvFile(slice: LazySlice, newline: NonNullable<CsvOptions['newline']>): SliceFile {
  const options = { indexes: csvIndexes(slice), valueName: 'value', newline };
  const head = csvHead(slice.dtype, options);
  return {
    mediaType: 'text/csv; charset=utf-8; header=present',
    ending: '.csv',
    byteLength: undefined,
    pieces: (read) => behind(head, rowPieces(slice, options, read)),
  };
}

async function* rowPieces(slice: LazySlice, options: CsvOptions, read: ReadParts): AsyncGenerator<string> {
  for await (const { block, from } of read(slice, all(slice)))
    yield* csvRows(block, options, { shape: slice.shape, from });
}

function jsonFile(slice: LazySlice): SliceFile {
  return {
    mediaType: 'application/json; charset=utf-8',
    ending: '.json',
    byteLength: undefined,
    pieces: (read) => jsonPieces(slice, read),
  };
}

/**
 * As `values` shows them. A struct's fields come one after the other: where it is too large to be read in one part, its
 * chunks are read once for each.
 */
async function* jsonPieces(slice: LazySlice, read: ReadParts): AsyncGenerator<BodyPiece> {
  const { dtype, shape } = slice;
  if (dtype.name === 'struct') {
    const whole = await readAtOnce(slice, read);
    yield* whole === undefined ? structPieces(slice, dtype.fields, read) : blockText(whole, 'STRING');
  } else if (sizeOf(shape) === 0) yield* listText(shape, () => '');
  else
    for await (const { block, from, to } of read(slice, all(slice))) {
      yield* listText(shape, shifted(elementText(block, 'STRING'), from), { from, to });
    }
}

/** All values, where they are one part. */
async function readAtOnce(slice: LazySlice, read: ReadParts): Promise<Block | undefined> {
  for await (const { block, from, to } of read(slice, all(slice)))
    return to - from === sizeOf(slice.shape) ? block : undefined;
  return undefined;
}

async function* structPieces(
  slice: LazySlice,
  fields: readonly StructField[],
  read: ReadParts,
): AsyncGenerator<BodyPiece> {
  for (const [i, { name }] of fields.entries())
    yield* behind(`${i > 0 ? ',' : '{'}${JSON.stringify(name)}:`, jsonPieces(slice.field(name), read));
  yield fields.length === 0 ? '{}' : '}';
}
