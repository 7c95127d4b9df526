import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toNested, toTypedArray } from '../../../server/zarr/index.js';
import { copyOf, createCounted, run, testStores } from '../memory-stores.js';

const lengths = (rank: number, max: number) =>
  fc.array(fc.integer({ min: 1, max }), { minLength: rank, maxLength: rank });

describe('an array', () => {
  test('has the same values with any chunks, shards and format', async () => {
    const cases = fc.integer({ min: 0, max: 3 }).chain((rank) =>
      fc.record({
        shape: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: rank, maxLength: rank }),
        from: lengths(rank, 5),
        chunks: lengths(rank, 4),
        perShard: fc.option(lengths(rank, 3), { nil: undefined }),
        formatFrom: fc.constantFrom(2 as const, 3 as const),
        format: fc.constantFrom(2, 3),
        dtype: fc.constantFrom('int16', 'float32', 'uint8', 'int64'),
      }),
    );
    await fc.assert(
      fc.asyncProperty(cases, async ({ shape, from, chunks, perShard, formatFrom, format, dtype }) => {
        const { stores, source, destination } = testStores();
        await createCounted(
          source,
          '/x',
          { shape, chunkShape: from, dtype, attributes: { units: 'm' } },
          formatFrom,
        );
        const shards =
          format === 3 && perShard !== undefined
            ? chunks.map((length, d) => length * (perShard[d] ?? 1))
            : undefined;
        const outcome = await run(
          stores,
          copyOf('/x', { chunks, format, ...(shards === undefined ? {} : { shards }) }),
        );
        const copy = await destination.array('/x');
        expect(outcome.done).toBe(outcome.tasks);
        expect(copy.meta.zarrFormat).toBe(format);
        expect(copy.chunkShape).toEqual(chunks);
        expect(copy.shardShape).toEqual(shards);
        expect(copy.meta.attributes).toEqual({ units: 'm' });
        const original = await source.array('/x');
        expect(toNested(await copy.select().read())).toEqual(toNested(await original.select().read()));
      }),
      { numRuns: 120 },
    );
  });

  test('keeps chunks, codecs, fill value and names in the same format', async () => {
    const { stores, source, destination } = testStores();
    const request = {
      shape: [10, 8],
      chunkShape: [2, 4],
      shardShape: [4, 8],
      dtype: 'float32',
      fillValue: 'NaN',
      codecs: [
        { name: 'bytes', configuration: { endian: 'big' } },
        { name: 'gzip', configuration: { level: 1 } },
      ],
      dimensionNames: ['y', 'x'],
    };
    const original = await createCounted(source, '/x', request);
    await run(stores, copyOf('/x'));
    const copy = await destination.array('/x');
    expect(copy.meta.documents).toEqual(original.meta.documents);
  });

  test('keeps what its fill value means to xarray: in format 3 an attribute, in format 2 none', async () => {
    const { stores, source, destination } = testStores();
    const request = { shape: [4], chunkShape: [2], dtype: '<i2', fillValue: -9, dimensionNames: ['x'] };
    await createCounted(source, '/two', request, 2);
    await run(stores, copyOf('/two', { format: 3 }));
    expect((await destination.array('/two')).meta).toMatchObject({
      fillJson: -9,
      attributes: { _FillValue: -9 },
    });
    const again = testStores();
    await createCounted(again.source, '/three', { ...request, dtype: 'int16' }, 3);
    await run(again.stores, copyOf('/three', { format: 2 }));
    expect((await again.destination.array('/three')).meta.fillJson).toBeNull();
  });

  test('may be a selection, an expression or decoded values', async () => {
    const { stores, source, destination } = testStores();
    const names = { dimensionNames: ['y', 'x'] };
    await source.createGroup('/', { zarrFormat: 3 });
    await createCounted(source, '/a', {
      shape: [4, 6],
      chunkShape: [2, 3],
      dtype: 'int16',
      ...names,
      attributes: { scale_factor: 0.5 },
    });
    await createCounted(source, '/b', { shape: [4, 6], chunkShape: [4, 6], dtype: 'float64', ...names });
    const job = (path: string, more: Record<string, unknown>, to: string) => ({
      kind: 'copy',
      source: { store: 'a', path, steps: [], ...more },
      destination: { store: 'b', path: to },
      options: {},
    });
    await destination.createGroup('/', { zarrFormat: 3 });
    const selection = {
      kind: 'dims',
      dims: [
        { kind: 'index', index: 1 },
        { kind: 'slice', start: 1, step: 2 },
      ],
    };
    await run(stores, job('/a', { steps: [{ select: selection }] }, '/cut'));
    expect(toNested(await (await destination.array('/cut')).select().read())).toEqual([8, 10, 12]);
    await run(stores, job('/a', { decode: { maskOutOfRange: false } }, '/decoded'));
    const decoded = await destination.array('/decoded');
    expect(decoded.meta.attributes).toEqual({});
    expect(decoded.chunkShape).toEqual([2, 3]);
    expect(
      toNested(await decoded.select({ kind: 'dims', dims: [{ kind: 'index', index: 0 }] }).read()),
    ).toEqual([0.5, 1, 1.5, 2, 2.5, 3]);
    await run(stores, job('/', { compute: 'a * 2 + b' }, '/sum'));
    expect(
      toNested(
        await (
          await destination.array('/sum')
        )
          .select({ kind: 'dims', dims: [{ kind: 'index', index: 0 }] })
          .read(),
      ),
    ).toEqual([2, 4, 6, 8, 10, 12]);
    await run(stores, {
      ...job('/b', { steps: [{ reduce: { by: 'MEAN', over: ['y'] } }] }, '/mean'),
      kind: 'reduce',
    });
    expect(toNested(await (await destination.array('/mean')).select().read())).toEqual([
      10, 11, 12, 13, 14, 15,
    ]);
  });
});

