/** Arbitrary arrays for property tests: creation requests, and values of their data types. */
import { toTypedArray } from '../../../server/core/dtype/arrays.js';
import fc from 'fast-check';
import {
  isFixedSize,
  type Block,
  type CreateArrayRequest,
  type DataType,
  type JsonValue,
  type Selection,
  type DimSelection,
  type ZarrFormat,
} from '../../../server/zarr/index.js';
import { blockOfValues } from '../../../server/core/dtype/block-of-values.js';
import type { ChunkLengths } from '../../../server/format/metadata/create-request.js';
import { parseRequestedType } from '../../../server/format/metadata/requested-type.js';
import { product, type NaiveElement } from './naive-array.js';

export interface CreatedCase {
  readonly format: ZarrFormat;
  readonly request: CreateArrayRequest;
}

/**
 * The requested data type, a fill value, and values to draw from (few, so that some chunks contain a single
 * value).
 */
interface TypeCase {
  readonly dtype: JsonValue;
  readonly fill: readonly JsonValue[];
  readonly values: readonly unknown[];
  readonly formats: readonly ZarrFormat[];
  readonly variable?: boolean;
}

const all = [1, 2, 3] as const;
const floats = [0, -0, 1.5, -2, NaN, Infinity, -Infinity];
const types: readonly TypeCase[] = [
  { dtype: '|b1', fill: [false, true], values: [true, false], formats: all },
  { dtype: '|i1', fill: [0, -7], values: [0, -7, 127, -128], formats: all },
  { dtype: '<i2', fill: [0, 5], values: [0, 5, -32768, 32767], formats: all },
  { dtype: '>i4', fill: [0, -1], values: [0, -1, 2 ** 31 - 1], formats: all },
  { dtype: '<u4', fill: [0, 9], values: [0, 9, 2 ** 32 - 1], formats: all },
  { dtype: '<i8', fill: [0, -3], values: [0n, -3, -(2n ** 63n), 2n ** 63n - 1n], formats: all },
  { dtype: '>u8', fill: [0], values: [0, 2n ** 64n - 1n, 77], formats: all },
  { dtype: '<f2', fill: [0, 'NaN'], values: floats, formats: all },
  { dtype: '<f4', fill: [0, 'NaN', 1.5], values: floats, formats: all },
  { dtype: '>f8', fill: [0, -0, 'Infinity'], values: floats, formats: all },
  { dtype: '<c8', fill: [[0, 0], ['NaN', 1.5]], values: floats.map((x) => [x, 1.5]), formats: all },
  { dtype: '<M8[s]', fill: ['NaT', 0], values: ['2001-02-03T04:05:06', 0, null], formats: all },
  { dtype: '<m8[10ms]', fill: ['NaT', 3], values: [3, -4, null], formats: all },
  { dtype: '|S3', fill: ['', 'YWI='], values: ['', 'ab', 'abc', Uint8Array.of(255, 0, 1)], formats: all },
  { dtype: '>U2', fill: ['', 'ö'], values: ['', 'ö', 'ab', '\u{1f600}x'], formats: all },
  { dtype: '|V2', fill: ['AAA='], values: ['AAA=', 'AQI='], formats: [2, 3] },
  {
    dtype: [['a', '<i2'], ['b', '>f8'], ['c', '|S2']],
    fill: ['AAAAAAAAAAAAAAAA'],
    values: [{ a: 0, b: 0, c: '' }, { a: -5, b: 2.5, c: 'xy' }, { a: 7, b: -0, c: '' }],
    formats: [1, 2],
  },
  {
    dtype: [['a', '<i4'], ['b', '<f4'], ['c', '|b1']],
    fill: [{ a: 0, b: 0, c: false }, { a: 1, b: 'NaN', c: true }],
    values: [{ a: 0, b: 0, c: false }, { a: 1, b: NaN, c: true }, { a: 7, b: -0, c: true }],
    formats: [3],
  },
  { dtype: 'string', fill: ['', 'none'], values: ['', 'none', 'ä', 'longer text'], formats: [2, 3], variable: true },
  { dtype: 'variable_length_bytes', fill: ['', 'AQI='], values: ['', 'AQI=', '////'], formats: [2, 3], variable: true },
]; // prettier-ignore

export interface ArrayCase extends CreatedCase {
  readonly dtype: DataType;
  readonly values: readonly unknown[];
  readonly fill: JsonValue;
}

const lengths = fc.noBias(
  fc.oneof(
    { weight: 19, arbitrary: fc.integer({ min: 1, max: 11 }) },
    { weight: 1, arbitrary: fc.constant(0) },
  ),
);

