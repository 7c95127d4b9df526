/** References in parquet files that are damaged, or made to fill the memory. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { isZarrError } from '../../../server/core/errors.js';
import { createMemoryStore } from '../../../server/store/memory.js';
import { get } from '../../../server/store/define-reading.js';
import { createReferencesStore } from '../../../server/store/references.js';
import type { KeyStore } from '../../../server/store/store.js';
import { wrapStore } from '../../../server/store/wrap.js';
import { text } from '../../contracts/store.js';
import { fixtures } from '../../setup/fixtures.js';

const folder = join(fixtures, 'references/sets');
const opened: KeyStore[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
});

const zarray = { zarr_format: 2, shape: [12, 4, 6], chunks: [2, 2, 6], dtype: '<i2', compressor: null, filters: null, fill_value: 0, order: 'C' }; // prettier-ignore
const metadataOf = (record_size: unknown, array: unknown = zarray): string =>
  JSON.stringify({ metadata: { '.zgroup': { zarr_format: 2 }, 'air/.zarray': array }, record_size });

interface Opened {
  readonly store: KeyStore;
  readonly files: KeyStore;
  /** The keys and ranges that were read from the references. */
  readonly requests: string[];
}

async function open(parq: Uint8Array, metadata = metadataOf(10_000)): Promise<Opened> {
  const files = createMemoryStore({ label: 'files' });
  await files.set('refs/.zmetadata', text(metadata));
  await files.set('refs/air/refs.0.parq', parq);
  const requests: string[] = [];
  const counted = wrapStore(files, {
    getMany(asked, each, options) {
      requests.push(...asked.map(({ key, range }) => `${key} ${JSON.stringify(range ?? 'whole')}`));
      return files.getMany(asked, each, options);
    },
  });
  const archive = createMemoryStore({ label: 'archive' });
  for (const day of [0, 1, 2])
    await archive.set(`day${day}.nc`, readFileSync(join(folder, `data/day${day}.nc`)));
  const virtual = [{ prefix: 's3://archive/', store: archive }];
  const store = createReferencesStore({
    label: 'refs',
    files: counted,
    key: 'refs',
    base: 's3://x/',
    virtual,
    maxAgeMs: 0,
  });
  opened.push(store);
  return { store, files, requests };
}

const chunks = ['0.0.0', '3.1.0', '5.1.0'].map((chunk) => `air/${chunk}`);
/** What readers may be told of damaged references; anything else is a mistake of the reader. */
const expectedCodes = new Set(['INVALID_METADATA', 'UNSUPPORTED', 'LIMIT_EXCEEDED', 'STORE_DENIED']);

async function outcomes(store: KeyStore): Promise<string[]> {
  const found: string[] = [];
  for (const key of chunks)
    try {
      found.push((await get(store, key)) === undefined ? 'absent' : 'bytes');
    } catch (error) {
      if (!isZarrError(error) || !expectedCodes.has(error.code)) throw error;
      found.push(error.code);
    }
  return found;
}

const samples = readdirSync(folder).filter((name) => existsIn(name));
function existsIn(name: string): boolean {
  return name.endsWith('.parq') && readdirSync(join(folder, name)).includes('air') && readdirSync(join(folder, name, 'air')).includes('refs.0.parq'); // prettier-ignore
}
const parqOf = (name: string): Uint8Array => readFileSync(join(folder, name, 'air/refs.0.parq'));
const whole = samples.filter((name) => !/_5\.|dataframe|virtualizarr/.test(name));

describe('damaged parquet files', () => {
  test('there are samples of several writers', () => {
    expect(whole.length).toBeGreaterThanOrEqual(5);
  });

  test.each(whole)('%s: each byte changed', async (name) => {
    const parq = parqOf(name);
    const seen = new Set<string>();
    // Of long pages, which are mostly zeros, every seventh byte.
    const step = parq.length > 8000 ? 7 : 1;
    for (let at = 0; at < parq.length; at += step) {
      const changed = parq.slice();
      changed[at] = ((changed[at] ?? 0) ^ (at % 3 === 0 ? 0xff : 1 << (at % 8))) & 0xff;
      const { store } = await open(changed);
      for (const outcome of await outcomes(store)) seen.add(outcome);
      await opened.pop()?.close();
    }
    expect(seen).toContain('INVALID_METADATA');
  });

  test.each(whole)('%s: truncated anywhere', async (name) => {
    const parq = parqOf(name);
    for (let length = 0; length < parq.length; length += Math.ceil(parq.length / 200)) {
      const { store } = await open(parq.slice(0, length));
      expect(await outcomes(store)).toEqual(chunks.map(() => 'INVALID_METADATA'));
      await opened.pop()?.close();
    }
  });
});

