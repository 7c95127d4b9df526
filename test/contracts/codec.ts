/**
 * The contract of codecs (server/format/codec/codec.ts) as test suites: round trips, exact sizes and bounds,
 * and unchanged input. Invalid input results in an engine error or a result of the right size.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BoundBytesToBytes, Size } from '../../server/format/codec/codec.js';
import type { ListedCodec, ListedValues } from '../format/codec/chunk-rep.js';
import { isZarrError } from '../../server/core/errors.js';

const exactly = (bytes: number): Size => ({ kind: 'exact', bytes });
const atMost = (bytes: number): Size => ({ kind: 'atMost', bytes });

/** The result, or undefined for an engine error. Any other error fails the test. */
function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (isZarrError(error, 'CODEC_ERROR', 'CHECKSUM_MISMATCH', 'LIMIT_EXCEEDED', 'UNSUPPORTED'))
      return undefined;
    throw error;
  }
}

function errorCode(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return isZarrError(error) ? error.code : String(error);
  }
}

/** Every offset of a short buffer, some of a long one. */
function offsets(length: number): number[] {
  const step = Math.max(1, Math.floor(length / 150));
  return Array.from({ length: Math.ceil(length / step) }, (_, i) => i * step);
}

function noise(length: number): Uint8Array {
  let state = 12345;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1103515245) + 12345) | 0;
    return state >>> 24;
  });
}

export interface BytesCodecContract {
  /** Whether a checksum detects every changed bit. */
  readonly detectsFlips: boolean;
  /** Unit of lengths: the codec accepts multiples of it, in bytes. @default 1 */
  readonly unit?: number;
}

/** The contract of lossless bytes-to-bytes codecs. */
export function describeBytesCodec(
  name: string,
  codec: BoundBytesToBytes,
  contract: BytesCodecContract,
): void {
  const unit = contract.unit ?? 1;
  const smooth = Uint8Array.from({ length: 24 * 40 }, (_, i) => (i % 4 === 0 ? i >> 2 : 0));
  const samples = { empty: new Uint8Array(0), short: noise(unit), smooth, random: noise(unit * 700) };

  describe(`codec contract: ${name}`, () => {
    test.each(Object.entries(samples))('round trip: %s', (_title, sample) => {
      const before = sample.slice();
      const encoded = codec.encode(sample).slice();
      expect(sample).toEqual(before);
      const stored = encoded.slice();
      const size = exactly(sample.length);
      expect(codec.decode(encoded, size).slice()).toEqual(sample);
      expect(codec.decode(encoded, size, new Uint8Array(sample.length)).slice()).toEqual(sample);
      expect(codec.decode(encoded, atMost(sample.length + 100)).slice()).toEqual(sample);
      expect(encoded).toEqual(stored);
      const bound = codec.encodedSize(size);
      if (bound.kind === 'exact') expect(encoded.length).toBe(bound.bytes);
      else expect(encoded.length).toBeLessThanOrEqual(bound.bytes);
    });

    test('input can be a part of a larger buffer at an odd address', () => {
      const encoded = codec.encode(smooth);
      const larger = noise(encoded.length + 30);
      larger.set(encoded, 13);
      const part = larger.subarray(13, 13 + encoded.length);
      expect(codec.decode(part, exactly(smooth.length)).slice()).toEqual(smooth);
      expect(codec.encode(larger.subarray(1, 1 + unit * 8)).slice()).toEqual(
        codec.encode(larger.slice(1, 1 + unit * 8)).slice(),
      );
    });

    test('encoded bytes are unaffected by further calls', () => {
      const encoded = codec.encode(smooth);
      const kept = encoded.slice();
      codec.decode(codec.encode(samples.random).slice(), exactly(samples.random.length));
      expect(encoded).toEqual(kept);
    });

    test('the result can be the input of the same codec', () => {
      const twice = codec.encode(codec.encode(smooth));
      const once = codec.decode(twice, atMost(2 ** 16));
      expect(codec.decode(once, exactly(smooth.length)).slice()).toEqual(smooth);
    });

    test('a result of another size is rejected', () => {
      const encoded = codec.encode(smooth).slice();
      for (const expected of [0, smooth.length - unit, smooth.length + unit, smooth.length * 50])
        expect(errorCode(() => codec.decode(encoded, exactly(expected)))).toBe('CODEC_ERROR');
      expect(errorCode(() => codec.decode(encoded, atMost(smooth.length - 1)))).toBe('LIMIT_EXCEEDED');
    });

    test('truncated input is rejected', () => {
      const encoded = codec.encode(smooth).slice();
      for (const end of offsets(encoded.length)) {
        const result = attempt(() => codec.decode(encoded.subarray(0, end), exactly(smooth.length)).slice());
        expect(result, `cut at ${end}`).toBeUndefined();
      }
    });

    test('flipped bits result in an error or a result of the right size', () => {
      const encoded = codec.encode(smooth).slice();
      for (const at of offsets(encoded.length)) {
        const broken = encoded.slice();
        broken[at] = (broken[at] ?? 0) ^ (1 << (at % 8));
        const result = attempt(() => codec.decode(broken, exactly(smooth.length)).slice());
        if (result === undefined) continue;
        expect(result.length).toBe(smooth.length);
        if (contract.detectsFlips) expect(result, `bit of byte ${at}`).toEqual(smooth);
      }
    });

    test('arbitrary bytes result in an error or a result of the right size', () => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(300), (bytes, size) => {
          const result = attempt(() => codec.decode(bytes, atMost(size)));
          expect(result?.length ?? 0).toBeLessThanOrEqual(size);
        }),
        { numRuns: 200 },
      );
    });

    test('arbitrary bytes round-trip', () => {
      const values = fc
        .uint8Array({ maxLength: 300 })
        .map((bytes) => bytes.slice(0, bytes.length - (bytes.length % unit)));
      fc.assert(
        fc.property(values, (bytes) => {
          expect(codec.decode(codec.encode(bytes).slice(), exactly(bytes.length)).slice()).toEqual(bytes);
        }),
        { numRuns: 100 },
      );
    });
  });
}

