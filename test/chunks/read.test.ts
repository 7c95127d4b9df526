import { describe, expect, test } from 'vitest';
import {
  type Block,
  createChunkCache,
  createMemoryStore,
  openHierarchy,
  parseSelection,
  type CreateArrayRequest,
  type Hierarchy,
  type HierarchyOptions,
  type KeyStore,
  itemsOfValues,
  toTypedArray,
  type ZarrArray,
  type ZarrFormat,
} from '../../server/zarr/index.js';
import { widen } from '../../server/compute/number-planes.js';
import { wrapStore } from '../../server/store/wrap.js';
import { arrayDocument } from '../resolvers/gateway-client.js';

async function open(more: Record<string, unknown> = {}) {
  const store = createMemoryStore({ label: 'm' });
  await store.set('zarr.json', Buffer.from(JSON.stringify(arrayDocument('int16', [2, 3], more))));
  await store.set('c/0/0', Buffer.from(Int16Array.of(1, 2, 3, 4, 5, 6).buffer));
  const array = await openHierarchy(store, { chunkCache: createChunkCache(2 ** 20) }).array('/');
  const read = (text = '...', readOnly = true) => array.select(parseSelection(text)).read({ readOnly });
  return { store, read };
}

function bytesOf(block: Block): Uint8Array {
  return 'bytes' in block ? block.bytes : new Uint8Array(0);
}

const values = (block: Block): number[] => [...new Int16Array(bytesOf(block).slice().buffer)];

test('read-only consumers share the memory of a decoded chunk', async () => {
  const { read } = await open();
  await read();
  const [first, second] = [await read(), await read()];
  expect(values(first)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(bytesOf(second).buffer).toBe(bytesOf(first).buffer);
});

test('a consumer that may write to its result gets separate memory', async () => {
  const { read } = await open();
  await read();
  const [shared, own] = [await read(), await read('...', false)];
  bytesOf(own).fill(0);
  expect(values(shared)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(values(await read())).toEqual([1, 2, 3, 4, 5, 6]);
});

test('a changed chunk is read again', async () => {
  const { store, read } = await open();
  await read();
  await store.set('c/0/0', Buffer.from(Int16Array.of(6, 5, 4, 3, 2, 1).buffer));
  expect(values(await read())).toEqual([6, 5, 4, 3, 2, 1]);
  await store.delete(['c/0/0']);
  expect(values(await read())).toEqual([0, 0, 0, 0, 0, 0]);
});

test('a part of a cached chunk, or its elements in another order, is copied', async () => {
  const { read } = await open();
  await read();
  expect(values(await read('1'))).toEqual([4, 5, 6]);
  expect(values(await read('::-1'))).toEqual([4, 5, 6, 1, 2, 3]);
  expect(values(await read('..., ::-1'))).toEqual([3, 2, 1, 6, 5, 4]);
  const transposed = await open({
    codecs: [
      { name: 'transpose', configuration: { order: [1, 0] } },
      { name: 'bytes', configuration: { endian: 'little' } },
    ],
  });
  for (let i = 0; i < 3; i++) expect(values(await transposed.read())).toEqual([1, 3, 5, 2, 4, 6]);
});

test('"unchanged" for an uncached chunk is an error', async () => {
  const memory = createMemoryStore({ label: 'm' });
  const created = await openHierarchy(memory).createArray('/', {
    shape: [4],
    dtype: 'int8',
    chunkShape: [2],
  });
  await created.select({ kind: 'all' }).write([1, 2, 3, 4]);
  const store: KeyStore = {
    ...memory,
    async getMany(requests, each, options) {
      const isOdd = requests.map(({ key }) => key === 'c/1');
      await memory.getMany(
        requests,
        (i, result) => each(i, isOdd[i] === true ? 'unchanged' : result),
        options,
      );
    },
  };
  const array = await openHierarchy(store).array('/');
  await expect(array.select({ kind: 'all' }).read()).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    where: { key: 'c/1' },
  });
});

test('null is a missing value, in JSON and in text', () => {
  for (const [name, values] of [
    ['json', [true, null, false]],
    ['string', ['null', null, '']],
  ] as const) {
    const dtype = { name, itemSize: null };
    const items = itemsOfValues(values, dtype);
    const { planes, hasMissing } = widen({ values: { items }, count: 3 }, dtype);
    expect(hasMissing).toBe(true);
    expect([...(planes[0]?.subarray(0, 3) ?? [])]).toEqual([0, NaN, 0]);
  }
});

test('missing values are detected at any position, and infinities that cancel out are not missing', () => {
  const dtype = { name: 'float64', itemSize: 8 } as const;
  const isMissing = (values: Float64Array): boolean =>
    widen({ values: { bytes: new Uint8Array(values.buffer) }, count: values.length }, dtype).hasMissing;
  for (const length of [1, 7, 8, 9, 16, 21])
    for (let at = 0; at < length; at++) {
      const values = new Float64Array(length).fill(1);
      expect(isMissing(values)).toBe(false);
      expect(isMissing(values.with(at, NaN))).toBe(true);
      const cancelling = values.with(at, Infinity).with((at + 1) % length, -Infinity);
      expect(isMissing(cancelling)).toBe(false);
      expect(isMissing(cancelling.with((at + 1) % length, NaN))).toBe(true);
    }
});

