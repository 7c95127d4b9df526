/** The decoders in WebAssembly modules: decoding of whole buffers and of parts. */
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { decodeBlosc, encodeBlosc } from '../../server/format/codec/compression/blosc.js';
import { decodeLzma } from '../../server/format/codec/compression/lzma.js';
import { decodeZstd, encodeZstd } from '../../server/format/codec/compression/zstd.js';
import { CodecError, LimitError, ZarrError, ChecksumError } from '../../server/core/errors.js';
import { fixtures } from '../setup/fixtures.js';
import { decoders, references, thrown, type Decode } from './wasm/fixtures.js';
import { atMost, exactly } from '../../server/format/codec/size.js';

describe.each(references)('$title', ({ source, expected, decode }) => {
  const same = (result: Uint8Array) => Buffer.compare(result, expected) === 0;

  test('decodes to the expected bytes, with and without a known size', () => {
    expect(same(decode(source, exactly(expected.length)))).toBe(true);
    expect(same(decode(source, atMost(expected.length)))).toBe(true);
    expect(same(decode(source, atMost(10_000_000)))).toBe(true);
    expect(same(decode(source, atMost(Infinity)))).toBe(true);
  });

  test('writes to the start of `into` and nowhere else', () => {
    const into = new Uint8Array(expected.length + 10).fill(77);
    const result = decode(source, exactly(expected.length), into);
    expect(result.buffer).toBe(into.buffer);
    expect(same(result)).toBe(true);
    expect([...into.subarray(expected.length)]).toEqual(Array(10).fill(77));
  });

  test('reads a source within a larger buffer, and a shared one', () => {
    const larger = new Uint8Array(source.length + 33);
    larger.set(source, 13);
    expect(same(decode(larger.subarray(13, 13 + source.length), exactly(expected.length)))).toBe(true);
    const shared = new Uint8Array(new SharedArrayBuffer(source.length));
    shared.set(source);
    expect(same(decode(shared, exactly(expected.length)))).toBe(true);
  });

  test('a result of another size than the exact one is a codec error', () => {
    for (const off of [1, 100_000, -1]) {
      if (expected.length + off < 0) continue;
      expect(thrown(() => decode(source, exactly(expected.length + off)))).toBeInstanceOf(CodecError);
    }
  });

  test('a result above the limit is a limit error', () => {
    for (const limit of [0, 1, expected.length >> 1, expected.length - 1]) {
      if (limit < 0 || limit >= expected.length) continue;
      expect(thrown(() => decode(source, atMost(limit)))).toBeInstanceOf(LimitError);
    }
  });

  /** The violation in a decoder's result for corrupted bytes, or undefined. */
  function flaw(run: () => Uint8Array, isFine: (result: Uint8Array) => boolean): string | undefined {
    try {
      const result = run();
      return isFine(result) ? undefined : `gave ${result.length} bytes`;
    } catch (error) {
      return error instanceof ZarrError ? undefined : String(error);
    }
  }

  test('a truncated source is an error, unless only padding of zeros is cut off', () => {
    const step = Math.max(1, Math.floor(source.length / 150));
    for (let length = 0; length < source.length; length += length < 40 ? 1 : step) {
      const isPadding = source.subarray(length).every((byte) => byte === 0);
      const run = () => decode(source.subarray(0, length), exactly(expected.length));
      expect(
        flaw(run, (result) => isPadding && same(result)),
        `cut to ${length}`,
      ).toBeUndefined();
    }
  });

  test('changed bytes result in an engine error or a result of the right size, without leaking memory', () => {
    const last = source.length - 1;
    const runAll = () => {
      for (let round = 0; round < 300; round++) {
        const changed = source.slice();
        // The first 100 rounds change the first 40 bytes, which include the header.
        const at =
          round < 100 ? round % Math.min(40, source.length) : Math.round((last * (round - 100)) / 199);
        changed[at] = (changed[at] ?? 0) ^ (1 << (round % 8)) ^ (round % 3 === 0 ? 0xff : 0);
        const violation =
          round % 2 === 0
            ? flaw(
                () => decode(changed, exactly(expected.length)),
                (result) => result.length === expected.length,
              )
            : flaw(
                () => decode(changed, atMost(200_000)),
                (result) => result.length <= 200_000,
              );
        expect(violation, `byte ${at}`).toBeUndefined();
      }
      const after = decode(source, exactly(expected.length));
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

  test('the fixtures contain cases of each codec', () => {
    expect(new Set(known.map(({ codec }) => codec.id))).toEqual(
      new Set(['blosc', 'lz4', 'zstd', 'bz2', 'lzma']),
    );
  });

  test.each(known)('$id', ({ path, codec, expected: base64 }) => {
    const expected = Buffer.from(base64, 'base64');
    const source = new Uint8Array(readFileSync(folder + path));
    const lzma: Decode = (bytes, size, into) => decodeLzma(bytes, { format: codec.format }, size, into);
    const decode = decoders[codec.id] ?? lzma;
    expect(Buffer.compare(decode(source, exactly(expected.length)), expected)).toBe(0);
    expect(Buffer.compare(decode(source, atMost(100_000)), expected)).toBe(0);
  });
});

// Decodes parts of Zstandard frames and Blosc buffers.

const block = 2 ** 17;
/** Several blocks, neither constant nor incompressible. */
const plain = Uint8Array.from({ length: 5 * block + 777 }, (_, i) => ((i * i) >> 7) % 61);
const exact = exactly(plain.length);
const frame = encodeZstd(plain, { level: 3, checksum: false });

function beginning(source: Uint8Array, until: number, into?: Uint8Array): Uint8Array {
  const result = decodeZstd(source, exact, into, until);
  expect(result.length).toBe(plain.length);
  return result.slice(0, until);
}

describe('a part of a Zstandard frame', () => {
  test('is the beginning of the result, for any requested length', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: plain.length }), fc.boolean(), (until, here) => {
        const into = here ? new Uint8Array(plain.length) : undefined;
        expect(Buffer.compare(beginning(frame, until, into), plain.subarray(0, until))).toBe(0);
        if (into !== undefined)
          expect(Buffer.compare(into.subarray(0, until), plain.subarray(0, until))).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  test('can end within the only block', () => {
    const small = plain.slice(0, block / 2);
    const smallFrame = encodeZstd(small, { level: 3, checksum: false });
    for (let until = 0; until <= small.length; until += 997) {
      const result = decodeZstd(smallFrame, exactly(small.length), undefined, until);
      expect(Buffer.compare(result.slice(0, until), small.subarray(0, until))).toBe(0);
    }
    expect(Buffer.compare(decodeZstd(smallFrame, exactly(small.length)), small)).toBe(0);
  });

  test('is decoded although a later block is damaged', () => {
    const damaged = frame.slice();
    damaged.fill(0xff, -40, -20);
    expect(thrown(() => decodeZstd(damaged, exact))).toBeInstanceOf(CodecError);
    expect(beginning(damaged, block)).toEqual(plain.slice(0, block));
  });

  test('of a frame with a checksum is checked to the end', () => {
    const checked = encodeZstd(plain, { level: 3, checksum: true });
    expect(beginning(checked, 10)).toEqual(plain.slice(0, 10));
    checked.fill(0xff, -2);
    expect(thrown(() => decodeZstd(checked, exact, undefined, 10))).toBeInstanceOf(ChecksumError);
  });

  test('is found across frames and after a skippable frame', () => {
    const split = Buffer.concat([
      Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]),
      encodeZstd(plain.subarray(0, 1000), { level: 1, checksum: false }),
      encodeZstd(plain.subarray(1000), { level: 1, checksum: false }),
    ]);
    for (const until of [0, 1, 999, 1000, 1001, block, plain.length])
      expect(Buffer.compare(beginning(split, until), plain.subarray(0, until))).toBe(0);
  });

  test('of a truncated frame or a frame of the wrong size is an error', () => {
    for (const length of [0, 3, 9, 40, frame.length - 1])
      expect(thrown(() => decodeZstd(frame.subarray(0, length), exact, undefined, 1))).toBeInstanceOf(
        CodecError,
      );
    expect(thrown(() => decodeZstd(frame, exactly(plain.length + 1), undefined, 1))).toBeInstanceOf(
      CodecError,
    );
  });

  test('does not affect later calls', () => {
    beginning(frame, 3);
    expect(Buffer.compare(decodeZstd(frame, exact), plain)).toBe(0);
    expect(encodeZstd(plain, { level: 3, checksum: false })).toEqual(frame);
  });
});

describe('a part of a Blosc buffer', () => {
  const bytes = plain;
  const options = { cname: 'lz4', clevel: 5, shuffle: 1, typesize: 4, blocksize: 8192 } as const;
  const buffer = encodeBlosc(bytes, options);
  // c-blosc may choose another block size than the requested one.
  const blocksize = new DataView(buffer.buffer).getUint32(8, true);
  const size = exactly(bytes.length);

  const part = (source: Uint8Array, start: number, end: number, into?: Uint8Array): Uint8Array => {
    const result = decodeBlosc(source, size, into, { start, end });
    expect(result.length).toBe(bytes.length);
    return result.slice(start, end);
  };
  const expectSame = (actual: Uint8Array, expected: Uint8Array): void =>
    expect(Buffer.compare(actual, expected)).toBe(0);

  test('is the requested part', () => {
    expect(bytes.length / blocksize).toBeGreaterThan(4);
    expect(bytes.length % blocksize).toBeGreaterThan(0);
    const position = fc.integer({ min: 0, max: bytes.length });
    fc.assert(
      fc.property(position, position, fc.boolean(), (a, b, here) => {
        const [start, end] = [Math.min(a, b), Math.max(a, b)];
        const into = here ? new Uint8Array(bytes.length) : undefined;
        expectSame(part(buffer, start, end, into), bytes.slice(start, end));
        if (into !== undefined) expectSame(into.slice(start, end), bytes.slice(start, end));
      }),
      { numRuns: 200 },
    );
  });

  test('is decoded without other blocks', () => {
    const second = new DataView(buffer.buffer).getUint32(16 + 4, true);
    const damaged = buffer.slice();
    damaged.fill(0xff, second, second + 20);
    expect(thrown(() => decodeBlosc(damaged, size))).toBeInstanceOf(CodecError);
    expectSame(part(damaged, 2 * blocksize, bytes.length), bytes.slice(2 * blocksize));
    expectSame(part(damaged, 10, blocksize), bytes.slice(10, blocksize));
    expect(thrown(() => part(damaged, 10, blocksize + 1))).toBeInstanceOf(CodecError);
  });

  test('is found if blocks are stored in another order', () => {
    const table = new DataView(buffer.buffer);
    const offset = (block: number): number => table.getUint32(16 + 4 * block, true);
    // Swaps the first two blocks.
    const [start, middle, end] = [offset(0), offset(1), offset(2)];
    const swapped = buffer.slice();
    swapped.set(buffer.subarray(middle, end), start);
    swapped.set(buffer.subarray(start, middle), start + end - middle);
    const to = new DataView(swapped.buffer);
    to.setUint32(16, start + end - middle, true);
    to.setUint32(20, start, true);
    expectSame(decodeBlosc(swapped, size).slice(), bytes.slice());
    for (const block of [0, 1, 2]) {
      const [from, to] = [block * blocksize, (block + 1) * blocksize];
      expectSame(part(swapped, from, to), bytes.slice(from, to));
    }
  });

  test('of incompressible bytes, with bit shuffle, without shuffle and with larger blocks', () => {
    const noise = Uint8Array.from({ length: bytes.length }, (_, i) => Math.imul(i + 1, 2654435761) >>> 23);
    for (const [source, more] of [
      [noise, {}],
      [bytes, { shuffle: 2 }],
      [bytes, { shuffle: 0, cname: 'zstd' }],
      [bytes, { blocksize: bytes.length }],
    ] as const) {
      const encoded = encodeBlosc(source, { ...options, ...more });
      expectSame(
        part(encoded, 3 * blocksize - 1, 3 * blocksize + 1),
        source.slice(3 * blocksize - 1, 3 * blocksize + 1),
      );
    }
  });
});
