/**
 * References in parquet files: `.zmetadata` with the documents of all nodes and `record_size`, and for each array
 * `ARRAY/refs.N.parq`, whose rows are the references of the chunks from N * record_size in C order. Source:
 * `LazyReferenceMapper` of fsspec.
 */
import { LRUCache } from 'lru-cache';
import { isJsonObject } from '../../core/bytes/json.js';
import { type MemberIndex, MemberIndexBuilder, type MemberSpan } from '../../core/bytes/member-index.js';
import {
  CLOSE_OBJECT,
  COLON,
  COMMA,
  JsonReader,
  OPEN_OBJECT,
  parseJson,
} from '../../core/bytes/parse-json.js';
import { LimitError, MetadataError, withContext } from '../../core/errors.js';
import { createPause, inTurns } from '../../core/turns.js';
import { joinKey } from '../keys.js';
import { sortedInSteps } from '../sort-in-steps.js';
import type { KeyStore, Listing, ReadOptions, ReadResult, StoredObject } from '../store.js';
import { consolidate } from './consolidate.js';
import { footerBytes, parseFooter, type RowGroup } from './parquet/footer.js';
import { referenceColumns, type ReferenceRow, ReferenceRows } from './parquet/reference-rows.js';
import { assertInlineLength, type Reference, type TargetContext, virtualTarget } from './reference.js';
import type { ReferenceSet } from './reference-set.js';

/** Memory of a store for decoded rows, and for the metadata of files, in bytes. Larger ones are used, and not kept. */
const KEPT_BYTES = 32 * 2 ** 20;
const MAX_FILES = 1000;
/** Number of bytes at the end of a file that are read first. Small files need no second request. */
const TAIL_BYTES = 64 * 1024;
/** Files of an array that are tried in stores that cannot be listed. */
const MAX_GUESSED_FILES = 10_000;
const MAX_RECORD_SIZE = 2 ** 31;
const MAX_ARRAYS = 1000;
const PIECE_BYTES = 64 * 1024;

