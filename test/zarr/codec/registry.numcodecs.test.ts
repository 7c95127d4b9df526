/** Bytes encoded by numcodecs (fixtures/codec/make_numcodecs_cases.py), in both directions. */
import { describe, expect, test } from 'vitest';
import { parseNumpyType } from '../../../server/zarr/dtype/parse-numpy.js';
import { bindArray, bindBytes, chunkRep } from './chunk-rep.js';
import { base64Bytes, fixtureLines, type NumcodecsConfig, overBytes } from './fixture-lines.js';

interface Case {
  readonly codec: NumcodecsConfig;
  readonly dtype: string;
  readonly values: string;
  readonly encoded: string;
  readonly decoded: string | null;
}

const cases = fixtureLines<Case>('codec/numcodecs-cases.jsonl');
/** Codecs whose encoders may write other bytes for the same content. */
const compressors = ['gzip', 'zlib', 'zstd', 'lz4', 'bz2', 'lzma', 'blosc'];
const titles = cases.map((c, i) => [`${i} ${JSON.stringify(c.codec)} ${c.dtype}`, c] as const);

/** The chunk in a buffer of `dtype`; big-endian types are converted to their form in memory. */
function repOf(c: Case, bytes: Uint8Array) {
  const { dtype } = parseNumpyType(c.dtype);
  return chunkRep(dtype, [bytes.length / (dtype.itemSize ?? 1)]);
}

describe('over bytes, as v2 has them', () => {
  test.each(titles)('%s', (_title, c) => {
    const values = base64Bytes(c.values);
    const encoded = base64Bytes(c.encoded);
    const decoded = c.decoded === null ? values : base64Bytes(c.decoded);
    const { name, options } = overBytes(c.codec, c.dtype);
    const codec = bindBytes(name, options, repOf(c, values));
    const size = { kind: 'exact', bytes: decoded.length } as const;
    expect(codec.decode(encoded, size).slice()).toEqual(decoded);
    const ours = codec.encode(values);
    if (compressors.includes(c.codec.id)) expect(codec.decode(ours, size).slice()).toEqual(decoded);
    else expect(new Uint8Array(ours)).toEqual(encoded);
    const bound = codec.encodedSize({ kind: 'exact', bytes: values.length });
    if (bound.kind === 'exact') expect(bound.bytes).toBe(encoded.length);
    else expect(bound.bytes).toBeGreaterThanOrEqual(encoded.length);
  });
});

describe('over arrays, as v3 has them', () => {
  const arrays = titles.filter(
    ([, c]) => overBytes(c.codec).name.startsWith('v2.') && !JSON.stringify(c).includes('">'),
  );
  test('has cases', () => expect(arrays.length).toBeGreaterThan(150));

  test.each(arrays)('%s', (_title, c) => {
    const values = base64Bytes(c.values);
    const encoded = base64Bytes(c.encoded);
    const decoded = c.decoded === null ? values : base64Bytes(c.decoded);
    const { id, ...options } = c.codec;
    const codec = bindArray(`numcodecs.${id}`, options, repOf(c, values));
    expect(new Uint8Array(codec.encode(values))).toEqual(encoded);
    expect(new Uint8Array(codec.decode(encoded))).toEqual(decoded);
    const { shape, dtype } = codec.encodedRep;
    expect(shape.reduce((a, b) => a * b, 1) * (dtype.itemSize ?? NaN)).toBe(encoded.length);
  });
});
