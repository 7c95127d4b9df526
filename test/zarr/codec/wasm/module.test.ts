import { describe, expect, test } from 'vitest';
import { CodecError, LimitError } from '../../../../server/zarr/errors.js';
import { createWasmModule } from '../../../../server/zarr/codec/wasm/module.js';
import { decodeZstd, encodeZstd } from '../../../../server/zarr/codec/wasm/zstd.js';
import { decodeBlosc, encodeBlosc } from '../../../../server/zarr/codec/wasm/blosc.js';
import { decodeLz4, encodeLz4 } from '../../../../server/zarr/codec/wasm/lz4.js';
import { data, thrown } from './fixtures.js';

const ENDLESS = 0xffff_fff0;
const source = new Uint8Array([1, 2, 3]);

describe('a trap', () => {
  const module = createWasmModule('codecs', ['zstd_content_size', 'lz4_bound']);
  const memory = () => module.run('x', source, (call) => call.view(0, 1).buffer);

  test('is a codec error, and the next call has a new instance', () => {
    const first = memory();
    expect(memory() === first).toBe(true);
    const error = thrown(() =>
      module.run('x', source, (call) => call.functions.zstd_content_size(ENDLESS, 1000)),
    );
    expect(error).toBeInstanceOf(CodecError);
    expect(String(error)).toContain('codec "x"');
    expect(memory() === first).toBe(false);
  });

  test('engine errors keep their instance', () => {
    const first = memory();
    const own = new CodecError('no');
    expect(
      thrown(() =>
        module.run('x', source, () => {
          throw own;
        }),
      ),
    ).toBe(own);
    expect(memory() === first).toBe(true);
  });
});

describe('memory', () => {
  const module = createWasmModule('codecs', ['zstd_content_size']);

  test('allocations of a call are released however it ends', () => {
    for (let i = 0; i < 200; i++) {
      module.run('x', source, (call) =>
        call.copyOut(call.resize(call.allocate(1000), 2 ** 20), 2 ** 20, undefined),
      );
      thrown(() =>
        module.run('x', source, (call) => {
          call.allocate(2 ** 20);
          throw new CodecError('no');
        }),
      );
    }
    expect(module.run('x', source, (call) => call.view(0, 1).buffer.byteLength)).toBeLessThan(8 * 2 ** 20);
  });

  test('that is unavailable is a limit error', () => {
    const error = thrown(() => module.run('x', source, (call) => call.allocate(2 ** 32)));
    expect(error).toBeInstanceOf(LimitError);
  });

  test('of a very large chunk is released with the instance', () => {
    const big = module.run(
      'x',
      source,
      (call) => call.view(call.allocate(300 * 2 ** 20), 1).buffer.byteLength,
    );
    expect(big).toBeGreaterThan(300 * 2 ** 20);
    expect(module.run('x', source, (call) => call.view(0, 1).buffer.byteLength)).toBe(4 * 2 ** 20);
  });

  test('lists no function that the module lacks', () => {
    const other = createWasmModule('codecs', ['bzip2_step']);
    expect(thrown(() => other.run('x', source, () => 0))).toBeInstanceOf(CodecError);
  });
});

describe('the result of the last call as the source', () => {
  const exact = { exact: data.skewed.length };
  const inner = [
    [
      'zstd',
      encodeZstd(data.skewed, { level: 1, checksum: true }),
      (bytes: Uint8Array) => decodeZstd(bytes, exact),
    ],
    ['lz4', encodeLz4(data.skewed, 1), (bytes: Uint8Array) => decodeLz4(bytes, exact)],
    [
      'blosc',
      encodeBlosc(data.skewed, { cname: 'zstd', clevel: 5, shuffle: 1, typesize: 4, blocksize: 0 }),
      (bytes: Uint8Array) => decodeBlosc(bytes, exact),
    ],
  ] as const;

  test.each(inner)('%s within zstd', (_name, encoded, decode) => {
    const view = decodeZstd(encodeZstd(encoded, { level: 3, checksum: false }), { exact: encoded.length });
    expect(Buffer.compare(decode(view), data.skewed)).toBe(0);
  });

  test('is correct although the memory grows and detaches the view', () => {
    const large = new Uint8Array(40 * 2 ** 20).fill(7);
    // Encoded in small frames, because a single frame would already grow the memory.
    const frame = encodeZstd(large.subarray(0, 2 ** 20), { level: 1, checksum: false }).slice();
    const once = Buffer.concat(Array.from({ length: 40 }, () => frame));
    const view = decodeZstd(encodeZstd(once, { level: 1, checksum: false }), { limit: 2 ** 20 });
    const before = view.buffer.byteLength;
    const got = decodeZstd(view, { exact: large.length });
    expect(got.buffer.byteLength).toBeGreaterThan(before);
    expect(Buffer.compare(got, large)).toBe(0);
  });
});
