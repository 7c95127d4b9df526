/** Arbitrary arrays for tests of reductions: data types, chunks, shards, missing values, selections. */
import fc from 'fast-check';
import {
  createMemoryStore,
  type HierarchyOptions,
  type KeyStore,
  openHierarchy,
  type Selection,
} from '../../../server/zarr/index.js';

/** A type, the conversion of a number to a value (null if missing), and fill values of both kinds. */
export const types = {
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
  bool: { of: (n: number | null) => (n ?? 0) > 4, fills: [false, true] },
  uint8: { of: (n: number | null) => 240 + (n ?? 0), fills: [0, 7] },
  uint32: { of: (n: number | null) => 2 ** 32 - 1 - (n ?? 0), fills: [0, 7] },
  int64: {
    of: (n: number | null) => `${BigInt(n ?? -3) * (2n ** 53n + 1n)}`,
    fills: ['0', '-9007199254740993'],
  },
  uint64: { of: (n: number | null) => `${2n ** 57n + BigInt(n ?? 0)}`, fills: ['0', '9007199254740993'] },
  '<m8[s]': { of: (n: number | null) => (n === null ? null : n - 4), fills: ['NaT', 3] },
  int16: { of: (n: number | null) => n ?? 0, fills: [0, 7] },
  '<M8[s]': { of: (n: number | null) => (n === null ? 'NaT' : '1970-01-02'), fills: ['NaT', '1970-01-02'] },
  string: { of: (n: number | null) => `${n}`, fills: ['', 'x'] },
} as const;
export type Name = keyof typeof types;
const names = Object.keys(types) as Name[];

export interface Dim {
  readonly size: number;
  readonly chunk: number;
  readonly perShard: number;
}
const dim: fc.Arbitrary<Dim> = fc.record({
  size: fc.integer({ min: 0, max: 9 }),
  chunk: fc.integer({ min: 1, max: 4 }),
  perShard: fc.integer({ min: 1, max: 3 }),
});

export function selectionOf(dims: readonly Dim[]): fc.Arbitrary<Selection> {
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

export const scenario = fc
  .tuple(fc.array(dim, { maxLength: 3 }), fc.constantFrom(...names), fc.boolean(), fc.boolean())
  .chain(([dims, name, isSharded, isTransposed]) =>
    fc.record({
      dims: fc.constant(dims),
      name: fc.constant(name),
      // Text is not transposed, because its elements are stored in the order of their frames.
      isTransposed: fc.constant(isTransposed && dims.length > 0),
      isSharded: fc.constant(isSharded && dims.length > 0),
      fill: fc.constantFrom(...types[name].fills),
      selection: selectionOf(dims),
      /** Values to write to the array in C order; undefined leaves the element unwritten. */
      seed: fc.integer({ min: 0, max: 2 ** 30 }),
    }),
  );

export async function build(
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
