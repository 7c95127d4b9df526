/**
 * Every codec with corrupted and random bytes: an engine error, or a result of exactly the requested size.
 * numcodecs has encoded most of the original bytes (test/fixtures/codec/numcodecs-cases.jsonl).
 */
import { describe, expect, test } from 'vitest';
import type { BoundCodec } from '../../server/format/codec/codec.js';
import { parseNumpyType } from '../../server/core/dtype/notation.js';
import { createDefaultRegistry, codecNames, isZarrError, openHierarchy } from '../../server/zarr/index.js';
import { toLayout, type Case } from '../conformance/expected-layout.js';
import type { Random } from '../interop/random.js';
import { bind, bindBytes, chunkRep, packed } from '../format/codec/chunk-rep.js';
import { base64Bytes, fixtureLines, overBytes, type NumcodecsConfig } from '../format/codec/fixture-lines.js';
import { attempt, fuzz, fuzzTimeout } from './budget.js';
import { mutate } from './mutate.js';
import { objectsOf, storedArrays } from '../conformance/matrix.js';
import { isDocument, memoryStoreOf } from './stores.js';

interface Sample {
  readonly name: string;
  readonly codec: BoundCodec;
  readonly encoded: Uint8Array;
  /** Bytes of the result; undefined for values of variable length. */
  readonly size: number | undefined;
}

interface NumcodecsCase {
  readonly codec: NumcodecsConfig;
  readonly dtype: string;
  readonly values: string;
  readonly encoded: string;
  readonly decoded: string | null;
}

const overBuffers = fixtureLines<NumcodecsCase>('codec/numcodecs-cases.jsonl').map((c): Sample => {
  const size = base64Bytes(c.decoded ?? c.values).length;
  const { dtype } = parseNumpyType(c.dtype);
  const { name, options } = overBytes(c.codec, c.dtype);
  const rep = chunkRep(dtype, [size / (dtype.itemSize ?? 1)]);
  return { name, codec: bind(name, options, rep), encoded: base64Bytes(c.encoded), size };
});

/** Array-to-bytes codecs, with samples that they encode. */
const overValues = [
  { name: 'bytes', rep: chunkRep('int32', [6]), values: { bytes: new Uint8Array(24).fill(7) }, configuration: { endian: 'big' } },
  { name: 'packbits', rep: chunkRep('int16', [7]), values: { bytes: new Uint8Array(14).fill(7) }, configuration: { last_bit: 10, padding_encoding: 'first_byte' } },
  { name: 'numcodecs.pcodec', rep: chunkRep('float32', [300]), values: { bytes: new Uint8Array(Float32Array.from({ length: 300 }, (_, i) => Math.sin(i)).buffer) }, configuration: {} },
  { name: 'n5_default', rep: chunkRep('int16', [4, 3]), values: { bytes: Uint8Array.from({ length: 24 }, (_, i) => i) }, configuration: { codecs: [{ name: 'transpose', configuration: { order: [1, 0] } }, { name: 'bytes', configuration: { endian: 'big' } }, { name: 'gzip', configuration: { level: 1 } }] } },
  { name: 'vlen-utf8', rep: chunkRep('string', [4]), values: { items: ['', 'é漢', 'x'.repeat(40), 'a'] }, configuration: {} },
  { name: 'vlen-bytes', rep: chunkRep('variable_length_bytes', [3]), values: { items: [new Uint8Array(3), new Uint8Array(0), new Uint8Array(50)] }, configuration: {} },
  { name: 'json2', rep: chunkRep('json', [3]), values: { items: [1, null, { a: ['é'] }] }, configuration: {} },
  { name: 'msgpack2', rep: chunkRep('json', [3]), values: { items: [-70000, null, { a: ['é', 2.5] }] }, configuration: {} },
  { name: 'categorize', rep: chunkRep('string', [3]), values: { items: ['a', 'b', 'a'] }, configuration: { labels: ['a', 'b'], dtype: '|O', astype: '|u1' } },
  {
    name: 'sharding_indexed',
    rep: chunkRep('int16', [8]),
    values: { bytes: Uint8Array.from({ length: 16 }, (_, i) => i) },
    configuration: { chunk_shape: [2], codecs: [{ name: 'bytes', configuration: { endian: 'little' } }], index_codecs: [{ name: 'bytes', configuration: { endian: 'little' } }] },
  },
  {
    name: 'sharding_indexed',
    rep: chunkRep('string', [4]),
    values: { items: ['a', 'b', '', ''] },
    configuration: { chunk_shape: [2], codecs: ['vlen-utf8', 'zstd'], index_codecs: [{ name: 'bytes', configuration: { endian: 'little' } }], index_location: 'start' },
  },
].map(({ name, rep, values, configuration }): Sample => {
  const codec = bind(name, configuration, rep);
  if (codec.kind !== 'array-to-bytes') throw new Error(`codec "${name}" has the kind ${codec.kind}`);
  return { name, codec, encoded: codec.encode(packed(values, rep.dtype)).slice(), size: 'bytes' in values ? values.bytes.length : undefined };
}); // prettier-ignore

/** Array-to-array codecs that numcodecs lacks. */
const overArrays = [
  { name: 'scale_offset', type: 'int16', configuration: { offset: 1, scale: 3 } },
  { name: 'scale_offset', type: 'float16', configuration: { offset: 0.5, scale: 3 } },
  { name: 'cast_value', type: 'float32', configuration: { data_type: 'int16', out_of_range: 'clamp', scalar_map: { encode: [['NaN', 9]], decode: [[9, 'NaN']] } } },
  { name: 'cast_value', type: 'uint8', configuration: { data_type: 'float64', rounding: 'nearest-away' } },
].map(({ name, type, configuration }): Sample => {
  const codec = bind(name, configuration, chunkRep(type, [8]));
  if (codec.kind !== 'array-to-array') throw new Error(`codec "${name}" has the kind ${codec.kind}`);
  const size = 8 * (codec.rep.dtype.itemSize ?? 0);
  return { name, codec, encoded: codec.encode(new Uint8Array(size)).slice(), size };
}); // prettier-ignore

