/** Shard indexes are charged before they are read, limited in memory, and read in part if they have no checksum. */
import { describe, expect, test } from 'vitest';
import { createMemoryStore, openHierarchy } from '../../../server/zarr/index.js';
import { encoder, sharded, counted } from './counted-shards.js';

const kib = 2 ** 10;

const mib = 2 ** 20;

const limits = {
  maxOutputBytes: 64 * mib,
  maxDecodedBytes: 1024 * mib,
  maxChunks: 100_000,
  maxReducedBytes: 2 ** 40,
  maxWork: 1e15,
};

const little = { name: 'bytes', configuration: { endian: 'little' } };

/** A shard in which only element `i` is stored, with the value 7. */
function shardOf(count: number, i: number, location: 'start' | 'end'): Uint8Array {
  const bytes = new Uint8Array(count * 16 + 1);
  const indexAt = location === 'start' ? 0 : 1;
  const at = location === 'start' ? count * 16 : 0;
  bytes.fill(255, indexAt, indexAt + count * 16);
  bytes[at] = 7;
  const view = new DataView(bytes.buffer, indexAt);
  view.setBigUint64(i * 16, BigInt(at), true);
  view.setBigUint64(i * 16 + 8, 1n, true);
  return bytes;
}

const onePerShard = (shards: number, shard: number) =>
  ({ kind: 'dims', dims: [{ kind: 'slice', start: 0, stop: shards * shard, step: shard }] }) as const;