/** Decoded rows of the files, by file and version; shared by all states of a set. */
export class ParquetFiles {
  readonly #store: KeyStore;
  readonly #folder: string;
  readonly #files = new LRUCache<string, ParquetFile>({ max: MAX_FILES });
  readonly #rows = new LRUCache<string, ReferenceRows>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ bytes }) => bytes + 1,
  });
  readonly #reading = new Map<string, Promise<ReferenceRows>>();

  constructor(store: KeyStore, folder: string) {
    this.#store = store;
    this.#folder = folder;
  }

  /** Reads rows for one caller, who sees one state of each file. */
  reads(options: ReadOptions | undefined): ParquetReads {
    const opened = new Map<string, Promise<ParquetFile | undefined>>();
    const open = (name: string): Promise<ParquetFile | undefined> => {
      const file = opened.get(name) ?? this.#open(joinKey(this.#folder, name), options);
      opened.set(name, file);
      return file;
    };
    return {
      open: async (names) => void (await Promise.all([...new Set(names)].map(open))),
      rowsAt: async (name, row) => {
        const key = joinKey(this.#folder, name);
        try {
          const file = await open(name);
          if (file === undefined) return undefined;
          const group = file.groups.find(({ firstRow, rows }) => row >= firstRow && row < firstRow + rows);
          if (group === undefined) throw new MetadataError(`a parquet file of references has no row ${row}`);
          const rows = await this.#decode(key, file, group, options);
          return { rows, row: row - group.firstRow, count: group.rows };
        } catch (error) {
          throw withContext(error, { key });
        }
      },
    };
  }

  /** The numbers of the files of an array, in order. @throws LimitError if there may be too many; store errors */
  async records(path: string, most: number, options: ReadOptions | undefined): Promise<Iterable<number>> {
    if (!this.#store.can.list) {
      if (most <= MAX_GUESSED_FILES) return Array.from({ length: most }, (_, i) => i);
      throw new LimitError(
        `references in ${most} parquet files cannot be listed, because their store cannot`,
      );
    }
    const { keys } = await this.#store.list(joinKey(this.#folder, path), { signal: options?.signal });
    const numbers = keys.flatMap((key) => {
      const [, number] = /(?:^|\/)refs\.(0|[1-9]\d{0,15})\.parq$/.exec(key) ?? [];
      return number === undefined || Number(number) >= most ? [] : [Number(number)];
    });
    return numbers.sort((left, right) => left - right);
  }

  async #open(key: string, options: ReadOptions | undefined): Promise<ParquetFile | undefined> {
    const known = this.#files.get(key);
    const range = this.#store.can.suffix ? { suffix: TAIL_BYTES } : undefined;
    const tail = await this.#read(key, range, { ifNoneMatch: known?.version }, options);
    if (tail === 'unchanged' && known !== undefined) return known;
    if (tail === undefined || tail === 'unchanged') return undefined;
    const { version } = tail;
    const total = tail.total ?? tail.bytes.length;
    const needed = footerBytes(tail.bytes);
    if (needed > total)
      throw new MetadataError('a parquet file of references is damaged: its metadata ends early');
    let end = tail.bytes;
    if (needed > end.length) {
      const whole = await this.#read(
        key,
        { offset: total - needed, length: needed },
        { ifMatch: version },
        options,
      );
      if (typeof whole !== 'object' || whole.bytes.length !== needed)
        throw new MetadataError('a parquet file of references ends early');
      end = whole.bytes;
    }
    const file = { version, total, groups: parseFooter(end, total), tail: tail.bytes };
    if (version !== undefined) this.#files.set(key, { ...file, tail: undefined });
    return file;
  }

  async #decode(
    key: string,
    file: ParquetFile,
    group: RowGroup,
    options: ReadOptions | undefined,
  ): Promise<ReferenceRows> {
    if (file.version === undefined) return this.#readRows(key, file, group, options);
    const id = JSON.stringify([key, file.version, group.firstRow]);
    const known = this.#rows.get(id);
    if (known !== undefined) return known;
    // Concurrent readers share one decoding, so the signal of the first must not end it.
    const reading =
      this.#reading.get(id) ??
      this.#readRows(key, file, group, undefined).finally(() => this.#reading.delete(id));
    this.#reading.set(id, reading);
    const rows = await reading;
    this.#rows.set(id, rows);
    return rows;
  }

  async #readRows(
    key: string,
    { version, total, tail }: ParquetFile,
    group: RowGroup,
    options: ReadOptions | undefined,
  ): Promise<ReferenceRows> {
    const stored = new Map<string, Uint8Array>();
    const wanted: { readonly name: string; readonly offset: number; readonly length: number }[] = [];
    const tailStart = total - (tail?.length ?? 0);
    for (const name of referenceColumns) {
      const column = group.columns.get(name);
      if (column === undefined) continue;
      const { offset, length } = column;
      if (tail !== undefined && offset >= tailStart)
        stored.set(name, tail.subarray(offset - tailStart, offset - tailStart + length));
      else wanted.push({ name, offset, length });
    }
    if (wanted.length > 0)
      await this.#store.getMany(
        wanted.map(({ offset, length }) => ({
          key,
          range: { offset, length },
          ...(version === undefined ? {} : { ifMatch: version }),
        })),
        (i, result) => {
          const part = wanted[i];
          if (part === undefined || typeof result !== 'object' || result.bytes.length !== part.length)
            throw new MetadataError('a parquet file of references ends early');
          stored.set(part.name, result.bytes);
        },
        { signal: options?.signal },
      );
    return ReferenceRows.decode(group, stored);
  }

  async #read(
    key: string,
    range: { readonly suffix: number } | { readonly offset: number; readonly length: number } | undefined,
    {
      ifMatch,
      ifNoneMatch,
    }: { readonly ifMatch?: string | undefined; readonly ifNoneMatch?: string | undefined },
    options: ReadOptions | undefined,
  ): Promise<ReadResult> {
    let found: ReadResult;
    const request = {
      key,
      ...(range === undefined ? {} : { range }),
      ...(ifMatch === undefined ? {} : { ifMatch }),
      ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }),
    };
    await this.#store.getMany([request], (_, result) => void (found = result), { signal: options?.signal });
    return found;
  }
}

interface ParquetReads {
  /** Opens files at the same time, before their rows are read. */
  open(names: readonly string[]): Promise<void>;
  /**
   * The row of a file, and the number of rows that are read together.
   * @returns undefined if the file does not exist
   * @throws MetadataError for a damaged file, or one without the row; LimitError; store errors
   */
  rowsAt(
    name: string,
    row: number,
  ): Promise<{ readonly rows: ReferenceRows; readonly row: number; readonly count: number } | undefined>;
}

interface ParquetFile {
  readonly version: string | undefined;
  readonly total: number;
  readonly groups: readonly RowGroup[];
  /** The last bytes of the file, if they have just been read. */
  readonly tail: Uint8Array | undefined;
}

/** The chunks of an array along each dimension, and their number. */
interface ChunkGrid {
  readonly counts: readonly number[];
  readonly chunks: number;
  readonly separator: string;
}

/**
 * @param metadata the text of `.zmetadata`
 * @throws MetadataError for another document
 */