/** Codecs of bytes that numcodecs lacks. */
const overBytesOnly = [new Uint8Array(400).fill(7), Uint8Array.from({ length: 60 }, (_, i) => i * 31)].map(
  (values): Sample => {
    const codecs = ['crc32c', { name: 'gzip', configuration: { level: 1 } }];
    const codec = bindBytes('conditional', { codecs });
    return { name: 'conditional', codec, encoded: codec.encode(values).slice(), size: values.length };
  },
);

const samples = [...overBuffers, ...overValues, ...overArrays, ...overBytesOnly];
const names = [...new Set(samples.map(({ name }) => name))];

async function decodeDamaged({ codec, encoded, size }: Sample, random: Random): Promise<void> {
  const damaged = random.chance(0.15) ? random.bytes(random.int(0, 300)) : mutate(encoded, random);
  const given = damaged.slice();
  const result = await attempt(() => decode(codec, damaged, size ?? 0, random));
  expect(damaged).toEqual(given);
  if (result !== undefined && size !== undefined) expect(result).toBe(size);
}

/** @returns size of the result; for an upper bound, the bound if it was respected */
function decode(codec: BoundCodec, bytes: Uint8Array, size: number, random: Random): number {
  if (codec.kind === 'array-to-array') return codec.decode(bytes).length;
  if (codec.kind === 'array-to-bytes') {
    const values = codec.decode(bytes, 2 ** 20);
    return 'bytes' in values ? values.bytes.length : values.items.lengths.length;
  }
  if (random.chance(0.5)) {
    const start = random.int(0, size);
    const needed = { start, end: random.int(start, size) };
    return codec.decode(bytes, { kind: 'exact', bytes: size }, new Uint8Array(size), needed).length;
  }
  const { length } = codec.decode(bytes, { kind: 'atMost', bytes: size });
  return length <= size ? size : length;
}

describe('codecs', () => {
  test('every codec of the registry has samples, or is an array codec with the same code', () => {
    const without = codecNames(createDefaultRegistry()).filter((name) => {
      const bare = name.replace('numcodecs.', '');
      return !names.some((one) => one === name || one.replace(/^(numcodecs|v2)\./, '') === bare);
    });
    // endian is the draft name of bytes. transpose only permutes strides, reshape does nothing. vlen-array requires a type without a v3 name, so the corrupted stores
    // test it.
    expect(without).toEqual(['endian', 'numcodecs.vlen-array', 'reshape', 'transpose', 'vlen-array']);
  });

  test(
    'corrupt bytes result in an error or a result of the requested size',
    { timeout: fuzzTimeout },
    async () => {
      const rounds = await fuzz((random) => {
        const name = random.choose(names);
        return decodeDamaged(random.choose(samples.filter((sample) => sample.name === name)), random);
      });
      expect(rounds).toBeGreaterThan(0);
    },
  );
});

// Chunks with a checksum, corrupted at every byte: no wrong value is returned. If the checksum covers the
// stored bytes, every corruption is an error. If it covers decompressed bytes, corruption that does not
// change them (such as a time stamp) may be undetected.

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
  /** An error's code, "right", or "wrong values". */
  readonly outcome: string;
}

/** Damages each chunk of a case at every byte of a range, and reads the array. */
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
          (block) => (toLayout(block, c.layout).equals(whole) ? 'right' : 'wrong values'),
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
  const cases = storedArrays.filter((c) => pick(c) && !c.id.endsWith('-F'));
  test('the fixtures contain cases', () => expect(cases.length).toBeGreaterThan(0));

  test.each(cases.slice(0, isInner ? 2 : 3).map((c) => [c.id, c] as const))(
    '%s: damage never changes values',
    async (_, c) => {
      const outcomes = await damageEverywhere(c, (length) => [0, length]);
      expect(outcomes.length).toBeGreaterThan(20);
      const unnoticed = outcomes.filter(({ outcome }) => outcome === 'right').length;
      expect(unnoticed / outcomes.length).toBeLessThan(isInner ? 0.1 : Number.MIN_VALUE);
      expect(outcomes.filter(({ outcome }) => ![...codes, 'right'].includes(outcome))).toEqual([]);
    },
  );
});

describe('index of a shard', () => {
  const shards = storedArrays.filter(
    (c) => has('sharding')(c) && /^zp3-(int16|shard-start|float64-shard|shard-edge|shard-sparse)/.test(c.id),
  );
  test('has cases, with the index at both ends', () => {
    expect(shards.some((c) => c.features.includes('index-start'))).toBe(true);
    expect(shards.length).toBeGreaterThan(3);
  });

  test.each(shards.map((c) => [c.id, c] as const))(
    '%s: damage of the index is always detected',
    async (_, c) => {
      const spec = (await openHierarchy(await memoryStoreOf(objectsOf(c))).array(c.node)).layout?.levels[0]
        ?.spec;
      if (spec === undefined) throw new Error('expected a sharded array');
      const outcomes = await damageEverywhere(c, (length) =>
        spec.indexLocation === 'start' ? [0, spec.indexBytes] : [length - spec.indexBytes, length],
      );
      expect(outcomes.length).toBeGreaterThan(20);
      expect(outcomes.filter(({ outcome }) => outcome !== 'CHECKSUM_MISMATCH')).toEqual([]);
    },
  );
});
