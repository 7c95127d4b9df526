/** Manifests that are built here: compressed addresses of version 2, and damaged ones. */
import * as zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decodeManifest, Manifest } from '../../../server/store/icechunk/manifest.js';

type Field = number | bigint | { readonly at: number } | { readonly bytes: Uint8Array } | undefined;

/** Builds a FlatBuffer from its end to its start: a table is after the tables that refer to it. */
class Builder {
  #parts: Buffer[] = [];
  #length = 0;

  /** @returns the position of the bytes from the end */
  #add(bytes: Buffer): number {
    const padding = (8 - (bytes.length % 8)) % 8;
    this.#parts.unshift(bytes, Buffer.alloc(0));
    this.#length += bytes.length + padding;
    this.#parts.splice(1, 0, Buffer.alloc(padding));
    return this.#length;
  }

  vector(bytes: Uint8Array, count = bytes.length): { readonly at: number } {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(count);
    return { at: this.#add(Buffer.concat([length, bytes])) };
  }

  /** A list of tables. */
  tables(list: readonly { readonly at: number }[]): { readonly at: number } {
    const bytes = Buffer.alloc(4 + 4 * list.length);
    bytes.writeUInt32LE(list.length);
    const total = this.#length + bytes.length + ((8 - (bytes.length % 8)) % 8);
    for (const [i, { at }] of list.entries()) bytes.writeUInt32LE(total - 4 - 4 * i - at, 4 + 4 * i);
    return { at: this.#add(bytes) };
  }

  table(fields: readonly Field[]): { readonly at: number } {
    // The table of offsets, in front of the table itself.
    const offsets = Buffer.alloc(
      4 + 2 * fields.length + ((4 + 2 * fields.length) % 8 === 0 ? 0 : 8 - ((4 + 2 * fields.length) % 8)),
    );
    const sizes = fields.map((field) =>
      field === undefined ? 0 : typeof field === 'object' && 'bytes' in field ? field.bytes.length : 8,
    );
    const body = Buffer.alloc(8 + sizes.reduce((sum, size) => sum + size, 0));
    body.writeInt32LE(offsets.length);
    offsets.writeUInt16LE(4 + 2 * fields.length);
    const total = this.#length + body.length + ((8 - (body.length % 8)) % 8);
    let at = 8;
    for (const [i, field] of fields.entries()) {
      if (field === undefined) continue;
      offsets.writeUInt16LE(at, 4 + 2 * i);
      if (typeof field === 'number') body.writeUInt32LE(field, at);
      else if (typeof field === 'bigint') body.writeBigUInt64LE(field, at);
      else if ('bytes' in field) body.set(field.bytes, at);
      else body.writeUInt32LE(total - at - field.at, at);
      at += sizes[i] ?? 0;
    }
    const position = this.#add(body);
    this.#add(offsets);
    return { at: position };
  }

  end(root: { readonly at: number }): Buffer {
    const start = Buffer.alloc(8);
    start.writeUInt32LE(8 + this.#length - root.at);
    return Buffer.concat([start, ...this.#parts]);
  }
}

const node = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
const text = (value: string): Buffer => Buffer.from(value);
const uint32 = (...values: number[]): Uint8Array => new Uint8Array(Uint32Array.from(values).buffer);

/** A manifest with one array. @param dictionary compresses the addresses */
function build(urls: readonly string[], dictionary?: Buffer): Buffer {
  const builder = new Builder();
  const chunks = urls.map((url, i) => {
    const index = builder.vector(uint32(0, i), 2);
    const address = dictionary === undefined ? text(url) : zlib.zstdCompressSync(url, { dictionary });
    const location = builder.vector(address);
    const [plain, packed] = dictionary === undefined ? [location] : [undefined, location];
    const [offset, length] = [BigInt(100 * i), 8n];
    return builder.table([index, undefined, offset, length, undefined, plain, undefined, 7, packed]);
  });
  const array = builder.table([{ bytes: node }, builder.tables(chunks)]);
  const words = dictionary === undefined ? undefined : builder.vector(dictionary);
  return builder.end(builder.table([{ bytes: new Uint8Array(12) }, builder.tables([array]), words]));
}

const urls = Array.from({ length: 300 }, (_, i) => `s3://bucket/archive/year=2020/file-${i}.nc`);

describe('references', () => {
  test.each([
    ['plain', undefined],
    ['compressed with a dictionary', text(urls.slice(0, 20).join())],
  ])('%s', (_, dictionary) => {
    const manifest = new Manifest(build(urls, dictionary));
    for (const i of [0, 1, 150, 299])
      expect(manifest.find(node, [0, i])).toEqual({
        ...{ url: urls[i], offset: 100 * i, length: 8 },
        ...{ etag: undefined, lastModified: 7 },
      });
    for (const index of [[0, 300], [1, 0], [0], [], [0, 1, 0]])
      expect(manifest.find(node, index)).toBeUndefined();
    expect(manifest.find(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 9), [0, 0])).toBeUndefined();
  });
});

const header = (compression: number): Buffer =>
  Buffer.concat([text('ICE🧊CHUNK'), Buffer.alloc(24, ' '), Buffer.of(2, 2, compression)]);

describe('files', () => {
  test('are decompressed', async () => {
    const content = build(urls);
    for (const file of [
      Buffer.concat([header(0), content]),
      Buffer.concat([header(1), zlib.zstdCompressSync(content)]),
    ])
      expect((await decodeManifest(file)).find(node, [0, 9])?.url).toBe(urls[9]);
  });

  test.each([
    ['empty', Buffer.alloc(0)],
    ['of another type', Buffer.concat([text('ICE🧊CHUNK'), Buffer.alloc(24, ' '), Buffer.of(2, 1, 0)])],
    ['not compressed as stated', Buffer.concat([header(1), build(urls)])],
  ])('%s are errors', async (_, file) => {
    await expect(decodeManifest(file)).rejects.toMatchObject({ code: 'INVALID_METADATA' });
  });

  test('that decompress to very much are an error', async () => {
    const bomb = Buffer.concat([header(1), zlib.zstdCompressSync(Buffer.alloc(200 * 2 ** 20))]);
    await expect(decodeManifest(bomb)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
  });
});

test('a truncated or changed file gives an error or a reference, and ends', () => {
  const content = build(urls.slice(0, 30));
  const outcome = (bytes: Buffer): void => {
    try {
      new Manifest(bytes).find(node, [0, 7]);
    } catch (error) {
      expect(error).toMatchObject({ code: 'INVALID_METADATA' });
    }
  };
  for (let length = 0; length < content.length; length += 3) outcome(content.subarray(0, length));
  let state = 5;
  for (let round = 0; round < 20_000; round++) {
    const changed = Buffer.from(content);
    for (let i = 0; i < 3; i++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      changed[state % changed.length] = state >>> 24;
    }
    outcome(changed);
  }
});