interface Choices {
  readonly format: ZarrFormat;
  readonly type: TypeCase;
  readonly fill: JsonValue;
  readonly shape: readonly number[];
  readonly inner: readonly number[];
  readonly middle: readonly number[];
  readonly outer: readonly number[];
  readonly layout: 'plain' | 'shards' | 'nested' | 'behind';
  readonly order: 'C' | 'F';
  readonly slash: boolean;
  readonly compressor: number;
  readonly indexAtStart: boolean;
  readonly transposes: boolean;
  /** Lengths of stored objects, as multiples of the smallest possible one; empty for a regular grid. */
  readonly varied: readonly number[];
}

const choices: fc.Arbitrary<Choices> = fc
  .tuple(
    fc.constantFrom<ZarrFormat>(1, 2, 3, 3, 3),
    fc.noBias(fc.constantFrom(0, 1, 1, 1, 2, 2, 2, 2, 3, 3)),
    fc.noBias(fc.nat()),
  )
  .chain(([format, rank, pick]) => {
    const fitting = types.filter((type) => type.formats.includes(format));
    const type = fitting[pick % fitting.length]!;
    const per = (arbitrary: fc.Arbitrary<number>) =>
      fc.array(arbitrary, { minLength: rank, maxLength: rank });
    return fc.record({
      format: fc.constant(format),
      type: fc.constant(type),
      fill: fc.constantFrom(...type.fill),
      shape: per(lengths),
      inner: per(fc.noBias(fc.integer({ min: 1, max: 3 }))),
      middle: per(fc.noBias(fc.integer({ min: 1, max: 3 }))),
      outer: per(fc.noBias(fc.integer({ min: 1, max: 2 }))),
      layout: fc.constantFrom('plain', 'shards', 'nested', 'behind'),
      order: fc.constantFrom('C', 'F'),
      slash: fc.boolean(),
      compressor: fc.nat(),
      indexAtStart: fc.boolean(),
      transposes: fc.boolean(),
      varied: fc.oneof(
        fc.constant([]),
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 }),
      ),
    });
  });

/** An array of any format, type and layout. */
export const arrayCases: fc.Arbitrary<ArrayCase> = choices.map((c) => ({
  format: c.format,
  request: requestOf(c),
  dtype: c.type.variable
    ? c.type.dtype === 'string' ? { name: 'string', itemSize: null } : { name: 'variable_length_bytes', itemSize: null }
    : parseRequestedType(c.type.dtype).dtype,
  values: c.type.values,
  fill: c.fill,
})); // prettier-ignore

function requestOf(c: Choices): CreateArrayRequest {
  const common = { shape: c.shape, dtype: c.type.dtype, fillValue: c.fill };
  if (c.format < 3) {
    const compressors: readonly JsonValue[] = [
      null, { id: 'zlib', level: 1 }, { id: 'blosc', cname: 'lz4', clevel: 1, shuffle: 1 }, ...(c.format === 2 ? [{ id: 'zstd', level: 1 }, { id: 'lz4' }] : []),
    ]; // prettier-ignore
    return {
      ...common,
      chunkShape: c.inner,
      order: c.order,
      codecs: { compressor: compressors[c.compressor % compressors.length]! },
      ...(c.format === 2 ? { separator: c.slash ? '/' : '.' } : {}),
    };
  }
  const times = (a: readonly number[], b: readonly number[]) => a.map((x, d) => x * b[d]!);
  const middle = times(c.inner, c.middle);
  const outer = c.layout === 'nested' ? times(middle, c.outer) : middle;
  const order = c.shape.map((_, d) => (d + 1) % c.shape.length);
  const transpose: JsonValue[] = c.transposes ? [{ name: 'transpose', configuration: { order } }] : [];
  const last = c.type.variable ? [{ name: c.type.dtype === 'string' ? 'vlen-utf8' : 'vlen-bytes' }] : [{ name: 'bytes', configuration: { endian: c.order === 'F' ? 'big' : 'little' } }]; // prettier-ignore
  const compressors: readonly JsonValue[][] = [
    [], [{ name: 'zstd', configuration: { level: 1, checksum: false } }], [{ name: 'gzip', configuration: { level: 1 } }], [{ name: 'crc32c' }],
  ]; // prettier-ignore
  const inner: JsonValue[] = [
    ...(c.layout === 'plain' ? transpose : []),
    ...last,
    ...compressors[c.compressor % compressors.length]!,
  ];
  const permuted = (shape: readonly number[]) => (c.transposes ? order.map((d) => shape[d]!) : [...shape]);
  const sharding = (chunkShape: readonly number[], codecs: readonly JsonValue[]): JsonValue => ({
    name: 'sharding_indexed',
    configuration: {
      chunk_shape: [...chunkShape],
      codecs,
      index_codecs: [
        { name: 'bytes', configuration: { endian: 'little' } },
        ...(c.slash ? [{ name: 'crc32c' }] : []),
      ],
      index_location: c.indexAtStart ? 'start' : 'end',
    },
  });
  const separator = c.slash ? '/' : '.';
  const objects = (regular: readonly number[], unit: readonly number[]) =>
    c.varied.length === 0 ? { chunkShape: regular } : { chunkLengths: c.shape.map((size, d) => variedLengths(size, unit[d]!, c.varied, d)) }; // prettier-ignore
  switch (c.layout) {
    case 'plain':
      return {
        ...common,
        ...objects(
          c.inner,
          c.inner.map(() => 1),
        ),
        codecs: inner,
        separator,
      };
    case 'shards':
      return {
        ...common,
        ...objects(middle, c.inner),
        codecs: [...transpose, sharding(permuted(c.inner), inner)],
        separator,
      };
    case 'nested':
      return {
        ...common,
        ...objects(outer, middle),
        codecs: [...transpose, sharding(permuted(middle), [sharding(permuted(c.inner), inner)])],
        separator,
      };
    case 'behind':
      return {
        ...common,
        ...objects(middle, c.inner),
        codecs: [sharding(c.inner, inner), { name: 'gzip', configuration: { level: 1 } }],
        separator,
      };
  }
}

