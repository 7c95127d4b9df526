/**
 * The metadata at the end of a Parquet file (parquet.thrift of the format's version 2.12): where the columns of each row
 * group are. Only plain columns are supported, as kerchunk writes them.
 */
import { LimitError, UnsupportedError } from '../../../core/errors.js';
import {
  damaged,
  integerIn,
  structIn,
  structsIn,
  textIn,
  textsIn,
  type ThriftStruct,
  ThriftReader,
} from './thrift.js';

/** Physical types. */
export const INT32 = 1;
export const INT64 = 2;
export const BYTE_ARRAY = 6;

export interface ColumnPart {
  /** Physical type. */
  readonly type: number;
  /** Number of the compression. */
  readonly codec: number;
  readonly isOptional: boolean;
  readonly offset: number;
  readonly length: number;
}

export interface RowGroup {
  readonly firstRow: number;
  readonly rows: number;
  /** By name. */
  readonly columns: ReadonlyMap<string, ColumnPart>;
}

/** Magic number and length of the metadata. */
const TRAILER_BYTES = 8;
const MAGIC = Buffer.from('PAR1');
/** Maximum size of the metadata, in bytes: about 2,000 row groups. It is parsed in one step. */
const MAX_FOOTER_BYTES = 2 ** 20;
/** Maximum number of rows of a row group, which take 24 bytes each. kerchunk writes 10,000 or 100,000. */
export const MAX_ROWS = 2 ** 21;
/** Maximum size of a column of a row group, in bytes. */
const MAX_COLUMN_BYTES = 128 * 2 ** 20;
const OPTIONAL = 1;
const REPEATED = 2;

const FILE = { schema: 2, groups: 4 } as const;
const ELEMENT = { type: 1, repetition: 3, name: 4, children: 5 } as const;
const GROUP = { columns: 1, rows: 3 } as const;
const COLUMN = { file: 1, metadata: 3 } as const;
const METADATA = { type: 1, path: 3, codec: 4, compressed: 7, dataPage: 9, dictionaryPage: 11 } as const;

/** The size of the metadata with its trailer. @throws MetadataError for another file; LimitError */
export function footerBytes(end: Uint8Array): number {
  const trailer = end.subarray(-TRAILER_BYTES);
  if (trailer.length < TRAILER_BYTES || Buffer.compare(trailer.subarray(4), MAGIC) !== 0)
    throw damaged('it does not end as a parquet file');
  const bytes = new DataView(trailer.buffer, trailer.byteOffset).getUint32(0, true) + TRAILER_BYTES;
  if (bytes > MAX_FOOTER_BYTES) throw tooLargeParquet('metadata', bytes, MAX_FOOTER_BYTES);
  return bytes;
}

/**
 * @param end the last bytes of the file, with the whole metadata
 * @param total size of the file
 * @throws MetadataError for a damaged file; UnsupportedError for nested columns; LimitError
 */
export function parseFooter(end: Uint8Array, total: number): RowGroup[] {
  const file = new ThriftReader(end, end.length - footerBytes(end)).struct();
  const optional = optionalColumns(structsIn(file, FILE.schema));
  let firstRow = 0;
  return structsIn(file, FILE.groups).map((group) => {
    const rows = integerIn(group, GROUP.rows);
    if (rows > MAX_ROWS) throw tooLargeParquet('row group', rows, MAX_ROWS);
    const columns = structsIn(group, GROUP.columns).map((column) => columnPart(column, optional, total));
    firstRow += rows;
    return { firstRow: firstRow - rows, rows, columns: new Map(columns) };
  });
}

/** Whether each column may have missing values. */
function optionalColumns(schema: readonly ThriftStruct[]): ReadonlyMap<string, boolean> {
  const [, ...columns] = schema;
  return new Map(
    columns.map((element) => {
      const repetition = element.get(ELEMENT.repetition);
      if (!element.has(ELEMENT.type) || element.has(ELEMENT.children) || repetition === REPEATED)
        throw new UnsupportedError('a parquet file of references has nested columns');
      return [textIn(element.get(ELEMENT.name)), repetition === OPTIONAL] as const;
    }),
  );
}

function columnPart(
  column: ThriftStruct,
  optional: ReadonlyMap<string, boolean>,
  total: number,
): readonly [string, ColumnPart] {
  if (column.has(COLUMN.file))
    throw new UnsupportedError('a parquet file of references has columns in other files');
  const metadata = structIn(column, COLUMN.metadata);
  const [first, ...others] = textsIn(metadata, METADATA.path);
  const name = others.length === 0 ? first : undefined;
  const isOptional = optional.get(name ?? '');
  if (name === undefined || isOptional === undefined) throw damaged('a column is not in its schema');
  const dictionary = metadata.get(METADATA.dictionaryPage);
  const dataPage = integerIn(metadata, METADATA.dataPage);
  // Some writers state 0 for a dictionary that does not exist.
  const offset = typeof dictionary === 'number' && dictionary > 0 ? Math.min(dictionary, dataPage) : dataPage;
  const length = integerIn(metadata, METADATA.compressed);
  if (offset + length > total) throw damaged('a column ends outside of the file');
  if (length > MAX_COLUMN_BYTES) throw tooLargeParquet('column', length, MAX_COLUMN_BYTES);
  return [
    name,
    {
      type: integerIn(metadata, METADATA.type),
      codec: integerIn(metadata, METADATA.codec),
      isOptional,
      offset,
      length,
    },
  ];
}

export function tooLargeParquet(what: string, needed: number, allowed: number): LimitError {
  const unit = what === 'row group' ? 'rows' : 'bytes';
  return new LimitError(
    `a ${what} of a parquet file of references has ${needed} ${unit}; at most ${allowed} are supported`,
    {
      excess: [{ limit: 'maxParquet', allowed, needed }],
    },
  );
}
