import { createHmac } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import fc from 'fast-check';
import { parseByteRange } from '../server/gateway/byte-range.js';
import { openToken, signToken } from '../server/transport/href/token.js';
import { readFileSync } from 'node:fs';
import { npyHeader } from '../server/transport/forms/npy.js';
import { type DataType, isFixedSize } from '../server/zarr/index.js';
import { parseNumpyType } from '../server/core/dtype/notation.js';
import { fixtures } from './setup/fixtures.js';
import { chooseMediaType } from '../server/transport/accept.js';
import { Base64Text } from '../server/transport/base64-text.js';
import { timeSlicedBody } from '../server/transport/time-sliced-body.js';

const json = 'application/json';
const response = 'application/graphql-response+json';

test.each([
  [null, json],
  ['', json],
  ['*/*', json],
  ['application/*', json],
  ['application/json', json],
  ['application/graphql-response+json', response],
  ['application/graphql-response+json, application/json', response],
  ['application/json, application/graphql-response+json', json],
  ['application/json;q=0.5, application/graphql-response+json', response],
  ['application/json; q=0.5, */*; q=0.1', json],
  ['application/graphql-response+json;q=0, */*', json],
  ['APPLICATION/JSON ; charset=UTF-8', json],
  ['application/json; charset="utf-8"', json],
  ['application/json; charset=latin1', undefined],
  ['text/html', undefined],
  ['application/json;q=0', undefined],
  ['text/event-stream, text/*', undefined],
  ['nonsense', undefined],
])('the media type for Accept: %j is %s', (accept, expected) => {
  expect(chooseMediaType(accept ?? '', [json, response])).toBe(expected);
});

test.each([0, 1, 2, 3, 4, 49_151, 49_152, 49_153, 300_001])('%d bytes as one base64 text', (length) => {
  const whole = new Uint8Array(length + 5).map((_, i) => (i * 7919) % 251);
  const bytes = whole.subarray(5);
  const text = new Base64Text(bytes);
  expect(text.toString()).toBe(Buffer.from(bytes).toString('base64'));
  expect(JSON.parse(JSON.stringify({ text }))).toEqual({ text: Buffer.from(bytes).toString('base64') });
  for (const piece of text.pieces()) expect(piece.length).toBeLessThanOrEqual(2 ** 16);
  expect(Base64Text.lengthOf(length)).toBe(text.toString().length);
});

test('concurrent responses encode each piece of a kept base64 text once', () => {
  const bytes = Uint8Array.from({ length: 300_001 }, (_, i) => i * 7);
  const kept = { bytes: new Uint8Array(Base64Text.lengthOf(bytes.length)), filled: 0 };
  const text = new Base64Text(bytes, () => kept);
  const responses = Array.from({ length: 3 }, () => ({ parts: text.parts(), taken: [] as Buffer[] }));
  const take = (response: number): boolean => {
    const { parts, taken } = responses[response] ?? {};
    const next = parts?.next();
    if (next === undefined || next.done === true) return false;
    taken?.push(Buffer.from(next.value));
    return true;
  };
  take(0);
  expect(kept.filled).toBe(2 ** 16);
  for (const response of [1, 0, 2]) while (take(response));
  for (const { taken } of responses) expect(Buffer.concat(taken).toString()).toBe(text.toString());
  expect(responses.map(({ taken }) => taken.length)).toEqual([2, 7, 1]);
});

function* pieces(count: number, length: number): Generator<string> {
  for (let i = 0; i < count; i++) yield String(i % 10).repeat(length);
}

test('short output is one buffer', () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  expect(timeSlicedBody(pieces(3, 2))).toEqual([Buffer.from('001122')]);
  expect(timeSlicedBody(pieces(0, 1))).toEqual([]);
  clock.mockRestore();
});

test('bytes are passed through between joined texts', () => {
  const bytes = new Uint8Array(2 ** 22);
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  const body = timeSlicedBody(['a', 'b', bytes, new Uint8Array(0), 'c'].values()) as readonly Uint8Array[];
  clock.mockRestore();
  expect(body.map((buffer) => buffer.length)).toEqual([2, 2 ** 22, 1]);
  expect(body[1]).toBe(bytes);
});

test('long output is a time-sliced stream', async () => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  function* slowPieces(): Generator<string> {
    for (const piece of pieces(200, 2 ** 16)) {
      now += 1;
      yield piece;
    }
  }
  try {
    const body = timeSlicedBody(slowPieces());
    expect(body).toBeInstanceOf(ReadableStream);
    let turns = 0;
    const countTurns = (): void => {
      turns++;
      counting = setImmediate(countTurns);
    };
    let counting = setImmediate(countTurns);
    const text = await new Response(body as ReadableStream).text();
    clearImmediate(counting);
    expect(text).toBe([...pieces(200, 2 ** 16)].join(''));
    expect(turns).toBeGreaterThanOrEqual(200 / 4 - 2);
  } finally {
    clock.mockRestore();
  }
});