export async function openParquetReferences(
  metadata: Uint8Array,
  files: ParquetFiles,
  context: TargetContext,
): Promise<ReferenceSet> {
  const { index, recordSize } = await inTurns(parse(metadata));
  const consolidated = await consolidate(index, ({ start, end }) => metadata.subarray(start, end));
  const grids = new LRUCache<string, ChunkGrid>({ max: MAX_ARRAYS });

  /** @returns undefined if there is no array at the path */
  function gridOf(path: string): ChunkGrid | undefined {
    const known = grids.get(path);
    if (known !== undefined) return known;
    const span = index.get(joinKey(path, '.zarray'));
    if (span === undefined) return undefined;
    const grid = gridIn(metadata.subarray(span.start, span.end));
    grids.set(path, grid);
    return grid;
  }

  /** The array of a chunk key and the number of the chunk. */
  function chunkAt(key: string): { readonly path: string; readonly number: number } | undefined {
    for (let slash = key.lastIndexOf('/'); ; slash = key.lastIndexOf('/', slash - 1)) {
      const path = key.slice(0, Math.max(0, slash));
      const rest = key.slice(slash + 1);
      // Keys with slashes have one number for each dimension.
      if (!/^\d+(?:[./]\d+)*$/.test(rest)) return undefined;
      const grid = gridOf(path);
      if (grid !== undefined) {
        const number = numberOf(rest, grid);
        return number === undefined ? undefined : { path, number };
      }
      if (slash <= 0) return undefined;
    }
  }

  const fileOf = (path: string, number: number): string =>
    joinKey(path, `refs.${Math.floor(number / recordSize)}.parq`);

  /** The keys of the chunks that have a row in a file of the references, with their sizes. */
  async function* chunksOf(path: string, options: ReadOptions | undefined): AsyncGenerator<StoredObject> {
    const grid = gridOf(path);
    if (grid === undefined) return;
    const pause = createPause(options?.signal);
    const reads = files.reads(options);
    for (const record of await files.records(path, Math.ceil(grid.chunks / recordSize), options)) {
      const end = Math.min(grid.chunks, (record + 1) * recordSize);
      for (let number = record * recordSize; number < end;) {
        const found = await reads.rowsAt(fileOf(path, number), number % recordSize);
        if (found === undefined) break;
        for (let row = found.row; row < found.count && number < end; row++, number++) {
          const reference = referenceIn(found.rows.at(row), context);
          if (reference === undefined) continue;
          yield { key: joinKey(path, keyOf(number, grid)), bytes: lengthOf(reference) };
          await pause();
        }
      }
    }
  }

  async function* objectsBelow(
    folder: string,
    options: ReadOptions | undefined,
  ): AsyncGenerator<StoredObject> {
    for (const key of await inTurns(index.allBelow(folder))) {
      const span = index.get(key);
      if (span !== undefined) yield { key, bytes: span.end - span.start };
      if (key === '.zarray' || key.endsWith('/.zarray'))
        yield* chunksOf(key.slice(0, Math.max(0, key.length - '/.zarray'.length)), options);
    }
  }

  return {
    consolidated,
    async find(keys, options) {
      const pause = createPause(options?.signal);
      const reads = files.reads(options);
      const chunks = keys.map((key) => (index.get(key) === undefined ? chunkAt(key) : undefined));
      await reads.open(
        chunks.flatMap((chunk) => (chunk === undefined ? [] : [fileOf(chunk.path, chunk.number)])),
      );
      const found: (Reference | undefined)[] = [];
      for (const [i, key] of keys.entries()) {
        const chunk = chunks[i];
        const span = chunk === undefined ? index.get(key) : undefined;
        if (span !== undefined)
          found.push({ kind: 'inline', bytes: metadata.subarray(span.start, span.end) });
        else if (chunk === undefined) found.push(undefined);
        else {
          const place = await reads.rowsAt(fileOf(chunk.path, chunk.number), chunk.number % recordSize);
          found.push(place === undefined ? undefined : referenceIn(place.rows.at(place.row), context));
        }
        await pause();
      }
      return found;
    },
    async list(folder, options): Promise<Listing> {
      const { keys, folders } = await inTurns(index.below(folder));
      const names = new Set(folders);
      if (gridOf(folder) !== undefined)
        for await (const { key } of chunksOf(folder, options)) {
          const slash = key.indexOf('/', folder === '' ? 0 : folder.length + 1);
          if (slash < 0) keys.push(key);
          else names.add(key.slice(folder === '' ? 0 : folder.length + 1, slash));
        }
      return { keys: await inTurns(sortedInSteps(keys)), folders: await inTurns(sortedInSteps([...names])) };
    },
    async *walk(folder, options): AsyncGenerator<StoredObject> {
      const objects: StoredObject[] = [];
      for await (const object of objectsBelow(folder, options)) objects.push(object);
      const sizes = new Map(objects.map(({ key, bytes }) => [key, bytes]));
      for (const key of await inTurns(sortedInSteps([...sizes.keys()])))
        yield { key, bytes: sizes.get(key) ?? 0 };
    },
  };
}

