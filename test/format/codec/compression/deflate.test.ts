/** Both implementations of deflate, node:zlib and pako, return equal results. */
import { deflateRawSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Size } from '../../../../server/format/codec/codec.js';
import type { Deflate } from '../../../../server/format/codec/compression/deflate.js';
import { deflate as node } from '../../../../server/format/codec/compression/deflate-node.js';
import { deflate as pako } from '../../../../server/format/codec/compression/deflate-pako.js';
import { isZarrError } from '../../../../server/core/errors.js';
import { deflateReferences } from '../../../core/wasm/fixtures.js';

const formats = ['gzip', 'zlib'] as const;
const text = new TextEncoder().encode('to be or not to be, that is the question, '.repeat(200));

function outcomeOf(run: () => Uint8Array): string | Uint8Array {
  try {
    return run().slice();
  } catch (error) {
    if (isZarrError(error)) return error.code;
    throw error;
  }
}

function bothInflate(format: 'gzip' | 'zlib', source: Uint8Array, size: Size): string | Uint8Array {
  const [a, b] = [node, pako].map((deflate: Deflate) =>
    outcomeOf(() => deflate.inflate(format, source, size)),
  );
  expect(b).toEqual(a);
  return a ?? '';
}

test.each(deflateReferences.filter(({ codec }) => codec !== 'deflate'))('$title', (reference) => {
  const { codec, source, expected } = reference;
  const format = codec === 'gzip' ? 'gzip' : 'zlib';
  for (const kind of ['exact', 'atMost'] as const)
    expect(bothInflate(format, source, { kind, bytes: expected.length })).toEqual(expected);
});

describe.each(formats)('%s', (format) => {
  const stored = node.deflate(format, text, 5);
  const size = { kind: 'exact', bytes: text.length } as const;

  test('each implementation decodes its own output and the output of the other', () => {
    for (const level of [-1, 0, 1, 9]) {
      expect(bothInflate(format, node.deflate(format, text, level), size)).toEqual(text);
      expect(bothInflate(format, pako.deflate(format, text, level), size)).toEqual(text);
    }
  });

  test('decodes into a given buffer', () => {
    for (const deflate of [node, pako]) {
      const into = new Uint8Array(text.length);
      deflate.inflate(format, stored, size, into);
      expect(into).toEqual(text);
    }
  });

  test('every truncation is an error, and a flipped bit of any byte is an error or harmless', () => {
    for (let at = 0; at < stored.length; at++) {
      expect(bothInflate(format, stored.subarray(0, at), size)).toBe('CODEC_ERROR');
      const broken = stored.slice();
      broken[at] = (broken[at] ?? 0) ^ (1 << (at % 8));
      // The codes may differ: if size and checksum are both wrong, either can be reported first.
      const [a, b] = [node, pako].map((deflate) => outcomeOf(() => deflate.inflate(format, broken, size)));
      expect(typeof b).toBe(typeof a);
      for (const result of [a, b]) if (typeof result !== 'string') expect(result).toEqual(text);
    }
  });

  test('a wrong checksum is distinguished from other corruption', () => {
    const broken = stored.slice();
    const at = format === 'gzip' ? stored.length - 8 : stored.length - 4;
    broken[at] = (broken[at] ?? 0) ^ 1;
    expect(bothInflate(format, broken, size)).toBe('CHECKSUM_MISMATCH');
  });

  test('the other format is rejected', () => {
    const other = node.deflate(format === 'gzip' ? 'zlib' : 'gzip', text, 5);
    expect(bothInflate(format, other, size)).toBe('CODEC_ERROR');
  });

  test('a result of another size than expected is an error, and an unlimited size is not', () => {
    expect(bothInflate(format, stored, { kind: 'exact', bytes: text.length + 1 })).toBe('CODEC_ERROR');
    expect(bothInflate(format, stored, { kind: 'exact', bytes: 10 })).toBe('CODEC_ERROR');
    expect(bothInflate(format, stored, { kind: 'atMost', bytes: 10 })).toBe('LIMIT_EXCEEDED');
    expect(bothInflate(format, stored, { kind: 'atMost', bytes: Infinity })).toEqual(text);
    expect(
      bothInflate(format, node.deflate(format, new Uint8Array(0), 5), { kind: 'exact', bytes: 0 }),
    ).toEqual(new Uint8Array(0));
  });

  test('both implementations return the same result for arbitrary bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const exact = { kind: 'exact', bytes: bytes.length } as const;
        expect(bothInflate(format, node.deflate(format, bytes, 6), exact)).toEqual(bytes);
        bothInflate(format, bytes, exact);
      }),
      { numRuns: 200 },
    );
  });
});

describe('gzip files', () => {
  const member = (part: string): Uint8Array => new Uint8Array(gzipSync(part));
  const joined = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
  const size = { kind: 'exact', bytes: 6 } as const;

  test('members are concatenated, zeros after them are ignored, and other bytes are an error', () => {
    const members = joined(member('abc'), member('def'));
    const expected = new TextEncoder().encode('abcdef');
    expect(bothInflate('gzip', members, size)).toEqual(expected);
    expect(bothInflate('gzip', joined(members, new Uint8Array(512)), size)).toEqual(expected);
    expect(bothInflate('gzip', joined(members, new TextEncoder().encode('garbage')), size)).toBe(
      'CODEC_ERROR',
    );
    expect(bothInflate('gzip', members.subarray(0, members.length - 3), size)).toBe('CODEC_ERROR');
  });
});

describe('inflateInTurns decodes raw streams, and rejects corrupt ones', () => {
  const long = Uint8Array.from({ length: 300_000 }, (_, i) => (i * i) >> 7);
  const stored = new Uint8Array(deflateRawSync(long));

  async function inflate(deflate: Deflate, source: Uint8Array, signal?: AbortSignal): Promise<Buffer> {
    const pieces: Uint8Array[] = [];
    await deflate.inflateInTurns(source, (piece) => void pieces.push(piece.slice()), signal);
    return Buffer.concat(pieces);
  }

  test.each([
    ['node:zlib', node],
    ['pako', pako],
  ])('%s', async (_, deflate) => {
    expect((await inflate(deflate, stored)).equals(long)).toBe(true);
    const whole = deflate.inflate('raw', stored, { kind: 'exact', bytes: long.length });
    expect(Buffer.compare(whole, long)).toBe(0);
    await expect(inflate(deflate, stored.subarray(0, stored.length - 5))).rejects.toBeInstanceOf(Error);
    await expect(inflate(deflate, Uint8Array.of(0xff, ...stored))).rejects.toBeInstanceOf(Error);
    await expect(inflate(deflate, stored, AbortSignal.abort())).rejects.toBeInstanceOf(Error);
    const refuse = (): never => {
      throw new RangeError('enough');
    };
    await expect(deflate.inflateInTurns(stored, refuse)).rejects.toBeInstanceOf(Error);
  });
});
