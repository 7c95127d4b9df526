/** Direct reads return the same values as the pipeline. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  parseSelection,
  type Block,
  type CodecPool,
  type Selection,
  type ZarrArray,
} from '../../../server/zarr/index.js';
import type { JsonObject } from '../../../server/core/bytes/json.js';
import type { DimSelection } from '../../../server/format/selection/selection.js';
import {
  counted,
  createRandom,
  filesAt,
  hierarchiesOf,
  isBuilt,
  startPool,
  temporaryFolder,
} from './threads.js';

const little = { name: 'bytes', configuration: { endian: 'little' } };
const shape = [37, 29, 22];

interface Case {
  readonly name: string;
  readonly dtype: string;
  readonly codecs: readonly JsonObject[];
  readonly shards?: readonly number[];
  readonly fill?: number;
}

const cases: readonly Case[] = [
  { name: 'raw', dtype: 'uint16', codecs: [little] },
  { name: 'raw bytes', dtype: 'int8', codecs: [{ name: 'bytes' }], fill: 7 },
  { name: 'big-endian', dtype: 'float64', codecs: [{ name: 'bytes', configuration: { endian: 'big' } }] },
  { name: 'zstd', dtype: 'int32', codecs: [little, zstd(false)], fill: -3 },
  { name: 'zstd with checksum', dtype: 'float32', codecs: [little, zstd(true)] },
  { name: 'gzip', dtype: 'uint16', codecs: [little, { name: 'gzip', configuration: { level: 1 } }] },
  { name: 'blosc', dtype: 'float64', codecs: [little, blosc('lz4')] },
  { name: 'blosc zstd', dtype: 'int64', codecs: [little, blosc('zstd')] },
  { name: 'transposed', dtype: 'uint16', codecs: [transpose([2, 0, 1]), little, zstd(false)] },
  { name: 'checked', dtype: 'uint8', codecs: [{ name: 'bytes' }, { name: 'crc32c' }] },
  { name: 'sharded', dtype: 'uint16', codecs: [little, zstd(false)], shards: [16, 24, 16] },
  { name: 'sharded raw', dtype: 'float32', codecs: [little], shards: [16, 12, 16], fill: 2 },
  { name: 'booleans', dtype: 'bool', codecs: [{ name: 'bytes' }, zstd(false)] },
  { name: 'complex', dtype: 'complex128', codecs: [little, blosc('lz4')] },
];

function zstd(checksum: boolean): JsonObject {
  return { name: 'zstd', configuration: { level: 1, checksum } };
}
function blosc(cname: string): JsonObject {
  const configuration = { cname, clevel: 5, shuffle: 'shuffle', typesize: 8, blocksize: 0 };
  return { name: 'blosc', configuration };
}
function transpose(order: readonly number[]): JsonObject {
  return { name: 'transpose', configuration: { order } };
}

/** One dimension of a selection: an index, a slice with a step of either sign, or a list. */
function randomDim(size: number, random: (below: number) => number): DimSelection {
  const kind = random(10);
  if (kind === 0) return { kind: 'index', index: random(size) };
  if (kind < 3) return { kind: 'slice' };
  if (kind === 3)
    return { kind: 'indices', indices: Array.from({ length: 1 + random(6) }, () => random(size)) };
  const [a, b] = [random(size), random(size)];
  const [start, stop] = [Math.min(a, b), Math.max(a, b) + 1];
  if (kind < 7) return { kind: 'slice', start, stop };
  const step = 1 + random(size);
  return kind === 7
    ? { kind: 'slice', start: stop, stop: start, step: -step }
    : { kind: 'slice', start, stop, step };
}

describe.skipIf(!isBuilt)('reads by threads', () => {
  const root = temporaryFolder();
  let pool: CodecPool;
  beforeAll(async () => {
    pool = await startPool();
  });
  afterAll(() => pool.close());

  test.each(cases)(
    '$name: random selections have the values of the pipeline',
    async ({ name, dtype, codecs, shards, fill }) => {
      const store = filesAt(join(root, name));
      const { pool: spied, taskCount } = counted(pool);
      const { inline, serial, threads, both, kept } = hierarchiesOf(store, spied);
      const array = await inline.createArray('/', {
        shape,
        dtype,
        chunkShape: [8, 12, 8],
        ...(shards === undefined ? {} : { shardShape: shards }),
        ...(fill === undefined ? {} : { fillValue: fill }),
        codecs: [...codecs],
      });
      const random = createRandom(name.length * 7919);
      const { itemSize } = array.meta.dtype;
      // The rest is not written, so that chunks, shards and inner chunks are absent.
      const written = array.select(parseSelection('0:30, 5:29, :'));
      const bytes = Uint8Array.from({ length: 30 * 24 * 22 * (itemSize ?? 1) }, () =>
        dtype === 'bool' ? random(2) : random(7) === 0 ? random(256) : 5,
      );
      await written.write({ dtype: array.meta.dtype, shape: written.shape, bytes });
      const opened = await Promise.all([inline, serial, threads, both, kept].map((each) => each.array('/')));
      for (let round = 0; round < 30; round++) {
        const selection = { kind: 'dims', dims: shape.map((size) => randomDim(size, random)) } as const;
        const [expected, ...blocks] = await Promise.all(opened.map((each) => each.select(selection).read()));
        for (const block of blocks) expectSame(block, expected, selection);
        await readsInto(opened, selection, random);
      }
      expect(taskCount()).toBeGreaterThan(30);
    },
  );
});

function expectSame(block: Block, expected: Block | undefined, selection: Selection): void {
  const isSame =
    expected !== undefined &&
    'bytes' in block &&
    'bytes' in expected &&
    block.shape.join() === expected.shape.join() &&
    Buffer.compare(block.bytes, expected.bytes) === 0;
  expect(isSame, JSON.stringify(selection)).toBe(true);
}

/** Reads into memory of the caller, ordinary or shared, at addresses that may be unaligned. */
async function readsInto(
  [inline, ...others]: readonly ZarrArray[],
  selection: Selection,
  random: (below: number) => number,
): Promise<void> {
  if (inline === undefined) return;
  const expected = await inline.select(selection).read();
  if (!('bytes' in expected)) throw new Error('expected values of fixed size');
  for (const other of others) {
    const { length } = expected.bytes;
    const buffer = random(2) === 0 ? new SharedArrayBuffer(length + 3) : new ArrayBuffer(length + 3);
    const out = new Uint8Array(buffer, random(4), length).fill(random(256));
    const block = await other.select(selection).read({ out });
    expect('bytes' in block && block.bytes).toBe(out);
    expect(Buffer.compare(out, expected.bytes), JSON.stringify(selection)).toBe(0);
  }
}