/** Thrift's compact protocol, for metadata that no writer would write. */
type Field = readonly [id: number, type: number, ...bytes: readonly number[]];
function struct(...fields: readonly Field[]): number[] {
  let last = 0;
  return [
    ...fields.flatMap(([id, type, ...bytes]) => {
      const delta = id - last;
      last = id;
      return [(delta << 4) | type, ...bytes];
    }),
    0,
  ];
}
function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return [...bytes, rest];
}
const int = (value: number): number[] => varint(value * 2);
const list = (type: number, ...items: readonly (readonly number[])[]): number[] => [
  0xf0 | type,
  ...varint(items.length),
  ...items.flat(),
];
const binary = (value: string): number[] => [...varint(value.length), ...Buffer.from(value)];
const [I32, I64, BINARY, LIST, STRUCT] = [5, 6, 8, 9, 12];

interface Shape {
  readonly rows?: number;
  readonly page?: readonly number[];
  readonly compressed?: number;
  readonly offset?: number;
  readonly schema?: readonly (readonly number[])[];
  readonly groups?: number[];
}

/** A file with the column `path`, of one page. */
function parquet({ rows = 1, page = [], compressed, offset = 4, schema, groups }: Shape): Uint8Array {
  const root = struct([4, BINARY, ...binary('schema')], [5, I32, ...int(1)]);
  const path = struct([1, I32, ...int(6)], [3, I32, ...int(0)], [4, BINARY, ...binary('path')]);
  const metadata = struct(
    [1, I32, ...int(6)],
    [2, LIST, ...list(I32, int(0))],
    [3, LIST, ...list(BINARY, binary('path'))],
    [4, I32, ...int(0)],
    [5, I64, ...int(rows)],
    [6, I64, ...int(page.length)],
    [7, I64, ...int(compressed ?? page.length)],
    [9, I64, ...int(offset)],
  );
  const group = struct([1, LIST, ...list(STRUCT, struct([3, STRUCT, ...metadata]))], [3, I64, ...int(rows)]);
  const footer = struct(
    [1, I32, ...int(2)],
    [2, LIST, ...list(STRUCT, root, ...(schema ?? [path]))],
    [3, I64, ...int(rows)],
    [4, LIST, ...(groups ?? list(STRUCT, group))],
  );
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  return Buffer.concat([
    Buffer.from('PAR1'),
    Buffer.from(page),
    Buffer.from(footer),
    length,
    Buffer.from('PAR1'),
  ]);
}

/** A page of plain values, or of another encoding. */
function page(
  content: readonly number[],
  { values = 1, size = content.length, encoding = 0, type = 0 } = {},
): number[] {
  const own = struct(
    [1, I32, ...int(values)],
    [2, I32, ...int(encoding)],
    [3, I32, ...int(3)],
    [4, I32, ...int(3)],
  );
  const id = type === 2 ? 7 : 5;
  return [
    ...struct(
      [1, I32, ...int(type)],
      [2, I32, ...int(size)],
      [3, I32, ...int(content.length)],
      [id, STRUCT, ...own],
    ),
    ...content,
  ];
}
const value = (address: string): number[] => [address.length, 0, 0, 0, ...Buffer.from(address)];

/** Lists in lists, each of which states a length of 2^28. */
function nested(depth: number): number[] {
  return Array.from({ length: depth }, () => [0xf0 | LIST, ...varint(2 ** 28)]).flat();
}