test('a reader that disconnects ends the output', async () => {
  let made = 0;
  let ended = false;
  function* endless(): Generator<string> {
    try {
      for (;;) {
        made++;
        yield 'x'.repeat(2 ** 16);
      }
    } finally {
      ended = true;
    }
  }
  const reader = (timeSlicedBody(endless()) as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  await reader.cancel();
  const before = made;
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(ended).toBe(true);
  expect(made).toBe(before);
});

// Links.

const key = 'an unknown key';
const claims = { expires: 1000, recipe: { store: 's', path: '/a' } };

describe('a token', () => {
  test('returns the signed content until it expires', () => {
    const token = signToken(claims, key);
    expect(openToken(token, [key], 999)).toEqual({ kind: 'valid', claims, expires: 1000 });
    expect(openToken(token, [key], 1000)).toEqual({ kind: 'expired' });
  });

  test('is verified by every configured key and no other', () => {
    const token = signToken(claims, 'the key of last week');
    expect(openToken(token, [key, 'the key of last week'], 0).kind).toBe('valid');
    expect(openToken(token, [key], 0).kind).toBe('forged');
    expect(openToken(token, [], 0).kind).toBe('forged');
  });

  test('is invalid if any character is changed, added or removed', () => {
    const token = signToken(claims, key);
    const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=';
    for (let i = 0; i < token.length; i++) {
      expect(openToken(token.slice(0, i) + token.slice(i + 1), [key], 0).kind).toBe('forged');
      for (const character of characters) {
        const changed = token.slice(0, i) + character + token.slice(i + 1);
        if (changed !== token) expect(openToken(changed, [key], 0).kind).toBe('forged');
      }
    }
    for (const character of characters) expect(openToken(token + character, [key], 0).kind).toBe('forged');
  });

  test('an invented token is invalid', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 100 }), (text) => {
        expect(openToken(text, [key], 0).kind).toBe('forged');
      }),
    );
    expect(openToken('A'.repeat(1_000_000), [key], 0).kind).toBe('forged');
  });
});

test.each([
  [null, undefined],
  ['bytes=0-0', { from: 0, to: 1 }],
  ['bytes=0-99', { from: 0, to: 100 }],
  ['bytes=0-1000', { from: 0, to: 100 }],
  ['bytes=10-', { from: 10, to: 100 }],
  ['Bytes= 10-19', { from: 10, to: 20 }],
  ['bytes=-1', { from: 99, to: 100 }],
  ['bytes=-1000', { from: 0, to: 100 }],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=99999999999999999999-', 'unsatisfiable'],
  ['bytes=0-1, 5-6', undefined],
  ['bytes=5-4', undefined],
  ['bytes=-', undefined],
  ['bytes=a-b', undefined],
  ['items=0-1', undefined],
  ['', undefined],
])('the range %s of 100 bytes', (header, expected) => {
  expect(parseByteRange(header, 100)).toEqual(expected);
});

test('an empty file has no satisfiable range', () => {
  expect(parseByteRange('bytes=0-', 0)).toBe('unsatisfiable');
  expect(parseByteRange('bytes=-5', 0)).toBe('unsatisfiable');
});

// NPY headers, compared with files saved by NumPy (test/fixtures/npy).

interface Saved {
  readonly name: string;
  readonly descr: string | [];
  readonly shape: number[];
  readonly values: string;
  readonly file: string;
}
const saved: Saved[] = JSON.parse(readFileSync(`${fixtures}npy/reference.json`, 'utf8'));

test.each(saved)('the header of $name equals that of NumPy', ({ descr, shape, values, file }) => {
  const { dtype } = parseNumpyType(descr);
  if (!isFixedSize(dtype)) throw new Error(`unknown type ${JSON.stringify(descr)}`);
  const bytes = Buffer.from(values, 'base64');
  const written = Buffer.concat([npyHeader(dtype, shape), bytes]);
  expect(written.equals(Buffer.from(file, 'base64')), written.toString('latin1', 0, 300)).toBe(true);
});

test('the reference files cover all versions of the format', () => {
  expect(new Set(saved.map(({ file }) => Buffer.from(file, 'base64')[6]))).toEqual(new Set([1, 2, 3]));
});

describe('NPY does not support', () => {
  test.each<DataType>([
    { name: 'string', itemSize: null },
    { name: 'variable_length_bytes', itemSize: null },
    { name: 'json', itemSize: null },
    { name: 'ragged', itemSize: null, item: { name: 'int8', itemSize: 1 } },
    { name: 'unknown', itemSize: null, given: 'int2' },
  ])('$name', (dtype) => {
    expect(() => npyHeader(dtype, [3])).toThrow(/no fixed size.*JSON or CSV/);
  });
});

test.each([
  ['bytes that are not compressed', Buffer.from('zzz')],
  ['text that is not JSON', deflateRawSync('{')],
  ['more text than a link has', deflateRawSync(' '.repeat(2 ** 20 + 1))],
])('a signed token with %s is forged', (_, packed) => {
  const sign = createHmac('sha256', 'a key').update('zarrql href 1\n').update(packed).digest('base64url');
  expect(openToken(`${packed.toString('base64url')}.${sign}`, ['a key'], 0)).toEqual({ kind: 'forged' });
});
