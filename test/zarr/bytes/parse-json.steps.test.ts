/** Parsing in parts, and finding values without parsing: equal to parsing at once, for any division. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compactSteps } from '../../../server/zarr/bytes/compact-json.js';
import type { JsonValue } from '../../../server/zarr/bytes/json.js';
import { JsonReader } from '../../../server/zarr/bytes/json-reader.js';
import { JsonScanner } from '../../../server/zarr/bytes/json-scanner.js';
import { parseJson, parseJsonSteps, parseJsonText } from '../../../server/zarr/bytes/parse-json.js';
import { printJson } from '../../../server/zarr/bytes/print-json.js';
import { runNow } from '../../../server/zarr/tree/turns.js';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Parses in pieces of this number of UTF-16 code units. */
function inPieces(text: string, units: number): JsonValue {
  const reader = new JsonReader(text, 64);
  while (!reader.run(units));
  return reader.value;
}

/** The result: the parsed value as JSON text, or the error. */
function outcome(parse: () => JsonValue): string {
  try {
    return printJson(parse());
  } catch (error) {
    return error instanceof Error ? error.message : 'no error';
  }
}

const json = fc.json({ maxDepth: 5, stringUnit: 'binary' });
/** JSON with the extensions of Zarr's writers, mostly corrupted. */
const nearlyJson = fc
  .array(
    fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"\\u00e9\\n"',
      '"b\\"c"',
      '1',
      '-0',
      '2.0',
      '1e3',
      '12345678901234567890',
      'NaN',
      '-Infinity',
      'true',
      'null',
      ' ',
      '\n',
      '"',
      '\\',
      'é',
    ),
    { maxLength: 30 },
  ) // prettier-ignore
  .map((parts) => parts.join(''));

test('parts of any size parse like JSON.parse', () => {
  fc.assert(
    fc.property(json, fc.integer({ min: 1, max: 20 }), (text, units) => {
      const value: unknown = JSON.parse(text);
      // Compared as text, because objects have no prototype; duplicate keys are rejected, unlike in JSON.parse.
      const parsed = outcome(() => inPieces(text, units));
      if (!parsed.includes('occurs twice')) expect(JSON.parse(parsed)).toEqual(value);
    }),
  );
});

test('parts of any size give the same result or error as the whole', () => {
  fc.assert(
    fc.property(fc.oneof(nearlyJson, json), fc.integer({ min: 1, max: 9 }), (text, units) => {
      expect(outcome(() => inPieces(text, units))).toBe(outcome(() => parseJsonText(text)));
    }),
    { numRuns: 2000 },
  );
});

test('steps over bytes equal the whole', () => {
  const text = JSON.stringify({
    long: 'é'.repeat(300_000),
    list: Array.from({ length: 20_000 }, (_, i) => i),
  });
  expect(runNow(parseJsonSteps(encode(text)))).toEqual(parseJson(encode(text)));
  expect(() => runNow(parseJsonSteps(new Uint8Array([0x22, 0xff, 0x22])))).toThrow('not valid UTF-8');
  expect(() => runNow(parseJsonSteps(encode('[1]'), { maxBytes: 2 }))).toThrow('are allowed');
});

test.each(['"' + '\\n'.repeat(100_000) + '"', `"${'x'.repeat(100_000)}"`, `{"${'k'.repeat(100_000)}":1}`])(
  'a long string does not lengthen a piece: %#',
  (text) => {
    const reader = new JsonReader(text, 64);
    let pieces = 1;
    while (!reader.run(1000)) pieces++;
    expect(pieces).toBeGreaterThan(90);
    expect(reader.value).toEqual(JSON.parse(text));
  },
);

test('an object has a bounded number of keys', () => {
  const text = `{${Array.from({ length: 2 ** 18 + 1 }, (_, i) => `"${i}":0`).join(',')}}`;
  expect(() => parseJsonText(text)).toThrow('more than 262144 keys');
});

test('a value is skipped completely, wherever a piece ends', () => {
  fc.assert(
    fc.property(json, fc.constantFrom('', ',', ']', '}', ' ', '\n,'), fc.integer({ min: 1, max: 9 }), (text, rest, step) => {
      const value = JSON.stringify(JSON.parse(text));
      const bytes = encode(value + rest);
      const scanner = new JsonScanner(bytes);
      while (!scanner.skip(scanner.at + step));
      expect(scanner.at).toBe(encode(value).length);
    }),
  ); // prettier-ignore
});

test('compact text equals JSON.stringify', () => {
  fc.assert(
    fc.property(json, (text) => {
      const value: unknown = JSON.parse(text);
      const indented = encode(JSON.stringify(value, null, 2));
      expect(Buffer.from(runNow(compactSteps(indented))).toString()).toBe(JSON.stringify(value));
    }),
  );
});
