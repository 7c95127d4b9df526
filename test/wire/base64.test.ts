import { afterEach, describe, expect, test, vi } from 'vitest';
import fc from 'fast-check';
import { decodeBase64, encodeBase64, parseBase64 } from '../../wire/base64.js';

afterEach(() => vi.unstubAllGlobals());

/** RFC 4648, section 10. */
const vectors = [['', ''], ['f', 'Zg=='], ['fo', 'Zm8='], ['foo', 'Zm9v'], ['foob', 'Zm9vYg=='], ['fooba', 'Zm9vYmE='], ['foobar', 'Zm9vYmFy']] as const; // prettier-ignore

describe.each([
  ['Buffer', () => undefined],
  ['atob', () => vi.stubGlobal('Buffer', undefined)],
])('with %s', (_name, arrange) => {
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
