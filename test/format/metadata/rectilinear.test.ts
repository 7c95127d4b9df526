import { describe, expect, test } from 'vitest';
import { createDefaultRegistry } from '../../../server/format/codec/registry.js';
import { hasSameChunks, resizedDocuments } from '../../../server/format/metadata/changed-documents.js';
import { createArrayDocuments } from '../../../server/format/metadata/create.js';
import type { ArrayMeta } from '../../../server/format/metadata/model.js';
import { resolveNode } from '../../../server/format/metadata/resolve-node.js';
import { chunkStart, runsOf } from '../../../server/format/grid.js';
import { isZarrError, type JsonObject, type JsonValue } from '../../../server/zarr/index.js';

const registry = createDefaultRegistry();
const bytes: JsonValue = { name: 'bytes', configuration: { endian: 'little' } };

function documentOf(shape: readonly number[], chunkShapes: JsonValue, more: JsonObject = {}): JsonObject {
  return {
    zarr_format: 3,
    node_type: 'array',
    shape: [...shape],
    data_type: 'int16',
    chunk_grid: { name: 'rectilinear', configuration: { kind: 'inline', chunk_shapes: chunkShapes } },
    chunk_key_encoding: { name: 'default' },
    fill_value: 0,
    codecs: [bytes],
    ...more,
  };
}

function open(document: JsonObject): ArrayMeta {
  const meta = resolveNode({ zarrJson: document }, registry);
  if (meta?.kind !== 'array') throw new Error('no array');
  return meta;
}

const lengthsOf = ({ grid }: ArrayMeta): number[][] =>
  grid.dims.map((dim) => runsOf(dim).flatMap(({ length, count }) => new Array<number>(count).fill(length)));

const sharding = (inner: readonly number[]): JsonValue => ({
  name: 'sharding_indexed',
  configuration: { chunk_shape: [...inner], codecs: [bytes], index_codecs: [bytes], index_location: 'end' },
});

describe('the lengths of chunks', () => {
  test('are those of the example of the specification', () => {
    const meta = open(documentOf([6, 6, 6, 6, 6], [[[2, 3]], [[1, 6]], [1, [2, 1], 3], [[1, 3], 3], [6]]));
    expect(lengthsOf(meta)).toEqual([[2, 2, 2], [1, 1, 1, 1, 1, 1], [1, 2, 3], [1, 1, 1, 3], [6]]); // prettier-ignore
  });

  test('of one number repeat until they cover the array', () => {
    expect(lengthsOf(open(documentOf([10, 10], [3, [4, 6]])))).toEqual([[3, 3, 3, 3], [4, 6]]); // prettier-ignore
  });

  test('may be beyond the array', () => {
    expect(lengthsOf(open(documentOf([5, 0], [[4, 6, 8], [2, 3]])))).toEqual([[4, 6], []]); // prettier-ignore
  });

  const huge = 2 ** 53 - 1;
  test.each<[string, JsonValue]>([
    ['no list', 4],
    ['another number of dimensions', [[4, 6], [10]]],
    ['a dimension without chunks', [[]]],
    ['a chunk of length 0', [[4, 0, 6]]],
    ['a negative chunk', [[-4, 14]]],
    ['a fraction', [[4.5, 5.5]]],
    ['text', [['4', 6]]],
    ['a count of 0', [[[5, 0], 10]]],
    ['a count of 2^53', [[[5, 2 ** 53]]]],
    ['runs that sum to 2^53', [[[huge, 1], 1]]],
    ['a product of 2^106', [[[huge, huge]]]],
    ['a run of three numbers', [[[5, 1, 1], 5]]],
    ['a run within a run', [[[[5, 1], 2]]]],
    ['too few positions', [[4, 5]]],
    ['null', [null]],
  ])('are refused: %s', (_, chunkShapes) => {
    expect(() => open(documentOf([10], chunkShapes))).toSatisfy(
      failsWith('INVALID_METADATA', /chunk_shapes/),
    );
  });

  test('of another kind, or with unknown options, are refused', () => {
    const grid = (configuration: JsonObject) => documentOf([10], [], { chunk_grid: { name: 'rectilinear', configuration } }); // prettier-ignore
    expect(() => open(grid({ kind: 'reference', chunk_shapes: [[10]] }))).toSatisfy(failsWith('UNSUPPORTED', /kind/)); // prettier-ignore
    expect(() => open(grid({ chunk_shapes: [[10]] }))).toSatisfy(failsWith('UNSUPPORTED', /kind/));
    expect(() => open(grid({ kind: 'inline', chunk_shapes: [[10]], offset: 1 }))).toSatisfy(failsWith('UNSUPPORTED', /offset/)); // prettier-ignore
  });

  test('are bounded in number', () => {
    const lengths = new Array<number>(40_000).fill(1);
    expect(() => open(documentOf([40_000], [lengths]))).toSatisfy(failsWith('LIMIT_EXCEEDED', /values/));
  });

  test('of 2^52 chunks take no memory', () => {
    const meta = open(documentOf([2 ** 52 + 1], [[[1, 2 ** 51], 2, [1, 2 ** 51]]]));
    expect(meta.grid.dims[0]?.chunks).toBe(2 ** 52);
    expect(chunkStart(meta.grid.dims[0]!, 2 ** 51 + 1)).toBe(2 ** 51 + 2);
  });

  test('must be multiples of the inner chunks of shards', () => {
    const codecs = [sharding([2, 5])];
    expect(lengthsOf(open(documentOf([12, 10], [[4, 8], [10]], { codecs })))).toEqual([[4, 8], [10]]); // prettier-ignore
    expect(() => open(documentOf([13, 10], [[4, 3, 6], [10]], { codecs }))).toSatisfy(
      failsWith('INVALID_METADATA', /chunk_shapes\[0\] has the length 3/),
    );
    const transposed = [{ name: 'transpose', configuration: { order: [1, 0] } }, sharding([5, 2])];
    expect(() => open(documentOf([13, 10], [[4, 3, 6], [10]], { codecs: transposed }))).toSatisfy(
      failsWith('INVALID_METADATA', /chunk_shapes\[0\] has the length 3/),
    );
  });
});

