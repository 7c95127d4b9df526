/** The beginning of a Zstandard frame without the rest. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ChecksumError, CodecError } from '../../../../server/zarr/errors.js';
import { decodeZstd, encodeZstd } from '../../../../server/zarr/codec/wasm/zstd.js';
import { thrown } from './fixtures.js';

const block = 2 ** 17;
/** Several blocks, neither constant nor incompressible. */
const plain = Uint8Array.from({ length: 5 * block + 777 }, (_, i) => ((i * i) >> 7) % 61);
const exact = { exact: plain.length };
const frame = encodeZstd(plain, { level: 3, checksum: false });

function beginning(source: Uint8Array, until: number, into?: Uint8Array): Uint8Array {
  const result = decodeZstd(source, exact, into, until);
  expect(result.length).toBe(plain.length);
  return result.slice(0, until);
}

describe('a part of a Zstandard frame', () => {
  test('is its beginning, however much is asked for', () => {
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

  test('does not look at what follows', () => {
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

  test('is found over the end of a frame, and after one that is skipped', () => {
    const split = Buffer.concat([
      Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]),
      encodeZstd(plain.subarray(0, 1000), { level: 1, checksum: false }),
      encodeZstd(plain.subarray(1000), { level: 1, checksum: false }),
    ]);
    for (const until of [0, 1, 999, 1000, 1001, block, plain.length])
      expect(Buffer.compare(beginning(split, until), plain.subarray(0, until))).toBe(0);
  });

  test('of a cut frame, or one of another size, is an error', () => {
    for (const length of [0, 3, 9, 40, frame.length - 1])
      expect(thrown(() => decodeZstd(frame.subarray(0, length), exact, undefined, 1))).toBeInstanceOf(
        CodecError,
      );
    expect(thrown(() => decodeZstd(frame, { exact: plain.length + 1 }, undefined, 1))).toBeInstanceOf(
      CodecError,
    );
  });

  test('leaves the decoder fit for the next frame', () => {
    beginning(frame, 3);
    expect(Buffer.compare(decodeZstd(frame, exact), plain)).toBe(0);
    expect(encodeZstd(plain, { level: 3, checksum: false })).toEqual(frame);
  });
});
