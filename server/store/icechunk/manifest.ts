/**
 * A manifest of a repository, for references to chunks in other files: the WebAssembly build of the library knows web
 * addresses only, and returns no references. All other chunks are found by the library. Source: the Icechunk
 * specification, "Manifest files" (versions 1 and 2), whose content is a FlatBuffer.
 */
import * as zlib from 'node:zlib';
import { firstIndexWhere } from '../../core/bytes/search.js';
import { LimitError, MetadataError, UnsupportedError } from '../../core/errors.js';
import type { VirtualReference } from '../virtual/virtual-chunks.js';

/** A chunk in a file outside of the repository. */
export type ChunkReference = VirtualReference & { readonly length: number };

/** Maximum size of a decompressed manifest, in bytes. A reference takes about 100. */
const MAX_MANIFEST_BYTES = 128 * 2 ** 20;
/** Maximum length of an address, in bytes. The library writes at most 2 KiB. */
const MAX_URL_BYTES = 8192;
const MAX_DICTIONARY_BYTES = 2 ** 20;
const MAGIC = Buffer.from('ICE🧊CHUNK');
/** Magic number, name of the writer, versions, type of the file, compression. */
const HEADER_BYTES = 39;
const MANIFEST_TYPE = 2;

// Numbers of fields in the FlatBuffer's tables.
const MANIFEST = { arrays: 1, dictionary: 2 } as const;
const ARRAY = { node: 0, references: 1 } as const;
const CHUNK = { index: 0, inline: 1, offset: 2, length: 3, id: 4, url: 5, etag: 6, modified: 7, packedUrl: 8 } as const; // prettier-ignore

/**
 * @throws MetadataError for another file; LimitError for a large one; UnsupportedError if this version of Node cannot
 * decompress it
 */
export async function decodeManifest(file: Uint8Array): Promise<Manifest> {
  const [type, compression] = [file[HEADER_BYTES - 2], file[HEADER_BYTES - 1]];
  if (Buffer.compare(MAGIC, file.subarray(0, MAGIC.length)) !== 0 || type !== MANIFEST_TYPE)
    throw new MetadataError('a manifest of the repository is damaged: it does not begin as a manifest');
  const content = file.subarray(HEADER_BYTES);
  return new Manifest(compression === 0 ? content : await decompress(content));
}

function decompress(content: Uint8Array): Promise<Uint8Array> {
  // Missing in Node before 22.15.
  const { zstdDecompress }: Partial<typeof zlib> = zlib;
  if (zstdDecompress === undefined) throw new UnsupportedError('virtual chunks require Node 22.15 or later');
  return new Promise((resolve, reject) => {
    zstdDecompress(content, { maxOutputLength: MAX_MANIFEST_BYTES }, (cause, bytes) => {
      if (cause === null) resolve(bytes);
      else if ('code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE')
        reject(new LimitError(`a manifest of the repository is larger than ${MAX_MANIFEST_BYTES} bytes`));
      else reject(new MetadataError('a manifest of the repository is damaged', { cause }));
    });
  });
}

export class Manifest {
  /** Size in bytes. */
  readonly bytes: number;
  readonly #view: DataView;

  constructor(content: Uint8Array) {
    this.bytes = content.length;
    this.#view = new DataView(content.buffer, content.byteOffset, content.length);
  }

  /**
   * The reference to a chunk.
   * @param node id of the array, of 8 bytes
   * @returns undefined if the manifest has none, or if the chunk is in the repository
   * @throws MetadataError for a damaged manifest
   */
  find(node: Uint8Array, index: readonly number[]): ChunkReference | undefined {
    try {
      return this.#find(node, index);
    } catch (error) {
      // Of the DataView: a number points outside of the file.
      if (error instanceof RangeError)
        throw new MetadataError('a manifest of the repository is damaged', { cause: error });
      throw error;
    }
  }

  #find(node: Uint8Array, index: readonly number[]): ChunkReference | undefined {
    const root = new Table(this.#view, this.#view.getUint32(0, true));
    const arrays = root.tables(MANIFEST.arrays);
    const array = search(arrays, (each) => compare(each.struct(ARRAY.node, node.length), node));
    if (array === undefined) return undefined;
    const chunk = search(array.tables(ARRAY.references), (each) =>
      compare(each.integers(CHUNK.index), index),
    );
    if (chunk === undefined || chunk.has(CHUNK.inline) || chunk.has(CHUNK.id)) return undefined;
    const modified = chunk.integer(CHUNK.modified);
    return {
      url: urlOf(chunk, root),
      offset: chunk.long(CHUNK.offset),
      length: chunk.long(CHUNK.length),
      etag: chunk.has(CHUNK.etag) ? chunk.bytes(CHUNK.etag, MAX_URL_BYTES).toString() : undefined,
      lastModified: modified === 0 ? undefined : modified,
    };
  }
}