function lengthOf(reference: Reference): number {
  return reference.kind === 'inline' ? reference.bytes.length : (reference.target.length ?? 0);
}

/** @throws MetadataError, LimitError */
function referenceIn(
  { path, offset, size, raw }: ReferenceRow,
  context: TargetContext,
): Reference | undefined {
  if (raw !== undefined) {
    assertInlineLength(raw.length);
    return { kind: 'inline', bytes: raw };
  }
  if (path === undefined) return undefined;
  const isWhole = offset === 0 && size === 0;
  const target = virtualTarget(path, isWhole ? undefined : offset, isWhole ? undefined : size, context);
  return { kind: 'target', target };
}

/** Finds `metadata` and `record_size`. */
function* parse(
  bytes: Uint8Array,
): Generator<void, { readonly index: MemberIndex; readonly recordSize: number }, void> {
  const reader = new JsonReader(bytes);
  if (reader.peek() !== OPEN_OBJECT) throw new MetadataError('.zmetadata is not a JSON object');
  reader.at++;
  let members: MemberIndexBuilder | undefined;
  let record: MemberSpan | undefined;
  for (let isFirst = true; reader.peek() !== CLOSE_OBJECT; isFirst = false) {
    if (!isFirst) reader.take(COMMA);
    const key = reader.key();
    reader.take(COLON);
    if (key === 'metadata' && reader.peek() === OPEN_OBJECT && members === undefined) {
      members = new MemberIndexBuilder(reader);
      yield* members.object();
      continue;
    }
    reader.peek();
    const start = reader.at;
    for (let until = start + PIECE_BYTES; !reader.skip(until); until = reader.at + PIECE_BYTES) yield;
    if (key === 'record_size') record = { start, end: reader.at };
  }
  const size =
    record === undefined || record.end - record.start > 20
      ? undefined
      : parseJson(bytes.subarray(record.start, record.end));
  if (
    members === undefined ||
    typeof size !== 'number' ||
    !Number.isInteger(size) ||
    size < 1 ||
    size > MAX_RECORD_SIZE
  )
    throw new MetadataError('.zmetadata beside parquet references has no metadata, or no valid record_size');
  return { index: yield* members.finish(), recordSize: size };
}

/** @throws MetadataError for an invalid document of an array */
function gridIn(document: Uint8Array): ChunkGrid {
  const array = parseJson(document);
  const shape = isJsonObject(array) ? sizesIn(array['shape'], 0) : undefined;
  const chunks = isJsonObject(array) ? sizesIn(array['chunks'], 1) : undefined;
  if (!isJsonObject(array) || shape === undefined || chunks === undefined || shape.length !== chunks.length)
    throw new MetadataError('a .zarray has no valid shape and chunks');
  const counts = shape.map((size, i) => Math.ceil(size / (chunks[i] ?? 1)));
  const count = counts.reduce((product, each) => product * each, 1);
  if (!Number.isSafeInteger(count)) throw new MetadataError('an array has more than 2^53 chunks');
  return { counts, chunks: count, separator: array['dimension_separator'] === '/' ? '/' : '.' };
}

function sizesIn(value: ReturnType<typeof parseJson> | undefined, least: number): number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const sizes: number[] = [];
  for (const size of value) {
    if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < least) return undefined;
    sizes.push(size);
  }
  return sizes;
}

/** The number of a chunk in C order; undefined if the key names none. */
function numberOf(text: string, { counts, separator }: ChunkGrid): number | undefined {
  // An array without dimensions has the chunk "0".
  const sizes = counts.length === 0 ? [1] : counts;
  const parts = text.split(separator);
  if (parts.length !== sizes.length) return undefined;
  let number = 0;
  for (const [i, size] of sizes.entries()) {
    const part = parts[i] ?? '';
    const index = Number(part);
    if (!/^(?:0|[1-9]\d*)$/.test(part) || index >= size) return undefined;
    number = number * size + index;
  }
  return number;
}

function keyOf(number: number, { counts, separator }: ChunkGrid): string {
  if (counts.length === 0) return '0';
  let rest = number;
  const parts = counts.toReversed().map((size) => {
    const index = rest % size;
    rest = Math.floor(rest / size);
    return index;
  });
  return parts.toReversed().join(separator);
}
