/**
 * Chunks with a checksum, corrupted at every byte: no wrong value is returned. If the checksum covers the
 * stored bytes, every corruption is an error. If it covers decompressed bytes, corruption that does not
 * change them (such as a time stamp) may be undetected.
 */
import { describe, expect, test } from 'vitest';
import { isZarrError, openHierarchy } from '../../server/zarr/index.js';
import { toLayout, type Case } from '../conformance/expected-layout.js';
import { arrayCases, isDocument, memoryStoreOf, objectsOf } from './stores.js';

interface Guarded {
  readonly title: string;
  readonly pick: (c: Case) => boolean;
  /** Codecs whose checksum covers the decompressed bytes. */
  readonly isInner?: boolean;
  readonly codes: readonly string[];
}

const has =
  (...features: string[]) =>
  (c: Case): boolean =>
    features.every((feature) => c.features.includes(feature));
const both = ['CHECKSUM_MISMATCH', 'CODEC_ERROR', 'LIMIT_EXCEEDED'];
const sum = ['CHECKSUM_MISMATCH'];

const guarded: readonly Guarded[] = [
  { title: 'crc32c', pick: (c) => /crc32c/.test(c.id) && c.features.includes('crc32c'), codes: sum },
  { title: 'crc32', pick: has('crc32'), codes: sum },
  { title: 'adler32', pick: has('adler32'), codes: sum },
  { title: 'fletcher32', pick: has('fletcher32'), codes: sum },
  { title: 'jenkins_lookup3', pick: has('jenkins_lookup3'), codes: sum },
  { title: 'zstd with a checksum', pick: has('zstd-checksum'), isInner: true, codes: both },
  { title: 'gzip', pick: (c) => has('gzip')(c) && !c.features.includes('sharding'), isInner: true, codes: both },
  { title: 'zlib', pick: (c) => has('zlib')(c) && !c.features.includes('blosc') && c.format > 1, isInner: true, codes: both },
]; // prettier-ignore

const masks = [0x01, 0xff];
const all = { kind: 'all' } as const;

interface Outcome {
  readonly key: string;
  readonly at: number;
  readonly mask: number;
  /** An error's code, "right", or "WRONG VALUES". */
  readonly outcome: string;
}

/** Every chunk of a case, at every byte between two bounds. */
async function damageEverywhere(c: Case, range: (length: number) => [number, number]): Promise<Outcome[]> {
  const objects = objectsOf(c);
  const store = await memoryStoreOf(objects);
  const array = await openHierarchy(store).array(c.node);
  const whole = toLayout(await array.select(all).read(), c.layout);
  const found: Outcome[] = [];
  for (const [key, bytes] of objects) {
    if (isDocument(key)) continue;
    const [from, to] = range(bytes.length);
    for (let at = from; at < to; at++)
      for (const mask of masks) {
        const damaged = bytes.slice();
        damaged[at] = (damaged[at] ?? 0) ^ mask;
        await store.set(key, damaged);
        const outcome = await array.select(all).read().then(
          (block) => (toLayout(block, c.layout).equals(whole) ? 'right' : 'WRONG VALUES'),
          (error: unknown) => (isZarrError(error) ? error.code : String(error)),
        ); // prettier-ignore
        found.push({ key, at, mask, outcome });
      }
    await store.set(key, bytes);
  }
  return found;
}

describe.each(guarded)('$title', ({ pick, isInner = false, codes }) => {
  // Order F is combined with a compressor after the checksum.
  const cases = arrayCases.filter((c) => pick(c) && !c.id.endsWith('-F'));
  test('has cases', () => expect(cases.length).toBeGreaterThan(0));

  test.each(cases.slice(0, isInner ? 2 : 3).map((c) => [c.id, c] as const))('%s', async (_, c) => {
    const outcomes = await damageEverywhere(c, (length) => [0, length]);
    expect(outcomes.length).toBeGreaterThan(20);
    const unnoticed = outcomes.filter(({ outcome }) => outcome === 'right').length;
    expect(unnoticed / outcomes.length).toBeLessThan(isInner ? 0.1 : Number.MIN_VALUE);
    expect(outcomes.filter(({ outcome }) => ![...codes, 'right'].includes(outcome))).toEqual([]);
  });
});

describe('index of a shard', () => {
  const shards = arrayCases.filter(
    (c) => has('sharding')(c) && /^zp3-(int16|shard-start|float64-shard|shard-edge|shard-sparse)/.test(c.id),
  );
  test('has cases, with the index at both ends', () => {
    expect(shards.some((c) => c.features.includes('index-start'))).toBe(true);
    expect(shards.length).toBeGreaterThan(3);
  });

  test.each(shards.map((c) => [c.id, c] as const))('%s', async (_, c) => {
    const spec = (await openHierarchy(await memoryStoreOf(objectsOf(c))).array(c.node)).layout?.levels[0]
      ?.spec;
    if (spec === undefined) throw new Error('no shards');
    const outcomes = await damageEverywhere(c, (length) =>
      spec.indexLocation === 'start' ? [0, spec.indexBytes] : [length - spec.indexBytes, length],
    );
    expect(outcomes.length).toBeGreaterThan(20);
    expect(outcomes.filter(({ outcome }) => outcome !== 'CHECKSUM_MISMATCH')).toEqual([]);
  });
});
