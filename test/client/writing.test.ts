/** Written values are read back unchanged with every encoding. */
import { afterAll, describe, expect, test } from 'vitest';
import { createClient, ndarray } from '../../client/index.js';
import type { Change, FetchLike } from '../../client/index.js';
import { createGateway } from '../../server/gateway.js';
import { createMemoryStore } from '../../server/zarr/index.js';
import { fullAccess } from '../../server/index.js';

const gateway = createGateway({
  stores: [
    { name: 'notes', store: createMemoryStore({ label: 'notes' }), writable: true },
    { name: 'closed', store: createMemoryStore({ label: 'closed' }) },
  ],
});
afterAll(() => gateway.close());

const fetch: FetchLike = async (url, init) => gateway.fetch(new gateway.Request(url, init), fullAccess);
const clients = [
  ['http', createClient({ fetch })],
  ['process', createClient({ gateway: gateway.as(fullAccess) })],
] as const;

describe.each(clients)('%s', (base, client) => {
  const store = client.store('notes');

  test('values of every data type round-trip', async () => {
    const cases: readonly (readonly [string, unknown, unknown])[] = [
      ['float32', [1.5, -0, Number.NaN, -Infinity], [1.5, -0, Number.NaN, -Infinity]],
      ['int64', [1n, -(2n ** 63n), 5, 2n ** 62n], [1n, -(2n ** 63n), 5n, 2n ** 62n]],
      ['bool', [true, false, true, true], [true, false, true, true]],
      ['complex64', [[1, 2], [3, -0], [0, 0], [5, 6]], [[1, 2], [3, -0], [0, 0], [5, 6]]],
      ['<M8[s]', [new Date('2001-02-03T04:05:06Z'), '1969-12-31', null, 7n], [981173106n, -86400n, -(2n ** 63n), 7n]],
      ['string', ['a', 'ß', '', '𝄞'], ['a', 'ß', '', '𝄞']],
      ['<U2', ['a', 'ß', '', '𝄞'], ['a', 'ß', '', '𝄞']],
      ['|S3', ['abc', Uint8Array.of(1, 2), '', 'x'], [Buffer.from('abc'), Buffer.of(1, 2), Buffer.of(), Buffer.from('x')].map((b) => new Uint8Array(b))],
    ]; // prettier-ignore
    for (const [dtype, values, expected] of cases) {
      const array = await store.createArray(`${base}/kinds`, { shape: [4], dtype, ifExists: 'REPLACE' });
      await array.write(undefined, values as never);
      expect([...(await array.slice())]).toEqual(expected);
      // Values that were read can be written unchanged.
      const copy = await store.createArray(`${base}/copy`, { shape: [4], dtype, ifExists: 'REPLACE' });
      await copy.write(undefined, await array.slice());
      expect([...(await copy.slice())]).toEqual(expected);
    }
  });

  test('typed arrays preserve every bit', async () => {
    const array = await store.createArray(`${base}/bits`, { shape: [2, 2], dtype: 'float64' });
    const bits = new BigUint64Array([0x7ff8000000000123n, 0xfff0000000000001n, 1n, 0x8000000000000000n]);
    await array.write(undefined, ndarray(new Float64Array(bits.buffer), [2, 2]));
    expect(new BigUint64Array((await array.slice()).data.buffer.slice(0))).toHaveLength(4);
    const { data } = await array.slice();
    expect(new BigUint64Array(data.buffer, data.byteOffset, 4)).toEqual(bits);
  });

  test('the separator of chunk keys is one of two, also without type checks', async () => {
    const array = await store.createArray(`${base}/dots`, { shape: [2, 2], dtype: 'int8', separator: '.' });
    expect((await array.info()).shape).toEqual([2, 2]);
    // @ts-expect-error a text that is not a separator
    const wrong = store.createArray(`${base}/dashes`, { shape: [2], dtype: 'int8', separator: '-' });
    await expect(wrong).rejects.toMatchObject({ code: 'BAD_INPUT', message: expect.stringContaining('"-"') });
  });

  test('writes parts, broadcasts, appends, resizes and sets attributes', async () => {
    const array = await store.createArray(`${base}/grid`, {
      shape: [4, 6],
      chunkShape: [2, 3],
      dtype: 'int16',
      dimensionNames: ['y', 'x'],
      attributes: { units: 'm' },
    });
    expect(await array.write({ y: [0, 2] }, 7)).toMatchObject({ chunksWritten: 2 });
    await array.write({ y: 3, x: [null, null, 2] }, Int16Array.of(1, 2, 3));
    expect((await array.slice({ y: 3 })).toNested()).toEqual([1, 0, 2, 0, 3, 0]);
    expect((await array.append([[9, 9, 9, 9, 9, 9]])).shape).toEqual([5, 6]);
    await expect(array.append([[9, 9, 9, 9, 9, 9]], { offset: 4 })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    expect((await array.resize([5, 2])).shape).toEqual([5, 2]);
    expect(await array.setAttributes({ title: 'grid' })).toEqual({ units: 'm', title: 'grid' });
    expect(await array.setAttributes({}, { remove: ['units'] })).toEqual({ title: 'grid' });
    const { version } = await array.info();
    await array.setAttributes({ n: 1 }, { ifVersion: version });
    await expect(array.setAttributes({ n: 2 }, { ifVersion: version })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  test('creates and deletes groups', async () => {
    const group = store.group(`${base}/deep`);
    expect(await store.createGroup(`${base}/deep`, { attributes: { a: 1 } })).toMatchObject({
      attributes: { a: 1 },
    });
    await group.createArray('one', { shape: [], dtype: 'uint8' });
    expect(await group.consolidate()).toMatchObject({ consolidated: true });
    await expect(group.delete()).rejects.toMatchObject({ code: 'CONFLICT' });
    await group.delete({ recursive: true });
    await expect(group.info()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('writes to read-only stores and invalid values are rejected', async () => {
    const closed = client.store('closed').createArray('a', { shape: [1], dtype: 'int8' });
    await expect(closed).rejects.toMatchObject({ code: 'READ_ONLY' });
    const array = await store.createArray(`${base}/small`, {
      shape: [1],
      dtype: 'int8',
      ifExists: 'REPLACE',
    });
    await expect(array.write(undefined, 300)).rejects.toMatchObject({ code: 'BAD_INPUT' });
    await expect(array.write(undefined, undefined as never)).rejects.toMatchObject({ code: 'BAD_INPUT' });
    expect(() => ndarray(Int8Array.of(1, 2), [3])).toThrow(/\[3\] does not match 2 values/);
  });

  test('changes are reported as they happen', async () => {
    const array = await store.createArray(`${base}/watched`, { shape: [4], dtype: 'int8', chunkShape: [2] });
    const controller = new AbortController();
    const changes = store.changes(`${base}/watched`, { signal: controller.signal })[Symbol.asyncIterator]();
    const seen: Change[] = [];
    const watching = (async () => {
      for (let i = 0; i < 2; i++) {
        const { value } = await changes.next();
        if (value !== undefined) seen.push(value);
      }
    })();
    // Write until the subscription is active.
    for (let i = 0; i < 500 && seen.length === 0; i++) {
      await array.write([[1, 3]], 1);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await array.delete();
    await watching;
    expect(seen[0]).toMatchObject({
      kind: 'DATA',
      path: `/${base}/watched`,
      region: [{ start: 1, stop: 3 }],
    });
    const next = changes.next();
    controller.abort();
    await expect(Promise.race([next, changes.next()])).rejects.toMatchObject({ code: 'ABORTED' });
  });

  test('reads an array in blocks of whole chunks', async () => {
    const array = await store.createArray(`${base}/long`, {
      shape: [10, 7],
      chunkShape: [3, 2],
      dtype: 'int32',
    });
    const all = Int32Array.from({ length: 70 }, (_, i) => i);
    await array.write(undefined, ndarray(all, [10, 7]));
    const blocks = [];
    for await (const { start, values } of array.blocks({ maxBytes: 80 })) blocks.push({ start, first: values.get(0, 0), shape: values.shape }); // prettier-ignore
    expect(blocks.every(({ start: [y = 0, x = 0], first }) => first === y * 7 + x)).toBe(true);
    expect(blocks.map(({ start }) => start)).toEqual([[0, 0], [0, 6], [3, 0], [3, 6], [6, 0], [6, 6], [9, 0], [9, 6]]); // prettier-ignore
  });
});

describe.each([...clients, ['json', createClient({ fetch, format: 'json' })]] as const)(
  'numbers that JSON cannot represent, by %s',
  (base, client) => {
    test.each([Number.NaN, Infinity, -Infinity])('%d is preserved as a fill value', async (fillValue) => {
      const options = { shape: [2], dtype: 'float32', fillValue, ifExists: 'REPLACE' } as const;
      const array = await client.store('notes').createArray(`${base}/fill`, options);
      expect([...(await array.slice())]).toEqual([fillValue, fillValue]);
    });

    test('arrays in variables of custom documents preserve every bit', async () => {
      const options = { shape: [2], dtype: 'float64', ifExists: 'REPLACE' } as const;
      const array = await client.store('notes').createArray(`${base}/exact`, options);
      const write = `mutation ($values: NDArray!) {
        writeSlice(input: { store: "notes", path: "${base}/exact", values: $values }) { chunksWritten }
      }`;
      const data = Float64Array.of(-0, Number.NaN);
      for (const values of [data, ndarray(data, [2])]) {
        await array.write(undefined, 1);
        await client.request(write, { values });
        expect([...(await array.slice())]).toEqual([-0, Number.NaN]);
      }
    });
  },
);
