import { describe, expect, test } from 'vitest';
import { CodecError, LimitError } from '../../../server/core/errors.js';
import { codecs, createWasmModule } from '../../../server/core/wasm/module.js';
import { decodeZstd, encodeZstd } from '../../../server/format/codec/compression/zstd.js';
import { decodeBlosc, encodeBlosc } from '../../../server/format/codec/compression/blosc.js';
import { decodeLz4, encodeLz4 } from '../../../server/format/codec/compression/lz4.js';
import { data, thrown } from './fixtures.js';
import { atMost, exactly } from '../../../server/format/codec/size.js';

const endless = 0xffff_fff0;
const source = new Uint8Array([1, 2, 3]);

describe('a trap of WebAssembly', () => {
  const module = createWasmModule('codecs', ['zstd_content_size', 'lz4_bound']);
  const memory = () => module.run('x', source, (call) => call.view(0, 1).buffer);

  test('is a codec error, and the next call has a new instance', () => {
    const first = memory();
    expect(memory() === first).toBe(true);
    const error = thrown(() =>
      module.run('x', source, (call) => call.functions.zstd_content_size(endless, 1000)),
    );
    expect(error).toBeInstanceOf(CodecError);
    expect(String(error)).toContain('codec "x"');
    expect(memory() === first).toBe(false);
  });

  test('is not assumed for engine errors, which keep the instance', () => {
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
});

test('a required function that the module lacks is a codec error', () => {
  const module = createWasmModule('codecs', ['bzip2_step']);
  expect(thrown(() => module.run('x', source, () => 0))).toBeInstanceOf(CodecError);
});

describe('the result of the last call as the source', () => {
  const exact = exactly(data.skewed.length);
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
    const view = decodeZstd(encodeZstd(encoded, { level: 3, checksum: false }), exactly(encoded.length));
    expect(Buffer.compare(decode(view), data.skewed)).toBe(0);
  });

  test('is correct although the memory grows and detaches the view', () => {
    const large = new Uint8Array(40 * 2 ** 20).fill(7);
    // Encoded in small frames, because a single frame would already grow the memory.
    const frame = encodeZstd(large.subarray(0, 2 ** 20), { level: 1, checksum: false }).slice();
    const frames = Buffer.concat(Array.from({ length: 40 }, () => frame));
    const view = decodeZstd(encodeZstd(frames, { level: 1, checksum: false }), atMost(2 ** 20));
    const before = view.buffer.byteLength;
    const result = decodeZstd(view, exactly(large.length));
    expect(result.buffer.byteLength).toBeGreaterThan(before);
    expect(Buffer.compare(result, large)).toBe(0);
  });
});

describe('held memory', () => {
  const values = new Uint8Array(100_000).map((_, i) => i * i);
  const encoded = encodeZstd(values, { level: 3, checksum: false });

  test('receives decoded bytes without a copy, and later calls do not change it', () => {
    const held = codecs.hold(3 * values.length, 2 ** 20);
    const [first, second] = [
      held.subarray(0, values.length),
      held.subarray(values.length, 2 * values.length),
    ];
    expect(decodeZstd(encoded, exactly(values.length), first).byteOffset).toBe(first.byteOffset);
    expect(first).toEqual(values);
    decodeZstd(encoded, exactly(values.length), second);
    decodeBlosc(encodeBlosc(values, { cname: 'lz4', clevel: 5, shuffle: 0, typesize: 1, blocksize: 0 }), exactly(values.length)); // prettier-ignore
    expect([first, second]).toEqual([values, values]);
    expect(codecs.memoryOf(first)?.buffer).toBe(held.buffer);
    expect(codecs.memoryOf(values)).toBeUndefined();
  });

  test('is detached by a call that needs more than the spare memory', () => {
    const held = codecs.hold(1000, 1000);
    codecs.run('x', source, (call) => call.allocate(held.buffer.byteLength));
    expect(held.length).toBe(0);
    const next = codecs.hold(1000, 1000).fill(7);
    expect(decodeZstd(encoded, exactly(values.length))).toEqual(values);
    expect(next.every((byte) => byte === 7)).toBe(true);
  });

  test('of a discarded instance keeps its bytes', () => {
    const held = codecs.hold(1000, 0).fill(7);
    thrown(() => codecs.run('x', source, (call) => call.functions.zstd_content_size(endless, 1000)));
    expect(codecs.memoryOf(held)).toBeUndefined();
    expect(decodeZstd(encoded, exactly(values.length), codecs.hold(values.length, 0))).toEqual(values);
    expect(held.every((byte) => byte === 7)).toBe(true);
  });
});