test('a group is copied with everything below it', async () => {
  const { stores, source, destination } = testStores();
  await source.createGroup('/', { zarrFormat: 2, attributes: { title: 'all' } });
  await source.createGroup('/g/h', { attributes: { deep: true } });
  await createCounted(
    source,
    '/g/h/x',
    { shape: [5], chunkShape: [2], dtype: '<i4', dimensionNames: ['t'] },
    2,
  );
  await createCounted(
    source,
    '/y',
    { shape: [2, 5], chunkShape: [1, 2], dtype: '<i4', dimensionNames: ['z', 't'] },
    2,
  );
  await source.consolidate('/');
  const outcome = await run(stores, copyOf('/', { format: 3, chunks: { t: 5 } }));
  expect(outcome).toMatchObject({ done: 2, tasks: 2, isChecked: true });
  const nodes: unknown[] = [];
  for await (const entry of destination.walk('/', { recursive: true })) {
    const node = entry.open();
    nodes.push([
      entry.path,
      node.meta.zarrFormat,
      node.kind === 'array' ? node.chunkShape : node.meta.attributes,
    ]);
  }
  expect(nodes).toEqual([
    ['/g', 3, {}],
    ['/g/h', 3, { deep: true }],
    ['/g/h/x', 3, [5]],
    ['/y', 3, [1, 5]],
  ]);
  const root = await destination.group('/');
  expect(root.meta.attributes).toEqual({ title: 'all' });
  expect(root.consolidated).toBe(true);
});

test('destinations that overlap their source are rejected', async () => {
  const { stores, source } = testStores();
  await createCounted(source, '/g/x', { shape: [5], chunkShape: [2], dtype: 'int8' });
  const job = (from: string, to: string) => ({ ...copyOf(from), destination: { store: 'a', path: to } });
  await expect(run(stores, job('/g/x', '/g/x'))).rejects.toThrow('the destination is the source');
  await expect(run(stores, job('/g', '/g/copy'))).rejects.toThrow('is inside the source');
  await expect(run(stores, job('/g/x', '/g'))).rejects.toThrow('contains the source');
  expect(await run(stores, job('/g/x', '/g/x2'))).toMatchObject({ done: 1 });
});

test('options that do not fit the array are rejected before anything is written', async () => {
  const { stores, source, destination } = testStores();
  await createCounted(source, '/x', { shape: [4, 4], chunkShape: [2, 2], dtype: 'int8' });
  for (const options of [
    { chunks: [2] },
    { chunks: [2, 2], shards: [3, 3] },
    { format: 2, shards: [4, 4] },
    { codecs: ['nonsense'] },
  ])
    await expect(run(stores, copyOf('/x', options)), JSON.stringify(options)).rejects.toMatchObject({
      code: 'BAD_INPUT',
    });
  expect(await destination.node('/x')).toBeUndefined();
  await expect(run(stores, copyOf('/missing'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('chunks that are not stored are not stored in the copy', async () => {
  const { stores, source, destination } = testStores();
  await source.createArray('/x', { shape: [100], chunkShape: [10], dtype: 'int8' });
  expect(await run(stores, copyOf('/x'))).toMatchObject({ counts: { chunksWritten: 0 } });
  expect((await (await destination.array('/x')).storage()).storedChunks).toBe(0);
});

test('an array whose chunks have different lengths is copied to regular chunks', async () => {
  const { stores, source, destination } = testStores();
  const data = Int16Array.from({ length: 90 }, (_, i) => i);
  const request = { shape: [30, 3], dtype: 'int16', chunkLengths: [[3, 10, [2, 4], 9], 2] } as const;
  await (await source.createArray('/x', request)).select().write({ shape: [30, 3], data });
  const { done, tasks } = await run(stores, copyOf('/x'));
  expect(done).toBe(tasks);
  const copy = await destination.array('/x');
  expect(copy.chunkShape).toEqual([10, 2]);
  expect(copy.chunkLengths(0)).toBeUndefined();
  expect([...toTypedArray(await copy.select().read())]).toEqual([...data]);
});
