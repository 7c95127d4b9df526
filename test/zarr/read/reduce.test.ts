/** Reductions beside a naive model: read everything, then look at every element. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Block,
  createChunkCache,
  createMemoryStore,
  elementAt,
  type HierarchyOptions,
  type KeyStore,
  openHierarchy,
  type Selection,
} from '../../../server/zarr/index.js';
import { ConflictError } from '../../../server/zarr/errors.js';
import { wrapStore } from '../../../server/zarr/store/wrap.js';

function isMissing(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((part) => Number.isNaN(part));
  return value === null || Number.isNaN(value) || value === -(2n ** 63n);
}

function naiveCount(block: Block): number {
  let found = 0;
  const size = block.shape.reduce((product, length) => product * length, 1);
  for (let i = 0; i < size; i++) if (!isMissing(elementAt(block, i))) found++;
  return found;
}

/** A type, how a value is made of a number (null: missing), and fill values of both kinds. */
const types = {
  float16: { of: (n: number | null) => n ?? NaN, fills: ['NaN', 0] },
  float32: { of: (n: number | null) => n ?? NaN, fills: ['NaN', 1] },
  float64: { of: (n: number | null) => n ?? NaN, fills: ['NaN', 0] },
  complex64: {
    of: (n: number | null) => [0, n ?? NaN],
    fills: [
      ['NaN', 0],
      [1, 2],
    ],
  },
  int16: { of: (n: number | null) => n ?? 0, fills: [0, 7] },
  '<M8[s]': { of: (n: number | null) => (n === null ? 'NaT' : '1970-01-02'), fills: ['NaT', '1970-01-02'] },
  string: { of: (n: number | null) => `${n}`, fills: ['', 'x'] },
} as const;
type Name = keyof typeof types;
const names = Object.keys(types) as Name[];

interface Dim {
  readonly size: number;
  readonly chunk: number;
  readonly perShard: number;
}
const dim: fc.Arbitrary<Dim> = fc.record({
  size: fc.integer({ min: 0, max: 9 }),
  chunk: fc.integer({ min: 1, max: 4 }),
  perShard: fc.integer({ min: 1, max: 3 }),
});

function selectionOf(dims: readonly Dim[]): fc.Arbitrary<Selection> {
  const sizes = dims.map(({ size }) => size);
  const all = fc.constant<Selection>({ kind: 'all' });
  if (sizes.includes(0) || sizes.length === 0) return all;
  const position = (size: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: size - 1 });
  const perDim = fc.tuple(
    ...sizes.map((size) =>
      fc.oneof(
        fc.record({ kind: fc.constant('index' as const), index: position(size) }),
        fc.record({
          kind: fc.constant('slice' as const),
          step: fc.integer({ min: -3, max: 3 }).map((step) => (step === 0 ? 1 : step)),
        }),
        fc.tuple(position(size), position(size)).map(([a, b]) => ({
          kind: 'slice' as const,
          start: Math.min(a, b),
          stop: Math.max(a, b) + 1,
        })),
        fc.record({
          kind: fc.constant('indices' as const),
          indices: fc.array(position(size), { maxLength: 6 }),
        }),
      ),
    ),
  );
  return fc.oneof(
    all,
    perDim.map((given): Selection => ({ kind: 'dims', dims: given })),
    fc
      .array(fc.tuple(...sizes.map(position)), { maxLength: 12 })
      .map((points): Selection => ({ kind: 'points', points })),
  );
}

const scenario = fc
  .tuple(fc.array(dim, { maxLength: 3 }), fc.constantFrom(...names), fc.boolean(), fc.boolean())
  .chain(([dims, name, isSharded, isTransposed]) =>
    fc.record({
      dims: fc.constant(dims),
      name: fc.constant(name),
      // Text is not transposed: the order of its elements is that of their frames.
      isTransposed: fc.constant(isTransposed && dims.length > 0),
      isSharded: fc.constant(isSharded && dims.length > 0),
      fill: fc.constantFrom(...types[name].fills),
      selection: selectionOf(dims),
      /** Values of the array in C order, where they are written; undefined: this element stays as it is. */
      seed: fc.integer({ min: 0, max: 2 ** 30 }),
    }),
  );

