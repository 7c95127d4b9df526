/** Folds of the same part of an array that begin in one turn of the event loop read its chunks once. */
import { beforeAll, expect, test } from 'vitest';
import {
  type ArraySlice,
  type Block,
  createMemoryStore,
  defaultLimits,
  openHierarchy,
  parseSelection,
  type ReduceRequest,
  reduceSlice,
  type SliceReadOptions,
} from '../../server/zarr/index.js';

const shape = [64, 128, 256];
const chunks = 8;
let decoded = 0;
let array: { select(selection?: ReturnType<typeof parseSelection>): ArraySlice };

beforeAll(async () => {
  const store = createMemoryStore({ label: 'm' });
  const codecs = [
    { name: 'bytes', configuration: { endian: 'little' } },
    { name: 'gzip', configuration: { level: 1 } },
  ];
  const created = await openHierarchy(store).createArray('/', {
    shape,
    dtype: 'float32',
    chunkShape: [64, 128, 32],
    fillValue: 2,
    codecs,
  });
  const data = Float32Array.from({ length: 64 * 128 * 224 }, (_, i) => (i % 7 === 0 ? NaN : i % 1000));
  // The last of the chunks is absent.
  await created.select(parseSelection(':, :, :224')).write({ shape: [64, 128, 224], data });
  const metrics = { chunksDecoded: (count: number) => void (decoded += count) };
  array = await openHierarchy(store, { decoding: { pool: null }, metrics }).array('/');
});

const requests: readonly ReduceRequest[] = [
  { by: 'MEAN', over: ['0'] },
  { by: 'MAX', over: ['1', '2'] },
  { by: 'STD', over: ['0'] },
  { by: 'COUNT', over: ['0', '1', '2'] },
  { by: 'ARGMIN', over: ['2'] },
];

async function together(
  slices: readonly ArraySlice[],
  options: readonly SliceReadOptions[] = [],
): Promise<{ readonly results: readonly PromiseSettledResult<Block>[]; readonly decoded: number }> {
  const before = decoded;
  const results = await Promise.allSettled(
    slices.map((slice, k) =>
      reduceSlice(slice, requests[k % requests.length] ?? { by: 'MEAN' }).read(options[k]),
    ),
  );
  return { results, decoded: decoded - before };
}

const valueOf = (result: PromiseSettledResult<Block> | undefined): Block | undefined =>
  result?.status === 'fulfilled' ? result.value : undefined;

test('different reductions decode each chunk once, and have the results of each alone', async () => {
  const expected: Block[] = [];
  for (const request of requests) expected.push(await reduceSlice(array.select(), request).read());
  const all = await together(requests.map(() => array.select()));
  expect(all.decoded).toBe(chunks - 1);
  expect(all.results.map(valueOf)).toEqual(expected);
});

test('at most eight are joined; other parts, options and turns are not', async () => {
  expect((await together(Array.from({ length: 9 }, () => array.select()))).decoded).toBe(2 * (chunks - 1));
  const part = array.select(parseSelection('2:'));
  expect((await together([array.select(), part, part])).decoded).toBe(2 * (chunks - 1));
  const limits = { ...defaultLimits };
  expect((await together([part, part], [{}, { limits }])).decoded).toBe(2 * (chunks - 1));
  const before = decoded;
  const first = reduceSlice(part, { by: 'MEAN' }).read();
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  await Promise.all([first, reduceSlice(part, { by: 'MEAN' }).read()]);
  expect(decoded - before).toBe(2 * (chunks - 1));
});

test('an abort or an error ends only its own reduction', async () => {
  const expected = await reduceSlice(array.select(), { by: 'STD', over: ['0'] }).read();
  const abort = new AbortController();
  const { results } = await together(
    [array.select(), array.select(), array.select()],
    [{ signal: abort.signal, onVersion: () => abort.abort() }, { signal: AbortSignal.abort() }, {}],
  );
  expect(results[0]).toMatchObject({ reason: { code: 'ABORTED' } });
  expect(results[1]).toMatchObject({ reason: { code: 'ABORTED' } });
  expect(valueOf(results[2])).toEqual(expected);
  const refuse = (): never => {
    throw new Error('refused');
  };
  const failing = await together(
    [array.select(), array.select(), array.select()],
    [{ onVersion: refuse }, {}, {}],
  );
  expect(failing.results[0]).toMatchObject({ status: 'rejected' });
  expect(valueOf(failing.results[2])).toEqual(expected);
});

test('all know the versions of the objects that they share', async () => {
  const seen = requests.map(() => new Map<string, string | undefined>());
  const options = seen.map((known) => ({ onVersion: ({ key }: { readonly key: string }, version: string | undefined) => void known.set(key, version) })); // prettier-ignore
  await together(requests.map(() => array.select()), options); // prettier-ignore
  expect(seen[0]?.size).toBe(chunks);
  for (const known of seen) expect(known).toEqual(seen[0]);
});