function urlOf(chunk: Table, manifest: Table): string {
  if (chunk.has(CHUNK.url)) return chunk.bytes(CHUNK.url, MAX_URL_BYTES).toString();
  const packed = chunk.bytes(CHUNK.packedUrl, MAX_URL_BYTES);
  const dictionary = manifest.bytes(MANIFEST.dictionary, MAX_DICTIONARY_BYTES);
  const { zstdDecompressSync }: Partial<typeof zlib> = zlib;
  if (zstdDecompressSync === undefined)
    throw new UnsupportedError('virtual chunks require Node 22.15 or later');
  try {
    return zstdDecompressSync(packed, { dictionary, maxOutputLength: MAX_URL_BYTES }).toString();
  } catch (cause) {
    throw new MetadataError('the address of a virtual chunk cannot be decompressed; if the file is intact, update Node to a version whose zlib knows dictionaries of Zstandard', { cause }); // prettier-ignore
  }
}

/** A list of tables. */
interface Tables {
  readonly length: number;
  at(i: number): Table;
}

/** A table of a FlatBuffer. Each access throws a RangeError outside of the file. */
class Table {
  readonly #view: DataView;
  readonly #at: number;
  readonly #fields: number;

  constructor(view: DataView, at: number) {
    this.#view = view;
    this.#at = at;
    this.#fields = at - view.getInt32(at, true);
  }

  has(field: number): boolean {
    return this.#find(field) !== 0;
  }

  integer(field: number): number {
    const at = this.#find(field);
    return at === 0 ? 0 : this.#view.getUint32(at, true);
  }

  /** @throws RangeError above 2^53 */
  long(field: number): number {
    const at = this.#find(field);
    const value = at === 0 ? 0 : Number(this.#view.getBigUint64(at, true));
    if (!Number.isSafeInteger(value)) throw new RangeError('the number is too large');
    return value;
  }

  struct(field: number, length: number): Uint8Array {
    return this.#bytesAt(this.#require(field), length);
  }

  bytes(field: number, maxLength: number): Buffer {
    const { start, length } = this.#vector(field);
    if (length > maxLength) throw new RangeError('the text is too long');
    const bytes = this.#bytesAt(start, length);
    return Buffer.from(bytes.buffer, bytes.byteOffset, length);
  }

  integers(field: number): readonly number[] {
    const { start, length } = this.#vector(field);
    if (length > MAX_DIMENSIONS) throw new RangeError('the index is too long');
    return Array.from({ length }, (_, i) => this.#view.getUint32(start + 4 * i, true));
  }

  tables(field: number): Tables {
    const { start, length } = this.#vector(field);
    const at = (i: number): Table => {
      const entry = start + 4 * i;
      return new Table(this.#view, entry + this.#view.getUint32(entry, true));
    };
    return { length, at };
  }

  #vector(field: number): { readonly start: number; readonly length: number } {
    const at = this.#require(field);
    const start = at + this.#view.getUint32(at, true);
    return { start: start + 4, length: this.#view.getUint32(start, true) };
  }

  #bytesAt(start: number, length: number): Uint8Array {
    const { buffer, byteOffset, byteLength } = this.#view;
    if (start + length > byteLength) throw new RangeError('the bytes are outside of the file');
    return new Uint8Array(buffer, byteOffset + start, length);
  }

  #require(field: number): number {
    const at = this.#find(field);
    if (at === 0) throw new RangeError('a field is missing');
    return at;
  }

  /** @returns 0 for an absent field */
  #find(field: number): number {
    const entry = 4 + 2 * field;
    if (entry >= this.#view.getUint16(this.#fields, true)) return 0;
    const offset = this.#view.getUint16(this.#fields + entry, true);
    return offset === 0 ? 0 : this.#at + offset;
  }
}

const MAX_DIMENSIONS = 1000;

/** Finds an element in a sorted list. @param order the order of an element in relation to the searched one */
function search(list: Tables, order: (each: Table) => number): Table | undefined {
  const i = firstIndexWhere(0, list.length, (at) => order(list.at(at)) >= 0);
  if (i === list.length) return undefined;
  const found = list.at(i);
  return order(found) === 0 ? found : undefined;
}

function compare(a: ArrayLike<number>, b: ArrayLike<number>): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = Number(a[i]) - Number(b[i]);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