/** Lengths that cover a dimension, some as runs. @param from where to begin in `multiples` */
function variedLengths(size: number, unit: number, multiples: readonly number[], from: number): ChunkLengths {
  const lengths: (number | [number, number])[] = [];
  for (let [end, i] = [0, from]; end < size || lengths.length === 0; i++) {
    const length = unit * multiples[i % multiples.length]!;
    lengths.push(i % 3 === 2 ? [length, 2] : length);
    end += length * (i % 3 === 2 ? 2 : 1);
  }
  return lengths;
}

/** A selection of any kind along a dimension of `size` elements. */
function dimSelections(size: number): fc.Arbitrary<DimSelection> {
  const bound = fc.option(fc.integer({ min: -size - 2, max: size + 2 }), { nil: undefined });
  const slice = fc
    .tuple(bound, bound, fc.constantFrom(1, 1, 2, 3, -1, -2))
    .map(([start, stop, step]): DimSelection => ({
      kind: 'slice',
      ...(start === undefined ? {} : { start }),
      ...(stop === undefined ? {} : { stop }),
      step,
    }));
  const mask = fc
    .array(fc.boolean(), { minLength: size, maxLength: size })
    .map((mask): DimSelection => ({ kind: 'mask', mask }));
  if (size === 0) return fc.oneof(slice, mask);
  const index = fc.integer({ min: -size, max: size - 1 });
  return fc.oneof(
    { weight: 3, arbitrary: slice },
    index.map((i): DimSelection => ({ kind: 'index', index: i })),
    fc.array(index, { maxLength: 8 }).map((indices): DimSelection => ({ kind: 'indices', indices })),
    mask,
    fc.constant<DimSelection>({ kind: 'chunk', chunk: 0 }),
  );
}

export function selections(shape: readonly number[]): fc.Arbitrary<Selection> {
  const box = fc.tuple(...shape.map(dimSelections)).map((dims): Selection => ({ kind: 'dims', dims }));
  if (shape.includes(0)) return box;
  const point = fc.tuple(...shape.map((size) => fc.integer({ min: -size, max: size - 1 })));
  const points = fc
    .array(point, { maxLength: 12 })
    .map((list): Selection => ({ kind: 'points', points: list }));
  return fc.oneof(
    { weight: 4, arbitrary: box },
    { weight: 1, arbitrary: points },
    { weight: 1, arbitrary: fc.constant<Selection>({ kind: 'all' }) },
  );
}

/** A block of values from a short list. @param picks indices of the values, repeated as needed */
export function blockFrom(
  dtype: DataType,
  values: readonly unknown[],
  picks: readonly number[],
  shape: readonly number[],
): Block {
  const data = Array.from(
    { length: product(shape) },
    (_, i) => values[picks[i % picks.length]! % values.length],
  );
  return blockOfValues({ shape, data }, dtype, shape.length);
}

export function elementsOf(block: Block): NaiveElement[] {
  if ('items' in block)
    return Array.from(toTypedArray(block), (item) => (item instanceof Uint8Array ? hex(item) : item));
  const size = isFixedSize(block.dtype) ? block.dtype.itemSize : 0;
  return Array.from({ length: product(block.shape) }, (_, i) =>
    hex(block.bytes.subarray(i * size, (i + 1) * size)),
  );
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
