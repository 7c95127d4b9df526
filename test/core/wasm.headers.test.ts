/** Forged headers, decompression bombs and invalid options; the checked-in modules. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { decodeBlosc } from '../../server/format/codec/compression/blosc.js';
import { decodeBzip2, encodeBzip2 } from '../../server/format/codec/compression/bzip2.js';
import { decodeLz4 } from '../../server/format/codec/compression/lz4.js';
import { decodeLzma, encodeLzma } from '../../server/format/codec/compression/lzma.js';
import { decodeZstd, encodeZstd } from '../../server/format/codec/compression/zstd.js';
import { compiledWasm, instantiateWasm, provideWasm, type WasmName } from '../../server/core/wasm/load.js';
import { ChecksumError, CodecError, InputError, LimitError } from '../../server/core/errors.js';
import { data, reference, thrown } from './wasm/fixtures.js';
import type { Size } from '../../server/format/codec/codec.js';
import { atMost, exactly } from '../../server/format/codec/size.js';

const exact = exactly(data.walk.length);
const huge = atMost(2 ** 31);

function changed(bytes: Uint8Array, change: (view: DataView) => void): Uint8Array {
  const copy = bytes.slice();
  change(new DataView(copy.buffer));
  return copy;
}

describe('blosc', () => {
  const { source } = reference('blosc: lz4, shuffle 1, typesize 8');
  const errorOf = (change: (view: DataView) => void, size: Size = exact) =>
    thrown(() => decodeBlosc(changed(source, change), size));

  test('a block size of 0, or above the decoded size, is rejected', () => {
    expect(errorOf((view) => view.setUint32(8, 0, true))).toBeInstanceOf(CodecError);
    expect(errorOf((view) => view.setUint32(8, data.walk.length + 1, true))).toBeInstanceOf(CodecError);
  });
  test('a typesize of 0 is rejected', () =>
    expect(errorOf((view) => view.setUint8(3, 0))).toBeInstanceOf(CodecError));
  test('another compressor than that of the header is an error', () => {
    for (const compressor of [0, 2, 3, 4])
      expect(
        errorOf((view) => view.setUint8(2, (view.getUint8(2) & 0x1f) | (compressor << 5))),
      ).toBeInstanceOf(CodecError);
  });
  test('other versions of the format are rejected', () => {
    for (const version of [0, 1, 3, 5])
      expect(errorOf((view) => view.setUint8(0, version))).toBeInstanceOf(CodecError);
  });
  test('a wrong stored size is rejected', () => {
    expect(errorOf((view) => view.setUint32(12, source.length - 1, true))).toBeInstanceOf(CodecError);
    expect(thrown(() => decodeBlosc(Buffer.concat([source, new Uint8Array(1)]), exact))).toBeInstanceOf(
      CodecError,
    );
  });
  test('a declared size above the limit, or above the maximum of the format, is rejected', () => {
    expect(errorOf((view) => view.setUint32(4, 2 ** 31 - 100, true), atMost(2 ** 30))).toBeInstanceOf(
      LimitError,
    );
    expect(errorOf((view) => view.setUint32(4, 2 ** 32 - 1, true), atMost(2 ** 40))).toBeInstanceOf(
      CodecError,
    );
  });
});

describe('lz4', () => {
  const { source } = reference('lz4: walk');
  test('a declared size above the limit, or other than the size of the data, is rejected', () => {
    const forged = changed(source, (view) => view.setUint32(0, 2 ** 31 - 1, true));
    expect(thrown(() => decodeLz4(forged, atMost(10_000_000)))).toBeInstanceOf(LimitError);
    expect(thrown(() => decodeLz4(forged, huge))).toBeInstanceOf(CodecError);
    const less = changed(source, (view) => view.setUint32(0, data.walk.length - 1, true));
    expect(thrown(() => decodeLz4(less, huge))).toBeInstanceOf(CodecError);
  });
});

describe('zstd', () => {
  test('a declared size above the limit, or other than the size of the data, is rejected', () => {
    // Magic number, single segment with 8 bytes of content size, one empty last block.
    const forged = new Uint8Array([0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0x70, 0, 0, 0, 0, 1, 0, 0]);
    expect(thrown(() => decodeZstd(forged, atMost(10_000_000)))).toBeInstanceOf(LimitError);
    expect(thrown(() => decodeZstd(forged, huge))).toBeInstanceOf(CodecError);
  });
  test('a bomb without content size is rejected at the limit', () => {
    // Blocks of a 3-byte header and 1 byte that represents 128 KiB.
    const block = [0x02, 0x00, 0x10, 0x00];
    const blocks = Array.from({ length: 2000 }, () => block).flat();
    const bomb = new Uint8Array([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38, ...blocks, 0x03, 0x00, 0x10, 0x00]);
    expect(thrown(() => decodeZstd(bomb, atMost(1_000_000)))).toBeInstanceOf(LimitError);
    expect(thrown(() => decodeZstd(bomb, exactly(1_000_000)))).toBeInstanceOf(CodecError);
    expect(decodeZstd(bomb, atMost(300_000_000)).length).toBe(2001 * 131_072);
  });
  test('a wrong checksum is a checksum error', () => {
    const { source } = reference('zstd: level 3');
    const last = source.length - 1;
    const bad = changed(source, (view) => view.setUint8(last, view.getUint8(last) ^ 1));
    expect(thrown(() => decodeZstd(bad, exact))).toBeInstanceOf(ChecksumError);
  });
  test('bytes after the last frame are rejected', () => {
    const { source } = reference('zstd: level 3');
    expect(thrown(() => decodeZstd(Buffer.concat([source, source.subarray(0, 3)]), exact))).toBeInstanceOf(
      CodecError,
    );
  });
});

describe('bzip2 and lzma', () => {
  const zeros = new Uint8Array(3_000_000);
  test('bombs are rejected at the limit', () => {
    const bz2 = encodeBzip2(zeros, 9);
    const xz = encodeLzma(zeros, { format: 1 });
    expect(thrown(() => decodeBzip2(bz2, atMost(100_000)))).toBeInstanceOf(LimitError);
    expect(thrown(() => decodeLzma(xz, { format: 1 }, atMost(100_000)))).toBeInstanceOf(LimitError);
    expect(decodeBzip2(bz2, atMost(3_000_000)).length).toBe(3_000_000);
    expect(decodeLzma(xz, { format: 1 }, atMost(3_000_000)).length).toBe(3_000_000);
  });
  test('bytes after the last stream are rejected', () => {
    const { source: bz2 } = reference('bz2: level 1');
    const { source: xz } = reference('lzma: xz');
    const { source: alone } = reference('lzma: alone');
    const more = (bytes: Uint8Array) => Buffer.concat([bytes, Buffer.from('more')]);
    expect(thrown(() => decodeBzip2(more(bz2), exact))).toBeInstanceOf(CodecError);
    expect(thrown(() => decodeLzma(more(xz), { format: 1 }, exact))).toBeInstanceOf(CodecError);
    expect(thrown(() => decodeLzma(more(alone), { format: 2 }, exact))).toBeInstanceOf(CodecError);
  });
  test('a dictionary size of 4 GiB in the header uses less than 128 MiB', () => {
    const { source: alone } = reference('lzma: alone');
    const greedy = changed(alone, (view) => view.setUint32(1, 0xffff_ffff, true));
    for (const size of [exact, huge, atMost(Infinity)]) {
      const result = decodeLzma(greedy, { format: 2 }, size);
      expect(Buffer.compare(result, data.walk)).toBe(0);
      expect(result.buffer.byteLength).toBeLessThan(128 * 2 ** 20);
    }
  });
  test('a wrong size in the header of .lzma is rejected', () => {
    const { source: alone } = reference('lzma: alone');
    const claim = (bytes: bigint) => changed(alone, (view) => view.setBigUint64(5, bytes, true));
    expect(thrown(() => decodeLzma(claim(2n ** 40n), { format: 2 }, huge))).toBeInstanceOf(LimitError);
    expect(thrown(() => decodeLzma(claim(5n), { format: 2 }, exact))).toBeInstanceOf(CodecError);
  });
  test('missing and invalid chains of filters are rejected', () => {
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

test('invalid sizes are input errors, and a limit of 0 is valid', () => {
  const { source } = reference('zstd: level 3');
  for (const size of [exactly(-1), exactly(NaN), exactly(1.5), exactly(Infinity), atMost(NaN), atMost(-1)])
    expect(thrown(() => decodeZstd(source, size))).toBeInstanceOf(InputError);
  expect(decodeZstd(encodeZstd(new Uint8Array(0), { level: 0, checksum: false }), atMost(0)).length).toBe(0);
});

// The checked-in modules match the manifest.

const folder = new URL('../../server/core/wasm/', import.meta.url);

interface Description {
  readonly sha256: string;
  readonly bytes: number;
  readonly libraries: Readonly<Record<string, string>>;
  readonly functions: readonly string[];
}
const manifest: Record<string, Description> = JSON.parse(
  readFileSync(new URL('manifest.json', folder), 'utf8'),
);
const names: readonly WasmName[] = ['codecs', 'archive'];

describe.each(names)('%s.wasm', (name) => {
  const bytes = readFileSync(new URL(`${name}.wasm`, folder));
  const described = manifest[`${name}.wasm`];

  test('has the hash and size of the manifest', () => {
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(described?.sha256);
    expect(bytes.length).toBe(described?.bytes);
  });

  test('exports the functions of the manifest', () => {
    expect([...instantiateWasm(name).functions.keys()].sort()).toEqual(described?.functions);
  });

  test('imports nothing: an instance needs no import object and starts with 4 MiB', () => {
    expect(instantiateWasm(name).memory.buffer.byteLength).toBe(4 * 2 ** 20);
  });

  test('lists the libraries pinned by the build script, each with its licence', () => {
    const pinned = readFileSync(new URL('build/versions.txt', folder), 'utf8');
    const licences = readdirSync(new URL('licences/', folder));
    const libraries = Object.entries(described?.libraries ?? {});
    expect(libraries.length).toBeGreaterThan(0);
    for (const [library, version] of libraries) {
      expect(pinned).toContain(`\n${library} ${version} `);
      expect(licences).toContain(`${library}.txt`);
    }
  });
});

test('a module is compiled once and can be posted to a worker', async () => {
  expect(compiledWasm('codecs')).toBe(compiledWasm('codecs'));
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
     parentPort.postMessage(new WebAssembly.Instance(workerData).exports.lz4_bound(1000));`,
    { eval: true, workerData: compiledWasm('codecs') },
  );
  const response = await new Promise((resolve, reject) =>
    worker.once('message', resolve).once('error', reject),
  );
  await worker.terminate();
  // LZ4_compressBound: length + length / 255 + 16
  expect(response).toBe(1019);
});

test('a module can be provided as bytes or compiled', () => {
  const before = compiledWasm('archive');
  provideWasm('archive', new Uint8Array(readFileSync(new URL('archive.wasm', folder))));
  expect(compiledWasm('archive')).not.toBe(before);
  expect(instantiateWasm('archive').functions.has('bzip2_step')).toBe(true);
  provideWasm('archive', before);
  expect(compiledWasm('archive')).toBe(before);
});