describe('indexes', () => {
  const inner = 4 * mib;

  test('are part of the cost, and are rejected before anything is read', async () => {
    const base = createMemoryStore({ label: 'm' });
    await base.set('zarr.json', sharded(100 * inner, inner, [little, { name: 'crc32c' }]));
    const { store, seen } = counted(base);
    const array = await openHierarchy(store, { limits }).array('/');
    const slice = array.select(onePerShard(100, inner));
    expect(slice.cost()).toMatchObject({
      chunks: 100,
      indexBytes: 100 * (16 * inner + 4),
      decodedBytes: 100 + 100 * (16 * inner + 4),
    });
    await expect(slice.read()).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(seen.reads).toBe(0);
  });

  test('of points are counted once per shard', async () => {
    const base = createMemoryStore({ label: 'm' });
    await base.set('zarr.json', sharded(8192, 4096, [little]));
    const array = await openHierarchy(base).array('/');
    const cost = array.select({ kind: 'points', points: [[1], [2], [5000], [5001], [5002]] }).cost();
    expect(cost).toMatchObject({ chunks: 5, indexBytes: 2 * 4096 * 16 });
  });

  test('of nested shards are counted at every level', async () => {
    const base = createMemoryStore({ label: 'm' });
    const hierarchy = openHierarchy(base);
    const innermost = {
      name: 'sharding_indexed',
      configuration: { chunk_shape: [1], codecs: ['bytes'], index_codecs: [little] },
    };
    const array = await hierarchy.createArray('/', {
      shape: [64],
      dtype: 'uint8',
      chunkShape: [4],
      shardShape: [16],
      codecs: [innermost],
    });
    // Outer indexes contain 4 entries and a checksum; inner indexes contain 4 entries.
    const cost = array.select(onePerShard(4, 16)).cost();
    expect(cost.indexBytes).toBe(4 * (4 * 16 + 4) + 4 * 4 * 16);
  });

  test('of completely decoded shards count towards the cost', async () => {
    const base = createMemoryStore({ label: 'm' });
    const document: unknown = JSON.parse(new TextDecoder().decode(sharded(64, 16, [little])));
    const codecs = Object(document).codecs;
    codecs.push({ name: 'gzip', configuration: { level: 1 } });
    await base.set('zarr.json', encoder.encode(JSON.stringify(document)));
    const array = await openHierarchy(base).array('/');
    expect(array.select(onePerShard(4, 16)).cost().indexBytes).toBe(4 * 16 * 16);
  });

  test('are charged to a write with the whole shard, before anything is written', async () => {
    const base = createMemoryStore({ label: 'm' });
    await base.set('zarr.json', sharded(40 * inner, inner, [little, { name: 'crc32c' }]));
    const { store, seen } = counted(base);
    const array = await openHierarchy(store, { limits }).array('/');
    const writing = array.select(onePerShard(40, inner)).write(1);
    await expect(writing).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(seen).toMatchObject({ reads: 0, writes: 0 });
  });

  test.each([
    ['an index above the bound', 2 ** 24, 1024 * mib],
    ['an index above the limit of decoded bytes', 2 ** 20, mib],
  ])('that no reader accepts cannot be created: %s', async (_, inner, maxDecodedBytes) => {
    const base = createMemoryStore({ label: 'm' });
    const hierarchy = openHierarchy(base, { limits: { ...limits, maxDecodedBytes } });
    const creating = hierarchy.createArray('/', {
      shape: [inner],
      dtype: 'uint8',
      chunkShape: [1],
      shardShape: [inner],
    });
    await expect(creating).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    for await (const { key } of base.walk('')) expect.unreachable(key);
  });

  test('with slow codecs are limited to a smaller size', async () => {
    const base = createMemoryStore({ label: 'm' });
    await base.set('zarr.json', sharded(mib, mib, [little, { name: 'numcodecs.fletcher32' }]));
    const { store, seen } = counted(base);
    const array = await openHierarchy(store).array('/');
    const reading = array.select({ kind: 'dims', dims: [{ kind: 'index', index: 3 }] }).read();
    await expect(reading).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(seen.reads).toBe(0);
  });

  test.each(['start', 'end'] as const)('without a checksum are read in part, at the %s', async (location) => {
    const count = 256 * kib;
    const base = createMemoryStore({ label: 'm' });
    await base.set('zarr.json', sharded(2 * count, count, [little], location));
    for (const shard of [0, 1]) await base.set(`c/${shard}`, shardOf(count, 200_001, location));
    const { store, seen } = counted(base);
    const array = await openHierarchy(store, { limits }).array('/');
    const stop = count + 200_003;
    const slice = array.select({
      kind: 'dims',
      dims: [{ kind: 'slice', start: 200_001, stop, step: count }],
    });
    expect(slice.cost().indexBytes).toBe(2 * 64 * kib);
    expect(await slice.read()).toMatchObject({ bytes: new Uint8Array([7, 7]) });
    expect(seen.bytes).toBeLessThan(200 * kib);
    const { requests } = slice.cost();
    expect(seen.reads).toBeLessThanOrEqual(requests);
    // An inner chunk that is not stored, and one whose entry is on another page of the index.
    const pair = { kind: 'indices', indices: [0, 200_001] } as const;
    expect(await array.select({ kind: 'dims', dims: [pair] }).read()).toMatchObject({
      bytes: new Uint8Array([0, 7]),
    });
  });

  test('with a checksum are verified completely', async () => {
    const count = 256 * kib;
    const base = createMemoryStore({ label: 'm' });
    await base.set('zarr.json', sharded(count, count, [little, { name: 'crc32c' }]));
    const array = await openHierarchy(base, { limits }).array('/');
    await array.select({ kind: 'dims', dims: [{ kind: 'index', index: 7 }] }).write(3);
    const fresh = () => openHierarchy(base, { limits }).array('/');
    const all = await (await fresh()).select({ kind: 'dims', dims: [{ kind: 'slice', stop: 9 }] }).read();
    expect(all).toMatchObject({ bytes: new Uint8Array([0, 0, 0, 0, 0, 0, 0, 3, 0]) });
    let bytes = new Uint8Array();
    await base.getMany([{ key: 'c/0' }], (_, result) => {
      if (typeof result === 'object') bytes = result.bytes.slice();
    });
    bytes[bytes.length - 5] = 0;
    await base.set('c/0', bytes);
    const reading = (await fresh()).select({ kind: 'dims', dims: [{ kind: 'index', index: 7 }] }).read();
    await expect(reading).rejects.toMatchObject({ code: 'CHECKSUM_MISMATCH' });
  });

  test('in memory at once are bounded for the process', async () => {
    const count = 512 * kib;
    const base = createMemoryStore({ label: 'm' });
    await base.set('zarr.json', sharded(24 * count, count, [little, { name: 'crc32c' }]));
    const shard = shardOf(count, 0, 'end');
    const { crc32c } = await import('../../../server/format/codec/checksum/crc-node.js');
    const whole = new Uint8Array(shard.length + 4);
    whole.set(shard);
    new DataView(whole.buffer).setUint32(shard.length, crc32c(shard.subarray(1)), true);
    for (let i = 0; i < 24; i++) await base.set(`c/${i}`, whole);
    const { store, seen } = counted(base);
    const array = await openHierarchy(store, { limits }).array('/');
    const slice = array.select(onePerShard(24, count));
    const blocks = await Promise.all([slice.read(), slice.read()]);
    for (const block of blocks) expect(block).toMatchObject({ bytes: new Uint8Array(24).fill(7) });
    expect(seen.most).toBeLessThanOrEqual(65 * mib);
  });
});
