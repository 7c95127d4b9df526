/** Frames that the platform's Zstandard may decode, and its results beside those of the WebAssembly module. */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { nativeZstd } from '#platform';
import { numcodecsZstdCodec } from '../../../../server/zarr/codec/compression/zstd.js';
import { contentSizeOfFrame } from '../../../../server/zarr/codec/compression/zstd-frame.js';
import { createDefaultRegistry } from '../../../../server/zarr/codec/registry.js';
import { loadWasm } from '../../../../server/zarr/codec/wasm/load.js';
import { decodeZstd, encodeZstd } from '../../../../server/zarr/codec/wasm/zstd.js';
import { chunkRep } from '../chunk-rep.js';

beforeAll(async () => {
  await loadWasm('codecs');
});

function bytesOf(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => Math.floor(100 * Math.sin(i / 50)) + (((i * 7919) >> 5) % 7));
}

const skippable = Uint8Array.of(0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 1, 2);

describe('the content size of a frame', () => {
  test.each([1, 200, 255, 256, 65_791, 65_792, 300_000])('of %i bytes', (length) => {
    for (const checksum of [false, true]) {
      const frame = encodeZstd(bytesOf(length), { level: 3, checksum });
      expect(contentSizeOfFrame(frame)).toBe(length);
      expect(contentSizeOfFrame(frame.subarray(0, -1))).toBeUndefined();
      expect(contentSizeOfFrame(Uint8Array.of(...frame, 0))).toBeUndefined();
      expect(contentSizeOfFrame(Uint8Array.of(...skippable, ...frame))).toBeUndefined();
      expect(contentSizeOfFrame(Uint8Array.of(...frame, ...skippable))).toBeUndefined();
    }
  });

  test('of any bytes is found without reading beyond them', () => {
    const magic = [0x28, 0xb5, 0x2f, 0xfd];
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (rest) => {
        const size = contentSizeOfFrame(Uint8Array.of(...magic, ...rest));
        expect(size === undefined || size >= 0).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe.skipIf(nativeZstd === undefined)('the platform', () => {
  const length = 300_000;
  const plain = bytesOf(length);
  const codec = numcodecsZstdCodec.create(
    { level: 3, checksum: true },
    chunkRep('uint8', [length]),
    createDefaultRegistry(),
  );

  test('decodes what the module encodes, and conversely', () => {
    expect(nativeZstd?.decode(encodeZstd(plain, { level: 3, checksum: true }), length)).toEqual(plain);
    for (const level of [-5, 0, 3, 19])
      for (const checksum of [false, true]) {
        const frame = nativeZstd?.encode(plain, level, checksum) ?? new Uint8Array(0);
        expect(contentSizeOfFrame(frame)).toBe(length);
        expect(new Uint8Array(decodeZstd(frame, { exact: length }))).toEqual(plain);
      }
  });

  test('leaves damaged frames to the module', () => {
    const frame = encodeZstd(plain, { level: 3, checksum: true });
    const size = { kind: 'exact', bytes: length } as const;
    const wrong = frame.slice();
    wrong[wrong.length - 1] = (wrong.at(-1) ?? 0) ^ 1;
    expect(() => codec.decode(wrong, size)).toThrow('does not match the checksum');
    expect(() => codec.decode(Uint8Array.of(...frame, 1, 2, 3), size)).toThrow('not complete');
    expect(() => codec.decode(frame.subarray(0, -1), size)).toThrow('not complete');
    expect(() => codec.decode(frame, { kind: 'exact', bytes: length + 1 })).toThrow('bytes');
  });
});