function failsWith(code: string, message: RegExp) {
  return (run: () => unknown): boolean => {
    try {
      run();
    } catch (error) {
      return isZarrError(error) && error.code === code && message.test(error.message);
    }
    return false;
  };
}

describe('an array with another shape', () => {
  const resized = (chunkShapes: JsonValue, from: number[], to: number[], more?: JsonObject): JsonValue => {
    const document = resizedDocuments(open(documentOf(from, chunkShapes, more)), to)['zarr.json'];
    const { grid, chunkGrid } = { grid: open(document as JsonObject), chunkGrid: (document as JsonObject)['chunk_grid'] };
    expect(grid.shape).toEqual(to);
    return ((chunkGrid as JsonObject)['configuration'] as JsonObject)['chunk_shapes']!;
  }; // prettier-ignore

  test('has one more chunk if its chunks are too short', () => {
    expect(resized([[4, 6], 3], [10, 10], [17, 40])).toEqual([[4, 6, 7], 3]);
    expect(resized([[4, [6, 2]]], [16], [22])).toEqual([[4, [6, 3]]]);
    expect(resized([[4, 6]], [10], [16])).toEqual([[4, [6, 2]]]);
  });

  test('keeps its chunks if they are enough', () => {
    expect(resized([[4, 6, 8]], [18], [3])).toEqual([[4, 6, 8]]);
    expect(resized([[4, 6, 8]], [3], [17])).toEqual([[4, 6, 8]]);
  });

  test('has shards of whole inner chunks', () => {
    expect(resized([[4, 8], [10]], [12, 10], [15, 10], { codecs: [sharding([2, 5])] })).toEqual([[4, 8, 4], [10]]); // prettier-ignore
  });

  test('has the same chunks as before, as far as both have any', () => {
    const meta = open(documentOf([10], [[4, [3, 2]]]));
    const same = (chunkShapes: JsonValue, shape = 10): boolean =>
      hasSameChunks(meta, { 'zarr.json': documentOf([shape], chunkShapes) });
    for (const shapes of [[[4, 3, 3]], [[4, 3, 3, 7]], [[4, [3, 9]]], [[4, 3]]])
      expect(same(shapes), JSON.stringify(shapes)).toBe(true);
    for (const shapes of [[[4, 6]], [[3, 4, 3]], [10], [[4, 3, 4]], [[[4, 2], 3]]])
      expect(same(shapes), JSON.stringify(shapes)).toBe(false);
    expect(hasSameChunks(meta, { 'zarr.json': documentOf([10], [[4, 3, 3]], { data_type: 'int32' }) })).toBe(false); // prettier-ignore
  });
});

describe('a new array', () => {
  const request = { shape: [10, 6], dtype: 'int16' };

  test('has the requested lengths', () => {
    const { documents, meta } = createArrayDocuments(
      { ...request, chunkLengths: [[4, [3, 2]], 5] },
      3,
      registry,
    );
    expect(documents['zarr.json']).toMatchObject({
      chunk_grid: { name: 'rectilinear', configuration: { kind: 'inline', chunk_shapes: [[4, [3, 2]], 5] } },
    });
    expect(lengthsOf(meta)).toEqual([[4, 3, 3], [5, 5]]); // prettier-ignore
  });

  test.each([
    ['lengths that are too short', { chunkLengths: [[4, 3], 5] }, 3],
    ['another number of dimensions', { chunkLengths: [[4, 6]] }, 3],
    ['a chunk shape too', { chunkLengths: [[4, 6], 6], chunkShape: [4, 6] }, 3],
    ['shards too', { chunkLengths: [[4, 6], 6], shardShape: [4, 6] }, 3],
    ['format 2', { chunkLengths: [[4, 6], 6] }, 2],
  ] as const)('is refused with %s', (_, options, format) => {
    expect(() => createArrayDocuments({ ...request, ...options }, format, registry)).toSatisfy(
      failsWith('BAD_INPUT', /./),
    );
  });
});
