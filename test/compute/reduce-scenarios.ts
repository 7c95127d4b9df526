/** Arbitrary arrays for tests of reductions: data types, chunks, shards, missing values, selections. */
import fc from 'fast-check';
import {
  createMemoryStore,
  type HierarchyOptions,
  type KeyStore,
  openHierarchy,
  type Selection,
  type Block,
  elementAt,
  type ReduceRequest,
} from '../../server/zarr/index.js';

/**
 * For each data type, the conversion of a number to a value (null if missing), and two fill values: missing if
 * possible, and ordinary.
 */
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
    perDim.map((dims): Selection => ({ kind: 'dims', dims })),
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
      isTransposed: fc.constant(isTransposed && dims.length > 0),
      isSharded: fc.constant(isSharded && dims.length > 0),
      fill: fc.constantFrom(...types[name].fills),
      selection: selectionOf(dims),
      /** Determines the values, and the rows that are written. */
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
  // About half of the rows are written. Chunks without a written row are not stored.
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

// Naive reductions: compute each result from the list of its values, and sums of integers exactly.

const nat = -(2n ** 63n);

function isMissing(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((part) => Number.isNaN(part));
  return value === null || Number.isNaN(value) || value === nat;
}

/** The values of each result, in C order of the result; each list in C order of the input. */
function groups(block: Block, over: readonly number[]): unknown[][] {
  const kept = block.shape.flatMap((size, d) => (over.includes(d) ? [] : [{ size, d }]));
  const results: unknown[][] = Array.from(
    { length: kept.reduce((product, { size }) => product * size, 1) },
    () => [],
  );
  const size = block.shape.reduce((product, length) => product * length, 1);
  for (let i = 0; i < size; i++) {
    let rest = i;
    const index = block.shape.map(() => 0);
    for (let d = block.shape.length - 1; d >= 0; d--) {
      const length = block.shape[d] ?? 1;
      index[d] = rest % length;
      rest = Math.floor(rest / length);
    }
    const slot = kept.reduce((at, dim) => at * dim.size + (index[dim.d] ?? 0), 0);
    results[slot]?.push(elementAt(block, i));
  }
  return results;
}

/** @returns one value per result (for QUANTILE a list); numbers exact or in float64, null if missing */
export function modelOf(block: Block, over: readonly number[], request: ReduceRequest): unknown[] {
  return groups(block, over).map((values) => resultOf(values, request));
}

function resultOf(
  all: readonly unknown[],
  { by, q, skipMissing = true, ddof = 0, minCount = 0 }: ReduceRequest,
): unknown {
  const present = all.filter((value) => !isMissing(value));
  if (by === 'COUNT') return BigInt(present.length);
  if (by === 'ANY') return all.some((value) => Number(value) !== 0);
  if (by === 'ALL') return all.every((value) => Number(value) !== 0);
  if (by === 'ARGMIN' || by === 'ARGMAX') return argOf(all, present, by === 'ARGMIN', skipMissing);
  if (present.length < minCount) return null;
  if (by === 'FIRST' || by === 'LAST') {
    const list = skipMissing ? present : all;
    const value = by === 'FIRST' ? list[0] : list.at(-1);
    return present.length === 0 || isMissing(value) ? null : value;
  }
  if (!skipMissing && present.length < all.length) return null;
  if (by === 'SUM') return sumOf(present);
  if (present.length === 0) return null;
  switch (by) {
    case 'MEAN':
      return meanOf(present);
    case 'MIN':
      return sorted(present)[0];
    case 'MAX':
      return sorted(present).at(-1);
    case 'MODE':
      return mostFrequent(sorted(present));
    case 'MEDIAN':
      return quantileOf(sorted(present).map(Number), 0.5);
    case 'QUANTILE':
      return q?.map((quantile) => quantileOf(sorted(present).map(Number), quantile));
    default: {
      const mean = Number(meanOf(present.map(Number)));
      const squares = present.reduce((sum: number, value) => sum + (Number(value) - mean) ** 2, 0);
      if (present.length <= ddof) return null;
      const variance = squares / (present.length - ddof);
      return by === 'VAR' ? variance : Math.sqrt(variance);
    }
  }
}

function mostFrequent(order: readonly unknown[]): unknown {
  const counts = new Map<unknown, number>();
  for (const value of order) counts.set(value, (counts.get(value) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return order.find((value) => counts.get(value) === most);
}

function quantileOf(order: readonly number[], q: number): number {
  const rank = (order.length - 1) * q;
  const [low = NaN, high = low] = order.slice(Math.floor(rank), Math.floor(rank) + 2);
  return low + (high - low) * (rank - Math.floor(rank));
}

function argOf(
  all: readonly unknown[],
  present: readonly unknown[],
  isMin: boolean,
  skipMissing: boolean,
): bigint {
  if (present.length === 0) return -1n;
  if (!skipMissing && present.length < all.length) return BigInt(all.findIndex(isMissing));
  const order = sorted(present);
  return BigInt(all.indexOf(isMin ? order[0] : order.at(-1)));
}

function sorted(values: readonly unknown[]): unknown[] {
  const isLess = (a: unknown, b: unknown): boolean =>
    (typeof a === 'bigint' && typeof b === 'bigint') || (typeof a === 'string' && typeof b === 'string')
      ? a < b
      : Number(a) < Number(b);
  return [...values].sort((a, b) => (isLess(a, b) ? -1 : isLess(b, a) ? 1 : 0));
}

function sumOf(values: readonly unknown[]): unknown {
  if (values.some(Array.isArray))
    return [0, 1].map((part) =>
      values.reduce((sum: number, value) => sum + (Array.isArray(value) ? Number(value[part]) : 0), 0),
    );
  const isWhole = values.every((value) => typeof value !== 'number' || Number.isInteger(value));
  return isWhole
    ? values.reduce(
        (sum: bigint, value) => sum + BigInt(typeof value === 'bigint' ? value : Number(value)),
        0n,
      )
    : values.reduce((sum: number, value) => sum + Number(value), 0);
}

function meanOf(values: readonly unknown[]): unknown {
  const sum = sumOf(values);
  if (Array.isArray(sum)) return sum.map((part) => Number(part) / values.length);
  return Number(sum) / values.length;
}
