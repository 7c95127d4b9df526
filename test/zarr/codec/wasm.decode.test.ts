/** Properties of all decoders in WebAssembly modules. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CodecError, LimitError, ZarrError } from '../../../server/zarr/errors.js';
import { decodeLzma } from '../../../server/zarr/codec/wasm/lzma.js';
import { decoders, references, thrown, type Decode } from './wasm/fixtures.js';
import { fixtures } from '../../setup/fixtures.js';

describe.each(references)('$title', ({ source, expected, decode }) => {
  const same = (got: Uint8Array) => Buffer.compare(got, expected) === 0;

  test('decodes to the expected bytes, with and without a known size', () => {
    expect(same(decode(source, { exact: expected.length }))).toBe(true);
    expect(same(decode(source, { limit: expected.length }))).toBe(true);
    expect(same(decode(source, { limit: 10_000_000 }))).toBe(true);
    expect(same(decode(source, { limit: Infinity }))).toBe(true);
  });

  test('writes to the start of `into` and nowhere else', () => {
    const into = new Uint8Array(expected.length + 10).fill(77);
    const got = decode(source, { exact: expected.length }, into);
    expect(got.buffer).toBe(into.buffer);
    expect(same(got)).toBe(true);
    expect([...into.subarray(expected.length)]).toEqual(Array(10).fill(77));
  });

  test('reads a source within a larger buffer, and a shared one', () => {
    const larger = new Uint8Array(source.length + 33);
    larger.set(source, 13);
    expect(same(decode(larger.subarray(13, 13 + source.length), { exact: expected.length }))).toBe(true);
    const shared = new Uint8Array(new SharedArrayBuffer(source.length));
    shared.set(source);
    expect(same(decode(shared, { exact: expected.length }))).toBe(true);
  });

  test('a result of another size than the exact one is a codec error', () => {
    for (const off of [1, 100_000, -1]) {
      if (expected.length + off < 0) continue;
      expect(thrown(() => decode(source, { exact: expected.length + off }))).toBeInstanceOf(CodecError);
    }
  });

  test('a result above the limit is a limit error', () => {
    for (const limit of [0, 1, expected.length >> 1, expected.length - 1]) {
      if (limit < 0 || limit >= expected.length) continue;
      expect(thrown(() => decode(source, { limit }))).toBeInstanceOf(LimitError);
    }
  });

  /** The violation in a decoder's result for corrupted bytes, or undefined. */
  function flaw(run: () => Uint8Array, isFine: (got: Uint8Array) => boolean): string | undefined {
    try {
      const got = run();
      return isFine(got) ? undefined : `gave ${got.length} bytes`;
    } catch (error) {
      return error instanceof ZarrError ? undefined : String(error);
    }
  }

  test('a truncated source is an error at every length, except for padding', () => {
    const step = Math.max(1, Math.floor(source.length / 150));
    for (let length = 0; length < source.length; length += length < 40 ? 1 : step) {
      const isPadding = source.subarray(length).every((byte) => byte === 0);
      const run = () => decode(source.subarray(0, length), { exact: expected.length });
      expect(
        flaw(run, (got) => isPadding && same(got)),
        `cut to ${length}`,
      ).toBeUndefined();
    }
  });

  test('changed bytes result in an engine error or the right size, without leaking memory', () => {
    const last = source.length - 1;
    const runAll = () => {
      for (let round = 0; round < 300; round++) {
        const changed = source.slice();
        // Decoder bugs are most likely with corrupt headers.
        const at =
          round < 100 ? round % Math.min(40, source.length) : Math.round((last * (round - 100)) / 199);
        changed[at] = (changed[at] ?? 0) ^ (1 << (round % 8)) ^ (round % 3 === 0 ? 0xff : 0);
        const found =
          round % 2 === 0
            ? flaw(
                () => decode(changed, { exact: expected.length }),
                (got) => got.length === expected.length,
              )
            : flaw(
                () => decode(changed, { limit: 200_000 }),
                (got) => got.length <= 200_000,
              );
        expect(found, `byte ${at}`).toBeUndefined();
      }
      const after = decode(source, { exact: expected.length });
      expect(same(after)).toBe(true);
      return after.buffer.byteLength;
    };
    const memoryBytes = runAll();
    expect(memoryBytes).toBeLessThan(128 * 2 ** 20);
    expect(runAll()).toBeLessThanOrEqual(memoryBytes);
  });
});

describe('buffers of numcodecs', () => {
  const folder = `${fixtures}peers/`;
  const lines = readFileSync(`${folder}codec-cases.jsonl`, 'utf8').split('\n').filter(Boolean);
  const cases: { id: string; path: string; codec: { id: string; format: 1 | 2 | 3 }; expected: string }[] =
    lines.map((line) => JSON.parse(line));
  const known = cases.filter(({ codec }) => codec.id in decoders || codec.id === 'lzma');

  test('there are some of each codec', () => {
    expect(new Set(known.map(({ codec }) => codec.id))).toEqual(
      new Set(['blosc', 'lz4', 'zstd', 'bz2', 'lzma']),
    );
  });

  test.each(known)('$id', ({ path, codec, expected: base64 }) => {
    const expected = Buffer.from(base64, 'base64');
    const source = new Uint8Array(readFileSync(folder + path));
    const lzma: Decode = (bytes, size, into) => decodeLzma(bytes, { format: codec.format }, size, into);
    const decode = decoders[codec.id] ?? lzma;
    expect(Buffer.compare(decode(source, { exact: expected.length }), expected)).toBe(0);
    expect(Buffer.compare(decode(source, { limit: 100_000 }), expected)).toBe(0);
  });
});