async function build(
  { dims, name, fill, isSharded, isTransposed, seed }: Omit<ScenarioValue, 'selection'>,
  options: HierarchyOptions = {},
  wrap: (store: KeyStore) => KeyStore = (store) => store,
) {
  const store = createMemoryStore({ label: 'm' });
  const bytes = { name: name === 'string' ? 'vlen-utf8' : 'bytes', configuration: {} };
  const order = dims.map((_, d) => dims.length - 1 - d);
  const codecs = [
    ...(isTransposed ? [{ name: 'transpose', configuration: { order } }] : []),
    name === 'string' ? bytes : { name: 'bytes', configuration: { endian: 'little' } },
    { name: 'zstd', configuration: { level: 1, checksum: false } },
  ];
  const array = await openHierarchy(store).createArray('/', {
    shape: dims.map(({ size }) => size),
    dtype: name,
    chunkShape: dims.map(({ chunk }) => chunk),
    ...(isSharded ? { shardShape: dims.map(({ chunk, perShard }) => chunk * perShard) } : {}),
    fillValue: fill,
    codecs,
  });
  let state = seed;
  const random = (): number => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
  // Some rows of the first dimension are written; chunks without one of them are not stored.
  const rows = dims[0]?.size ?? 1;
  for (let row = 0; row < rows; row++) {
    if (random() < 0.5) continue;
    const slice = array.select(
      dims.length === 0 ? { kind: 'all' } : { kind: 'dims', dims: [{ kind: 'index', index: row }] },
    );
    const count = slice.shape.reduce((product, length) => product * length, 1);
    if (count === 0) continue;
    const flat = Array.from({ length: count }, () =>
      types[name].of(random() < 0.3 ? null : Math.round(random() * 9)),
    );
    await slice.write(nested(flat, slice.shape));
  }
  return openHierarchy(wrap(store), options).array('/');
}
type ScenarioValue = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

function nested(flat: readonly unknown[], shape: readonly number[]): unknown {
  const [length, ...inner] = shape;
  if (length === undefined) return flat[0];
  const step = inner.reduce((product, size) => product * size, 1);
  return Array.from({ length }, (_, i) => nested(flat.slice(i * step, (i + 1) * step), inner));
}

/** Answers, and then says that an object was replaced meanwhile. */
function withConflicts(store: KeyStore): KeyStore {
  let calls = 0;
  return wrapStore(store, {
    getMany: async (requests, each, options) => {
      await store.getMany(requests, each, options);
      const isOfChunks = requests.some(({ key }) => key.startsWith('c'));
      // Twice: a batch that conflicts three times fails.
      if (isOfChunks && [1, 4].includes(++calls)) throw new ConflictError('the object changed');
    },
  });
}

describe('count', () => {
  test('is what a look at every element gives', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ selection, ...given }) => {
        const slice = (await build(given)).select(selection);
        expect(await slice.reduce({ name: 'count' })).toBe(naiveCount(await slice.read()));
      }),
      { numRuns: 150 },
    );
  });

  test('is the same with a cache, and when batches are read again', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ selection, ...given }) => {
        const expected = naiveCount(await (await build(given)).select(selection).read());
        const options = { chunkCache: createChunkCache(2 ** 20) };
        const array = await build(given, options, withConflicts);
        const slice = array.select(selection);
        expect(await slice.reduce({ name: 'count' })).toBe(expected);
        expect(await slice.reduce({ name: 'count' })).toBe(expected);
      }),
      { numRuns: 60 },
    );
  });

  test('looks at a field of a struct', async () => {
    const array = await openHierarchy(createMemoryStore({ label: 'm' })).createArray(
      '/',
      {
        shape: [7],
        chunkShape: [2],
        dtype: '[["a","<i4"],["b","<f8",[2]]]',
        fillValue: 'AAAAAAAAAAAAAPh/AAAAAAAAAAA=',
      },
      { zarrFormat: 2 },
    );
    await array
      .select({ kind: 'dims', dims: [{ kind: 'slice', start: 2, stop: 4 }] })
      .field('b')
      .write([
        [1, NaN],
        [2, 3],
      ]);
    const slice = array.select({ kind: 'all' });
    expect(await slice.reduce({ name: 'count' })).toBe(7);
    expect(await slice.field('a').reduce({ name: 'count' })).toBe(7);
    expect(await slice.field('b').reduce({ name: 'count' })).toBe(naiveCount(await slice.field('b').read()));
    expect(await slice.field('b').reduce({ name: 'count' })).toBe(5 + 3);
  });

  test('needs no memory for the values, and none for chunks that are not stored', async () => {
    const array = await openHierarchy(createMemoryStore({ label: 'm' })).createArray('/', {
      shape: [4096, 2 ** 20, 4],
      chunkShape: [16, 2 ** 20, 4],
      dtype: 'float64',
      fillValue: 1,
    });
    const limits = { maxChunks: 1000, maxDecodedBytes: 2 ** 40, maxOutputBytes: 1 };
    const slice = array.select({ kind: 'all' });
    expect(await slice.reduce({ name: 'count' }, { limits })).toBe(4096 * 2 ** 22);
  });

  test('of an unknown name is an input error', async () => {
    const array = await openHierarchy(createMemoryStore({ label: 'm' })).createArray('/', {
      shape: [1],
      dtype: 'int8',
    });
    const reducer = JSON.parse('{"name":"toString"}');
    await expect(array.select({ kind: 'all' }).reduce(reducer)).rejects.toMatchObject({ code: 'BAD_INPUT' });
  });
});
