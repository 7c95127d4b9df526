/** Input that is rejected before decoding, including decompression bombs. */
import { describe, expect, test } from 'vitest';
import {
  ChecksumError,
  CodecError,
  InputError,
  LimitError,
  UnsupportedError,
} from '../../../server/zarr/errors.js';
import { decodeBlosc } from '../../../server/zarr/codec/wasm/blosc.js';
import { decodeBzip2, encodeBzip2 } from '../../../server/zarr/codec/wasm/bzip2.js';
import { decodeLz4 } from '../../../server/zarr/codec/wasm/lz4.js';
import { decodeLzma, encodeLzma } from '../../../server/zarr/codec/wasm/lzma.js';
import { decodeZstd, encodeZstd } from '../../../server/zarr/codec/wasm/zstd.js';
import { data, reference, thrown } from './wasm/fixtures.js';

const exact = { exact: data.walk.length };
const HUGE = { limit: 2 ** 31 };

function changed(bytes: Uint8Array, change: (view: DataView) => void): Uint8Array {
  const copy = bytes.slice();
  change(new DataView(copy.buffer));
  return copy;
}

describe('blosc', () => {
  const { source } = reference('blosc: lz4, shuffle 1, typesize 8');
  const errorOf = (change: (view: DataView) => void, size: { exact: number } | { limit: number } = exact) =>
    thrown(() => decodeBlosc(changed(source, change), size));

  test('a block size of 0, or above the decoded size', () => {
    expect(errorOf((view) => view.setUint32(8, 0, true))).toBeInstanceOf(CodecError);
    expect(errorOf((view) => view.setUint32(8, data.walk.length + 1, true))).toBeInstanceOf(CodecError);
  });
  test('a typesize of 0', () => expect(errorOf((view) => view.setUint8(3, 0))).toBeInstanceOf(CodecError));
  test('snappy is unsupported', () => {
    const error = errorOf((view) => view.setUint8(2, (view.getUint8(2) & 0x1f) | (2 << 5)));
    expect(error).toBeInstanceOf(UnsupportedError);
  });
  test('other versions of the format', () => {
    for (const version of [0, 1, 3, 5])
      expect(errorOf((view) => view.setUint8(0, version))).toBeInstanceOf(CodecError);
  });
  test('a wrong stored size', () => {
    expect(errorOf((view) => view.setUint32(12, source.length - 1, true))).toBeInstanceOf(CodecError);
    expect(thrown(() => decodeBlosc(Buffer.concat([source, new Uint8Array(1)]), exact))).toBeInstanceOf(
      CodecError,
    );
  });
  test('a stated size above the limit, or above the maximum of the format', () => {
    expect(errorOf((view) => view.setUint32(4, 2 ** 31 - 100, true), { limit: 2 ** 30 })).toBeInstanceOf(
      LimitError,
    );
    expect(errorOf((view) => view.setUint32(4, 2 ** 32 - 1, true), { limit: 2 ** 40 })).toBeInstanceOf(
      CodecError,
    );
  });
});

describe('lz4', () => {
  const { source } = reference('lz4: walk');
  test('a stated size above the limit, and one that the stored bytes cannot contain', () => {
    const forged = changed(source, (view) => view.setUint32(0, 2 ** 31 - 1, true));
    expect(thrown(() => decodeLz4(forged, { limit: 10_000_000 }))).toBeInstanceOf(LimitError);
    expect(thrown(() => decodeLz4(forged, HUGE))).toBeInstanceOf(CodecError);
    const less = changed(source, (view) => view.setUint32(0, data.walk.length - 1, true));
    expect(thrown(() => decodeLz4(less, HUGE))).toBeInstanceOf(CodecError);
  });
});

