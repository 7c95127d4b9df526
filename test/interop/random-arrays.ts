/** Random requests that create arrays, and random selections with their positions. */
import type { CreateArrayRequest, DimSelection, JsonObject, JsonValue } from '../../server/zarr/index.js';
import type { Random } from './random.js';
import type { RandomType } from './random-types.js';

export function randomShape(random: Random): number[] {
  const rank = random.choose([0, 1, 1, 2, 2, 2, 3, 3, 4]);
  const longest = [1, 60, 14, 8, 5][rank] ?? 5;
  return Array.from({ length: rank }, () => (random.chance(0.02) ? 0 : random.int(1, longest)));
}

export function randomRequest(
  format: 1 | 2 | 3,
  type: RandomType,
  shape: readonly number[],
  fillValue: JsonValue | undefined,
  random: Random,
): CreateArrayRequest {
  const chunkShape = shape.map((length) =>
    random.int(Math.max(1, Math.floor(length / 4)), Math.max(1, length) + 1),
  );
  const common = { shape, dtype: type.dtype, chunkShape, ...(fillValue === undefined ? {} : { fillValue }) };
  const attributes: JsonObject = { n: random.int(0, 99), text: 'é\u6f22', list: [1, 2.5, null] };
  const size = type.itemSize ?? 1;
  if (format === 1)
    return {
      ...common,
      attributes,
      order: random.choose(['C', 'F']),
      codecs: { compressor: classicCompressor(random, 1) },
    };
  if (format === 2)
    return {
      ...common,
      attributes,
      // Readers differ in the layout of variable-length values in order F.
      order: type.itemSize === undefined ? 'C' : random.choose(['C', 'F']),
      separator: random.choose(['.', '/']),
      codecs: { compressor: classicCompressor(random, 2), filters: classicFilters(random, type) },
    };
  const codecs: JsonValue[] = [];
  if (shape.length > 1 && random.chance(0.3))
    codecs.push({ name: 'transpose', configuration: { order: random.shuffled(shape.map((_, d) => d)) } });
  if (type.itemSize === undefined) codecs.push({ name: 'vlen-utf8' });
  else if (type.swaps)
    codecs.push({ name: 'bytes', configuration: { endian: random.choose(['little', 'big']) } });
  else codecs.push({ name: 'bytes' });
  codecs.push(...compressorsV3(random, size));
  const sharded = shape.length > 0 && random.chance(0.4);
  return {
    ...common,
    attributes,
    separator: random.choose(['/', '.']),
    dimensionNames: shape.map((_, d) => (random.chance(0.2) ? null : `d${d}`)),
    codecs,
    ...(sharded ? { shardShape: chunkShape.map((length) => length * random.int(1, 3)) } : {}),
  };
}

const cnames = ['blosclz', 'lz4', 'lz4hc', 'zlib', 'zstd'];

function classicCompressor(random: Random, format: 1 | 2): JsonValue {
  const blosc = {
    id: 'blosc',
    cname: random.choose(cnames),
    clevel: random.int(0, 9),
    shuffle: random.int(0, 2),
  };
  const both = [null, { id: 'zlib', level: random.int(0, 9) }, { id: 'bz2', level: 1 }, blosc];
  if (format === 1) return random.choose(both);
  return random.choose([
    ...both,
    { id: 'gzip', level: 1 },
    { id: 'zstd', level: random.int(1, 9) },
    { id: 'lz4', acceleration: 1 },
  ]);
}

function classicFilters(random: Random, type: RandomType): JsonValue {
  if (type.itemSize === undefined) return null;
  const filters: JsonValue[] = [];
  if (type.isInteger && random.chance(0.3) && typeof type.dtype === 'string')
    filters.push({ id: 'delta', dtype: type.dtype });
  if (random.chance(0.2)) filters.push({ id: 'shuffle', elementsize: type.itemSize });
  if (random.chance(0.2)) filters.push({ id: random.choose(['crc32', 'adler32', 'fletcher32']) });
  return filters.length === 0 ? null : filters;
}

function compressorsV3(random: Random, size: number): JsonValue[] {
  const named = (name: string, configuration: JsonObject): JsonValue => ({ name, configuration });
  const one = random.choose<JsonValue[]>([
    [],
    [named('gzip', { level: random.int(0, 9) })],
    [named('zstd', { level: random.int(1, 9), checksum: random.chance(0.5) })],
    [named('blosc', { cname: random.choose(cnames), clevel: random.int(0, 9), shuffle: random.choose(['noshuffle', 'shuffle', 'bitshuffle']), typesize: size, blocksize: 0 })],
    [named('numcodecs.zlib', { level: 1 })],
    [named('numcodecs.lz4', { acceleration: 1 })],
    [named('numcodecs.bz2', { level: 1 })],
  ]); // prettier-ignore
  return random.chance(0.25) ? [...one, { name: 'crc32c' }] : one;
}

/** A selection along one dimension, and its positions. */
export function randomDim(length: number, random: Random): { by: DimSelection; at: number[] } {
  const all = Array.from({ length }, (_, i) => i);
  if (length === 0 || random.chance(0.3)) return { by: { kind: 'slice' }, at: all };
  if (random.chance(0.2)) {
    // An index can be repeated; the last value is kept.
    const indices = Array.from({ length: random.int(1, length) }, () => random.int(0, length - 1));
    return { by: { kind: 'indices', indices }, at: indices };
  }
  if (random.chance(0.15)) {
    const mask = all.map(() => random.chance(0.5));
    return { by: { kind: 'mask', mask }, at: all.filter((i) => mask[i]) };
  }
  const step = random.choose([1, 1, 2, 3, -1, -2]);
  const [low, high] = [random.int(0, length - 1), random.int(0, length)].toSorted((a, b) => a - b);
  if (low === undefined || high === undefined || high === low) return { by: { kind: 'slice' }, at: all };
  const inside = all.slice(low, high);
  if (step > 0)
    return {
      by: { kind: 'slice', start: low, stop: high, step },
      at: inside.filter((_, i) => i % step === 0),
    };
  const stop = low === 0 ? {} : { stop: low - 1 };
  return {
    by: { kind: 'slice', start: high - 1, step, ...stop },
    at: inside.toReversed().filter((_, i) => i % -step === 0),
  };
}

/** Every combination of positions in C order, as flat indices of an array of that shape. */
export function offsetsOf(at: readonly (readonly number[])[], shape: readonly number[]): number[] {
  return at.reduce<number[]>(
    (offsets, positions, d) =>
      offsets.flatMap((offset) => positions.map((i) => offset * (shape[d] ?? 1) + i)),
    [0],
  );
}