/** The contract of array-to-bytes codecs. `values` fill one chunk. */
export function describeArrayToBytes(name: string, codec: ListedCodec, values: ListedValues): void {
  const copy = (given: ListedValues): ListedValues =>
    'bytes' in given ? { bytes: given.bytes.slice() } : { items: structuredClone(given.items) };
  const size = 2 ** 24;

  describe(`codec contract: ${name}`, () => {
    test('values round-trip', () => {
      const before = copy(values);
      const encoded = codec.encode(values);
      expect(values).toEqual(before);
      const stored = encoded.slice();
      expect(copy(codec.decode(encoded, size))).toEqual(before);
      expect(encoded).toEqual(stored);
      if (codec.encodedSize.kind === 'exact') expect(encoded.length).toBe(codec.encodedSize.bytes);
      else expect(encoded.length).toBeLessThanOrEqual(codec.encodedSize.bytes);
    });

    test('values at an odd address are read', () => {
      const encoded = codec.encode(values);
      const larger = new Uint8Array(encoded.length + 9);
      larger.set(encoded, 3);
      const part = larger.subarray(3, 3 + encoded.length);
      expect(copy(codec.decode(part, size))).toEqual(copy(values));
    });

    test('truncated and extended input is rejected', () => {
      const encoded = codec.encode(values).slice();
      for (const end of offsets(encoded.length))
        expect(
          errorCode(() => codec.decode(encoded.subarray(0, end), size)),
          `cut at ${end}`,
        ).toBe('CODEC_ERROR');
      const longer = new Uint8Array(encoded.length + 1);
      longer.set(encoded);
      expect(errorCode(() => codec.decode(longer, size))).toBe('CODEC_ERROR');
    });

    test('flipped bits result in an error or a result of the right size', () => {
      const encoded = codec.encode(values).slice();
      for (const at of offsets(encoded.length)) {
        const broken = encoded.slice();
        broken[at] = (broken[at] ?? 0) ^ (1 << (at % 8));
        const result = attempt(() => codec.decode(broken, size));
        if (result === undefined) continue;
        if ('bytes' in values) expect('bytes' in result && result.bytes.length).toBe(values.bytes.length);
        else expect('items' in result && result.items.length).toBe(values.items.length);
      }
    });

    test('arbitrary bytes result in an error or a result of the right size', () => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
          const result = attempt(() => codec.decode(bytes, size));
          const length =
            result === undefined ? 0 : 'bytes' in result ? result.bytes.length : result.items.length;
          expect(length).toBeLessThanOrEqual('bytes' in values ? values.bytes.length : values.items.length);
        }),
        { numRuns: 200 },
      );
    });
  });
}