describe.each<ZarrFormat>([2, 3])('an array of v%i that changes during a read', (zarrFormat) => {
  type Change = (writer: Hierarchy) => Promise<unknown>;
  const gzip =
    zarrFormat === 3
      ? [
          { name: 'bytes', configuration: { endian: 'little' } },
          { name: 'gzip', configuration: { level: 1 } },
        ]
      : { compressor: { id: 'gzip', level: 1 } };
  const int16 = { shape: [6], dtype: 'int16', chunkShape: [2] } as const;

  async function write(writer: Hierarchy, request: CreateArrayRequest = int16): Promise<void> {
    await writer.createArray('/g/a', request, { zarrFormat });
    await (await writer.array('/g/a')).select().write(1);
  }

  /** Reads the array, which another writer changes before the first chunk is read. */
  async function readDuring(
    change: Change,
    {
      checksArrays = true,
      isListed = false,
    }: Pick<HierarchyOptions, 'checksArrays'> & { isListed?: boolean } = {},
  ): Promise<unknown> {
    const base = createMemoryStore({ label: 'm' });
    const writer = openHierarchy(base);
    await write(writer);
    if (isListed) await writer.consolidate('/g');
    let hasChanged = false;
    const store = wrapStore(base, {
      async getMany(requests, each, options) {
        if (!hasChanged && requests.some(({ key }) => /^g\/a\/(c\/)?0$/.test(key))) {
          hasChanged = true;
          await change(writer);
        }
        await base.getMany(requests, each, options);
      },
    });
    const reader = openHierarchy(store, { checksArrays });
    const array = isListed ? await listedArray(reader) : await reader.array('/g/a');
    const block = await array.select().read();
    expect(hasChanged).toBe(true);
    return toTypedArray(block);
  }

  async function listedArray(reader: Hierarchy): Promise<ZarrArray> {
    for await (const entry of reader.walk('/g')) {
      const node = entry.open();
      if (node.kind === 'array') return node;
    }
    throw new Error('the consolidated metadata has no array');
  }

  const replaceWith =
    (other: Partial<CreateArrayRequest>, isListed = false): Change =>
    async (writer) => {
      await writer.deleteNode('/g/a');
      await write(writer, { ...int16, ...other });
      if (isListed) await writer.consolidate('/g');
    };

  test.each<[string, Change]>([
    ['was deleted', (writer) => writer.deleteNode('/g/a')],
    ['has another data type', replaceWith({ dtype: 'uint16' })],
    ['has elements of another size', replaceWith({ dtype: 'int32' })],
    ['has another fill value', replaceWith({ fillValue: 7 })],
    ['has other chunks', replaceWith({ chunkShape: [3] })],
    ['has other codecs', replaceWith({ codecs: gzip })],
    ['is shorter', (writer) => writer.resize('/g/a', [3])],
  ])('is a conflict if it %s', async (_, change) => {
    await expect(readDuring(change)).rejects.toMatchObject({
      code: 'CONFLICT',
      where: { store: 'm', path: '/g/a' },
    });
  });

  test('is a conflict if consolidated metadata now describes another array', async () => {
    const reading = readDuring(replaceWith({ dtype: 'uint16' }, true), { isListed: true });
    await expect(reading).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test.each<[string, Change]>([
    ['is longer', (writer) => writer.append('/g/a', [2, 2])],
    ['has other attributes', (writer) => writer.setAttributes('/g/a', { set: { units: 'm' } })],
    ['has other values', async (writer) => (await writer.array('/g/a')).select().write(1)],
  ])('can be read if it %s', async (_, change) => {
    for (const isListed of [false, true])
      expect(await readDuring(change, { isListed })).toEqual(Int16Array.of(1, 1, 1, 1, 1, 1));
  });

  test.each([false, true])(
    'is a conflict only if a checked attribute changes (listed: %s)',
    async (isListed) => {
      const change: Change = (writer) => writer.setAttributes('/g/a', { set: { scale_factor: 2 } });
      const checksArrays = { attributes: ['scale_factor'] };
      await expect(readDuring(change, { checksArrays, isListed })).rejects.toMatchObject({
        code: 'CONFLICT',
      });
      const other: Change = (writer) => writer.setAttributes('/g/a', { set: { title: 'a' } });
      expect(await readDuring(other, { checksArrays, isListed })).toEqual(Int16Array.of(1, 1, 1, 1, 1, 1));
    },
  );

  test('is not checked with `checksArrays: false`', async () => {
    const change: Change = (writer) => writer.deleteNode('/g/a');
    expect(await readDuring(change, { checksArrays: false })).toEqual(new Int16Array(6));
  });
});
