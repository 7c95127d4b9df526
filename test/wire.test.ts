import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { decodeBase64, encodeBase64, parseBase64 } from '../wire/base64.js';
import { widenHalves } from '../wire/float16.js';

afterEach(() => vi.unstubAllGlobals());

/** RFC 4648, section 10. */
const vectors = [['', ''], ['f', 'Zg=='], ['fo', 'Zm8='], ['foo', 'Zm9v'], ['foob', 'Zm9vYg=='], ['fooba', 'Zm9vYmE='], ['foobar', 'Zm9vYmFy']] as const; // prettier-ignore

describe.each([
  ['Buffer', () => undefined],
  ['atob', () => vi.stubGlobal('Buffer', undefined)],
])('decodeBase64 with %s', (_name, arrange) => {
  test.each(vectors)('%j is %j', (plain, text) => {
    arrange();
    expect([...(decodeBase64(text, plain.length) ?? [])]).toEqual([...new TextEncoder().encode(plain)]);
  });

  test('bytes have their own buffer, aligned for every typed array', () => {
    arrange();
    const bytes = decodeBase64('AAAAAAAA8D8=', 8) ?? new Uint8Array(0);
    expect(bytes.byteOffset).toBe(0);
    expect(bytes.buffer.byteLength).toBe(8);
    expect([...new Float64Array(bytes.buffer)]).toEqual([1]);
  });

  test.each([
    ['a length that is not a multiple of 4', 'Zm9vY', 3],
    ['more bytes than expected', 'Zm9vYmFy', 5],
    ['fewer bytes than expected', 'Zm9v', 6],
    ['a character outside the alphabet', 'Zm9!', 3],
    ['a character beyond ASCII', 'Zm9\u00e9', 3],
    ['padding in the middle', 'Zg==Zm9v', 6],
    ['white space', 'Zm9v\n\n\n\n', 6],
  ])('rejects %s', (_what, text, length) => {
    arrange();
    expect(decodeBase64(text, length)).toBeUndefined();
  });
});

test.each([
  ['the alphabet of base64url', 'Zm9_'],
  ['white space', 'Zm9v\n\n\n\n'],
  ['a length that is not a multiple of 4', 'Zm9vY'],
  ['padding in the middle', 'Zg==Zm9v'],
])('parseBase64 rejects %s', (_what, text) => {
  expect(parseBase64(text)).toBeUndefined();
});

test.each([
  ['Buffer', () => undefined],
  ['atob and btoa', () => vi.stubGlobal('Buffer', undefined)],
])('parseBase64 reverses encodeBase64 with %s', (_name, arrange) => {
  arrange();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      expect(parseBase64(encodeBase64(bytes))).toEqual(new Uint8Array(bytes));
    }),
  );
});

test('Uint8Array.fromBase64 is used if the engine has it', () => {
  const fromBase64 = vi.fn<(text: string) => Uint8Array>(
    (text) => new Uint8Array(Buffer.from(text, 'base64')),
  );
  Object.defineProperty(Uint8Array, 'fromBase64', { value: fromBase64, configurable: true });
  try {
    expect([...(decodeBase64('Zm9v', 3) ?? [])]).toEqual([102, 111, 111]);
    expect(fromBase64).toHaveBeenCalledOnce();
  } finally {
    Reflect.deleteProperty(Uint8Array, 'fromBase64');
  }
});

/** Reference values from IEEE 754 binary16. */
test.each([
  [0x0000, 0], [0x8000, -0], [0x0001, 2 ** -24], [0x8001, -(2 ** -24)], [0x03ff, 1023 * 2 ** -24],
  [0x0400, 2 ** -14], [0x3555, 0.333251953125], [0x3c00, 1], [0xc000, -2], [0x7bff, 65504],
  [0x7c00, Infinity], [0xfc00, -Infinity], [0x7e00, NaN],
] as const)('widenHalves: %i is %d', (half, value) => {
  expect(widenHalves(Uint16Array.of(half))[0]).toBe(value);
}); // prettier-ignore

test('a NaN keeps its sign and payload', () => {
  const floats = widenHalves(Uint16Array.of(0xfe01, 0x7d55));
  expect([...new Uint32Array(floats.buffer)]).toEqual([0xffc02000, 0x7faaa000]);
});

test('every half has the value of its bits', () => {
  const halves = Uint16Array.from({ length: 65536 }, (_, i) => i);
  const floats = widenHalves(halves);
  const wrong = [...halves].filter((half, i) => {
    const [sign, exponent, fraction] = [half >> 15 ? -1 : 1, (half >> 10) & 31, half & 1023];
    const finite = exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25);
    const expected = exponent < 31 ? sign * finite : fraction === 0 ? sign * Infinity : NaN;
    return !Object.is(floats[i], expected);
  });
  expect(wrong).toEqual([]);
});