describe('zstd', () => {
  test('a stated size above the limit, and one that the stored bytes cannot contain', () => {
    // Magic number, single segment with 8 bytes of content size, one empty last block.
    const forged = new Uint8Array([0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0x70, 0, 0, 0, 0, 1, 0, 0]);
    expect(thrown(() => decodeZstd(forged, { limit: 10_000_000 }))).toBeInstanceOf(LimitError);
    expect(thrown(() => decodeZstd(forged, HUGE))).toBeInstanceOf(CodecError);
  });
  test('a bomb without content size', () => {
    // Blocks of a 3-byte header and 1 byte that represents 128 KiB.
    const block = [0x02, 0x00, 0x10, 0x00];
    const blocks = Array.from({ length: 2000 }, () => block).flat();
    const bomb = new Uint8Array([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38, ...blocks, 0x03, 0x00, 0x10, 0x00]);
    expect(thrown(() => decodeZstd(bomb, { limit: 1_000_000 }))).toBeInstanceOf(LimitError);
    expect(thrown(() => decodeZstd(bomb, { exact: 1_000_000 }))).toBeInstanceOf(CodecError);
    expect(decodeZstd(bomb, { limit: 300_000_000 }).length).toBe(2001 * 131_072);
  });
  test('a wrong checksum', () => {
    const { source } = reference('zstd: level 3');
    const last = source.length - 1;
    const bad = changed(source, (view) => view.setUint8(last, view.getUint8(last) ^ 1));
    expect(thrown(() => decodeZstd(bad, exact))).toBeInstanceOf(ChecksumError);
  });
  test('bytes behind the last frame', () => {
    const { source } = reference('zstd: level 3');
    expect(thrown(() => decodeZstd(Buffer.concat([source, source.subarray(0, 3)]), exact))).toBeInstanceOf(
      CodecError,
    );
  });
});

describe('bzip2 and lzma', () => {
  const zeros = new Uint8Array(3_000_000);
  test('bombs', () => {
    const bz2 = encodeBzip2(zeros, 9);
    const xz = encodeLzma(zeros, { format: 1 });
    expect(thrown(() => decodeBzip2(bz2, { limit: 100_000 }))).toBeInstanceOf(LimitError);
    expect(thrown(() => decodeLzma(xz, { format: 1 }, { limit: 100_000 }))).toBeInstanceOf(LimitError);
    expect(decodeBzip2(bz2, { limit: 3_000_000 }).length).toBe(3_000_000);
    expect(decodeLzma(xz, { format: 1 }, { limit: 3_000_000 }).length).toBe(3_000_000);
  });
  test('bytes behind the last stream', () => {
    const { source: bz2 } = reference('bz2: level 1');
    const { source: xz } = reference('lzma: xz');
    const { source: alone } = reference('lzma: alone');
    const more = (bytes: Uint8Array) => Buffer.concat([bytes, Buffer.from('more')]);
    expect(thrown(() => decodeBzip2(more(bz2), exact))).toBeInstanceOf(CodecError);
    expect(thrown(() => decodeLzma(more(xz), { format: 1 }, exact))).toBeInstanceOf(CodecError);
    expect(thrown(() => decodeLzma(more(alone), { format: 2 }, exact))).toBeInstanceOf(CodecError);
  });
  test('a dictionary size of 4 GiB in the header allocates no memory', () => {
    const { source: alone } = reference('lzma: alone');
    const greedy = changed(alone, (view) => view.setUint32(1, 0xffff_ffff, true));
    for (const size of [exact, HUGE, { limit: Infinity }]) {
      const got = decodeLzma(greedy, { format: 2 }, size);
      expect(Buffer.compare(got, data.walk)).toBe(0);
      expect(got.buffer.byteLength).toBeLessThan(128 * 2 ** 20);
    }
  });
  test('a size in the header of .lzma is checked first', () => {
    const { source: alone } = reference('lzma: alone');
    const claim = (bytes: bigint) => changed(alone, (view) => view.setBigUint64(5, bytes, true));
    expect(thrown(() => decodeLzma(claim(2n ** 40n), { format: 2 }, HUGE))).toBeInstanceOf(LimitError);
    expect(thrown(() => decodeLzma(claim(5n), { format: 2 }, exact))).toBeInstanceOf(CodecError);
  });
  test('misplaced filters and invalid chains', () => {
    const { source: raw } = reference('lzma: raw LZMA2');
    expect(thrown(() => decodeLzma(raw, { format: 3 }, exact))).toBeInstanceOf(InputError);
    expect(thrown(() => decodeLzma(raw, { format: 3, filters: [] }, exact))).toBeInstanceOf(InputError);
    expect(thrown(() => decodeLzma(raw, { format: 3, filters: [{ id: 77 }] }, exact))).toBeInstanceOf(
      InputError,
    );
    expect(thrown(() => decodeLzma(raw, { format: 3, filters: [{ id: 3 }] }, exact))).toBeInstanceOf(
      CodecError,
    );
  });
});

test('invalid sizes are bad input', () => {
  const { source } = reference('zstd: level 3');
  for (const size of [
    { exact: -1 },
    { exact: NaN },
    { exact: 1.5 },
    { exact: Infinity },
    { limit: NaN },
    { limit: -1 },
  ])
    expect(thrown(() => decodeZstd(source, size))).toBeInstanceOf(InputError);
  expect(decodeZstd(encodeZstd(new Uint8Array(0), { level: 0, checksum: false }), { limit: 0 }).length).toBe(
    0,
  );
});
