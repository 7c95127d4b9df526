/** Mutations that write values, in every accepted form. */
import { describe, expect, test } from 'vitest';
import { MemoryBudget } from '../../server/memory/budget.js';
import type { Gateway } from '../../server/index.js';
import { createMemoryStore, type KeyStore, StoreUnavailableError } from '../../server/zarr/index.js';
import { execute } from './gateway-client.js';
import { array, codeOf, gatewayOf, run, valuesOf } from './mutating.js';

describe('writeSlice', () => {
  const write = (more: string): string =>
    `writeSlice(input: { store: "m", path: "a", ${more} }) { chunksWritten chunksDeleted bytesWritten array { slice { values } } }`;

  async function plane(): Promise<Gateway> {
    const gateway = gatewayOf();
    await run(
      gateway,
      array('a', 'shape: [2, 4], dtype: "int32", chunkShape: [1, 2], dimensionNames: ["y", "x"]'),
    );
    return gateway;
  }

  test('writes to every form of selection, and broadcasts', async () => {
    const gateway = await plane();
    const steps: [more: string, after: number[][]][] = [
      [
        'values: 9',
        [
          [9, 9, 9, 9],
          [9, 9, 9, 9],
        ],
      ],
      [
        'select: { text: "0" }, values: [1, 2, 3, 4]',
        [
          [1, 2, 3, 4],
          [9, 9, 9, 9],
        ],
      ],
      [
        'select: { text: ":, ::-2" }, values: [[5], [6]]',
        [
          [1, 5, 3, 5],
          [9, 6, 9, 6],
        ],
      ],
      [
        'select: { named: [{ dim: "x", by: { indices: [0, 2, 0] } }] }, values: [7, 8, 0]',
        [
          [0, 5, 8, 5],
          [0, 6, 8, 6],
        ],
      ],
      [
        'select: { points: [[0, 0], [1, 3]] }, values: [-1, -2]',
        [
          [-1, 5, 8, 5],
          [0, 6, 8, -2],
        ],
      ],
      [
        'select: { dims: [{ index: 1 }, { mask: [true, false, false, true] }] }, values: 3',
        [
          [-1, 5, 8, 5],
          [3, 6, 8, 3],
        ],
      ],
      [
        'select: { text: "0:0" }, values: []',
        [
          [-1, 5, 8, 5],
          [3, 6, 8, 3],
        ],
      ],
    ];
    for (const [more, after] of steps) {
      const { made, failures } = await run(gateway, write(more));
      expect(failures, more).toEqual([]);
      expect(made.array.slice.values, more).toEqual(after);
    }
  });

  test('reports the chunks that it wrote and deleted; chunks with only the fill value are stored only on request', async () => {
    const gateway = await plane();
    expect((await run(gateway, write('values: 1'))).made).toMatchObject({
      chunksWritten: 4,
      chunksDeleted: 0,
    });
    expect((await run(gateway, write('select: { text: "0" }, values: 0'))).made).toMatchObject({
      chunksWritten: 0,
      chunksDeleted: 2,
      bytesWritten: 0,
    });
    const { made } = await run(gateway, write('select: { text: "0" }, values: 0, writeEmptyChunks: true'));
    expect(made).toMatchObject({ chunksWritten: 2, chunksDeleted: 0 });
    expect(made.bytesWritten).toBeGreaterThan(0);
  });

  test.each([
    ['values: [1, 2, 3]', 'BAD_INPUT'],
    ['values: [[1, 2, 3, 4], [1, 2, 3]]', 'BAD_INPUT'],
    ['values: 1.5', 'BAD_INPUT'],
    ['values: 3000000000', 'BAD_INPUT'],
    ['values: "x"', 'BAD_INPUT'],
    ['values: {a: 1}', 'BAD_INPUT'],
    ['values: [null, null, null, null]', 'BAD_INPUT'],
    ['select: { text: "5" }, values: 1', 'BAD_SELECTION'],
    ['select: { text: "0" }, values: 1, ifVersion: "other"', 'CONFLICT'],
    ['values: {dtype: "<i4", shape: [1], data: "AQAAAA"}', 'BAD_INPUT'],
    ['values: {dtype: "<i4", shape: [2], data: "AQAAAA=="}', 'BAD_INPUT'],
    ['values: {dtype: ">i4", shape: [1], data: "AQAAAA=="}', 'BAD_INPUT'],
    ['values: {dtype: "|O", shape: [1], data: "AQAAAA=="}', 'BAD_INPUT'],
    ['values: {dtype: "[[broken", shape: [1], data: "AQAAAA=="}', 'BAD_INPUT'],
    ['values: {dtype: "float", shape: [1], data: "AQAAAA=="}', 'BAD_INPUT'],
    ['values: {dtype: "<i4", shape: [-1], data: ""}', 'BAD_INPUT'],
    ['values: {dtype: "<i4", shape: [100000000000], data: "", compression: "GZIP"}', 'LIMIT_EXCEEDED'],
    ['values: {dtype: "<i4", shape: [1], data: "AQAAAA==", compression: "GZIP"}', 'BAD_INPUT'],
    ['values: {dtype: "<i4", shape: [1], data: "AQAAAA==", compression: "ZIP"}', 'BAD_INPUT'],
    ['values: {shape: [1], dtype: {name: "string", itemSize: null}, items: [1]}', 'BAD_INPUT'],
  ])('%s is %s without writing anything', async (more, code) => {
    const gateway = await plane();
    expect(await codeOf(gateway, write(more))).toBe(code);
    expect(await valuesOf(gateway, 'a')).toEqual([
      [0, 0, 0, 0],
      [0, 0, 0, 0],
    ]);
  });

  test('a write with the current version of the array succeeds', async () => {
    const gateway = await plane();
    const version = (await execute(gateway, '{ store(name: "m") { array(path: "a") { version } } }')).data
      .store.array.version;
    expect((await run(gateway, write(`values: 1, ifVersion: ${JSON.stringify(version)}`))).failures).toEqual(
      [],
    );
    await run(gateway, 'setAttributes(input: { store: "m", path: "a", set: { a: 1 } }) { node { path } }');
    expect(await codeOf(gateway, write(`values: 2, ifVersion: ${JSON.stringify(version)}`))).toBe('CONFLICT');
  });

  test('objects of any form are values if the data type is object', async () => {
    const gateway = gatewayOf();
    const make = {
      store: 'm',
      path: 'o',
      zarrFormat: 2,
      shape: [],
      dtype: '|O',
      codecs: { filters: [{ id: 'json2' }] },
      fillValue: 0,
    };
    expect(
      (
        await run(
          gateway,
          'createArray(input: $input) { array { path } }',
          { input: make },
          '($input: CreateArrayInput!)',
        )
      ).failures,
    ).toEqual([]);
    for (const values of [
      { dtype: '<i4', shape: [1], data: 'AQAAAA==' },
      { shape: [], dtype: { name: 'json', itemSize: null }, items: [5] },
      { shape: [1], data: [1] },
      [[1], 2],
    ]) {
      await run(
        gateway,
        'writeSlice(input: $input) { chunksWritten }',
        { input: { store: 'm', path: 'o', values } },
        '($input: WriteSliceInput!)',
      );
      expect(await valuesOf(gateway, 'o')).toEqual(values);
    }
  });

  test.each([
    ['an error of the store', () => new StoreUnavailableError('the disk is full'), 'STORE_UNAVAILABLE'],
    ['an unexpected error', () => new Error('disk full in /secret'), 'INTERNAL'],
  ])('a write that is interrupted by %s keeps the chunks that it has written', async (_, failure, code) => {
    const store = createMemoryStore({ label: 'm' });
    let left = 3;
    const failing: KeyStore = {
      ...store,
      set: (key, ...rest) =>
        key.includes('/c/') && left-- <= 0 ? Promise.reject(failure()) : store.set(key, ...rest),
    };
    const gateway = gatewayOf(failing);
    await run(gateway, array('a', 'shape: [40], dtype: "int32", chunkShape: [1]'));
    const { errors } = await run(
      gateway,
      'writeSlice(input: { store: "m", path: "a", values: 1 }) { chunksWritten }',
    );
    expect(errors[0]?.message).not.toContain('secret');
    expect(errors[0]?.extensions['code']).toBe(code);
    if (code !== 'INTERNAL')
      expect(errors[0]?.extensions).toMatchObject({
        store: 'm',
        path: '/a',
        key: expect.stringMatching(/^a\/c\/\d+$/),
        written: { chunksWritten: 3, chunksDeleted: 0, bytesWritten: expect.any(Number) },
      });
    const values = (await valuesOf(gateway, 'a')) as number[];
    expect(values.filter((value) => value === 1)).toHaveLength(3);
  });

  test('reserves the contents of a broadcast text for each element', async () => {
    const maxBytes = 64 * 2 ** 20;
    const memory = new MemoryBudget({ maxBytes, maxRequestBytes: maxBytes / 4, waitMs: 60_000 });
    const gateway = gatewayOf(undefined, { memory });
    await run(gateway, array('a', 'shape: [40], dtype: "string"'));
    const broadcast = (length: number): string =>
      `writeSlice(input: { store: "m", path: "a", values: "${'x'.repeat(length)}" }) { chunksWritten }`;
    expect((await run(gateway, broadcast(1000))).made).toEqual({ chunksWritten: 1 });
    // 40 x 250 kB, decoded and encoded, exceed the 16 MiB that a request may use.
    expect(await codeOf(gateway, broadcast(250_000))).toBe('LIMIT_EXCEEDED');
  });
});