describe('hostile parquet files', () => {
  test('the files of these tests are valid but for their attack', async () => {
    const { store } = await open(parquet({ page: page(value('s3://archive/day0.nc')) }));
    expect((await get(store, 'air/0.0.0'))?.bytes).toEqual(
      new Uint8Array(readFileSync(join(folder, 'data/day0.nc'))),
    );
    await expect(get(store, 'air/0.1.0')).rejects.toThrow(/no row 1/);
  });

  const plain = page(value('s3://archive/day0.nc'));
  const attacks: readonly (readonly [string, Uint8Array, string])[] = [
    ['billions of rows', parquet({ rows: 2 ** 40, page: plain }), 'LIMIT_EXCEEDED'],
    ['more rows than values', parquet({ rows: 1000, page: plain }), 'INVALID_METADATA'],
    ['a page of gigabytes', parquet({ page: page(value('a'), { size: 2 ** 31 }) }), 'LIMIT_EXCEEDED'],
    ['a page of another size than stated', parquet({ page: page(value('a'), { size: 1000 }) }), 'INVALID_METADATA'],
    ['a page with a billion values', parquet({ rows: 2 ** 20, page: page(value('a'), { values: 2 ** 30 }) }), 'INVALID_METADATA'],
    ['a page with two million values in 5 bytes', parquet({ rows: 2 ** 21, page: page(value('a'), { values: 2 ** 21 }) }), 'INVALID_METADATA'],
    ['a page without values', parquet({ page: page(value('a'), { values: 0 }) }), 'INVALID_METADATA'],
    ['a value that is longer than its page', parquet({ page: page([255, 255, 255, 255, 1]) }), 'INVALID_METADATA'],
    ['a dictionary of a billion values', parquet({ page: page(value('a'), { values: 2 ** 30, type: 2 }) }), 'LIMIT_EXCEEDED'],
    ['a dictionary with more values than bytes', parquet({ page: page(value('a'), { values: 2 ** 20, type: 2 }) }), 'INVALID_METADATA'],
    ['two dictionaries', parquet({ page: [...page(value('a'), { type: 2 }), ...page(value('a'), { type: 2 })] }), 'INVALID_METADATA'],
    ['indexes without a dictionary', parquet({ page: page([1, 2, 0], { encoding: 8 }) }), 'INVALID_METADATA'],
    ['an index outside of the dictionary', parquet({ page: [...page(value('a'), { type: 2 }), ...page([8, 2, 200], { encoding: 8 })] }), 'INVALID_METADATA'],
    ['a run of a billion indexes', parquet({ page: [...page(value('a'), { type: 2 }), ...page([8, ...varint(2 ** 31), 0], { encoding: 8 })] }), 'INVALID_METADATA'],
    ['a billion packed indexes', parquet({ page: [...page(value('a'), { type: 2 }), ...page([8, ...varint(2 ** 31 + 1), 0], { encoding: 8 })] }), 'INVALID_METADATA'],
    ['an encoding that is not supported', parquet({ page: page(value('a'), { encoding: 6 }) }), 'UNSUPPORTED'],
    ['a column outside of the file', parquet({ page: plain, offset: 2 ** 40 }), 'INVALID_METADATA'],
    ['a column of terabytes', parquet({ page: plain, compressed: 2 ** 40 }), 'INVALID_METADATA'],
    ['nested columns', parquet({ page: plain, schema: [struct([4, BINARY, ...binary('path')], [5, I32, ...int(1)])] }), 'UNSUPPORTED'],
    ['lists in lists that state billions of members', parquet({ groups: [0xf0 | LIST, ...varint(2 ** 28), ...nested(40)] }), 'INVALID_METADATA'],
    ['a number that does not end', parquet({ groups: [0xf0 | I64, 1, ...Array.from({ length: 5000 }, () => 255)] }), 'INVALID_METADATA'],
  ]; // prettier-ignore
  test.each(attacks)('%s', async (_, parq, code) => {
    const { store } = await open(parq);
    const before = process.memoryUsage().arrayBuffers;
    await expect(get(store, 'air/0.0.0')).rejects.toMatchObject({ code });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 2 ** 20);
  });

  test.each([
    ['no record size', metadataOf(undefined)],
    ['a record size of 0', metadataOf(0)],
    ['a negative record size', metadataOf(-1)],
    ['a fraction', metadataOf(1.5)],
    ['text', metadataOf('5')],
    ['a huge record size', metadataOf(2 ** 40)],
    ['no metadata', '{"record_size":5}'],
    ['no object', '[]'],
    ['an invalid shape', metadataOf(5, { ...zarray, shape: [-1, 4, 6] })],
    ['chunks of size 0', metadataOf(5, { ...zarray, chunks: [0, 2, 6] })],
    ['more than 2^53 chunks', metadataOf(5, { ...zarray, shape: [2 ** 52, 2 ** 52, 6] })],
    ['a document that is no object', metadataOf(5, 'x')],
  ])('%s is an error', async (_, metadata) => {
    const { store } = await open(parqOf('kerchunk_parquet_10000.parq'), metadata);
    await expect(get(store, 'air/0.0.0')).rejects.toMatchObject({ code: 'INVALID_METADATA' });
  });

  test('an array of 2^50 chunks without files is listed at once, and its chunks are absent', async () => {
    const array = { ...zarray, shape: [2 ** 50], chunks: [1] };
    const { store } = await open(parquet({ page: plain }), metadataOf(1, array));
    expect((await store.list('air')).keys).toEqual(['air/.zarray', 'air/0']);
    expect(await get(store, `air/${2 ** 50 - 1}`)).toBeUndefined();
  });
});

describe('requests for parquet files', () => {
  test('a file is read once, and only its version is asked for again', async () => {
    const { store, files, requests } = await open(parqOf('kerchunk_parquet_10000.parq'));
    for (const key of [...chunks, ...chunks]) await get(store, key);
    const parts = requests.filter((request) => request.includes('parq'));
    // The end is asked for with its version.
    expect(new Set(parts).size).toBe(1);
    await files.set('refs/air/refs.0.parq', parquet({ page: page(value('s3://archive/none')) }));
    await expect(get(store, 'air/0.0.0')).rejects.toThrow(/does not exist/);
  });
});
