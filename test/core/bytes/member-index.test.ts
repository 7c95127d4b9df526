import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type MemberIndex, MemberIndexBuilder } from '../../../server/core/bytes/member-index.js';
import { JsonReader, parseJson } from '../../../server/core/bytes/parse-json.js';
import { runToEnd } from '../../../server/core/turns.js';

function indexOf(json: string): MemberIndex {
  const builder = new MemberIndexBuilder(new JsonReader(Buffer.from(json)));
  runToEnd(builder.object());
  return runToEnd(builder.finish());
}

function valueIn(index: MemberIndex, key: string): unknown {
  const span = index.get(key);
  return span === undefined ? undefined : parseJson(index.bytes.subarray(span.start, span.end));
}

const keys = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 5 }),
  fc
    .array(fc.constantFrom('a', 'b', 'é', '"', '\\', '.zarray'), { maxLength: 4 })
    .map((parts) => parts.join('/')),
);
/** As Python writes: with or without escapes of characters outside of ASCII. */
const escaped = (json: string): string =>
  json
    .replace(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('/', '\\/');

describe('index of the members of a JSON object', () => {
  test('finds what JSON.parse finds, and lists the same keys', () => {
    const values = fc.oneof(
      fc.integer(),
      fc.string(),
      fc.array(fc.integer()),
      fc.dictionary(fc.string(), fc.boolean()),
    );
    fc.assert(
      fc.property(
        fc.dictionary(keys, values, { maxKeys: 40 }),
        keys,
        fc.boolean(),
        (object, other, isEscaped) => {
          const json = JSON.stringify(object, undefined, 1);
          const index = indexOf(isEscaped ? escaped(json) : json);
          for (const [key, value] of Object.entries(object)) expect(valueIn(index, key)).toEqual(value);
          expect(valueIn(index, other)).toEqual(Object.hasOwn(object, other) ? object[other] : undefined);
          expect(runToEnd(index.allBelow('')).sort()).toEqual(Object.keys(object).sort());
          expect(runToEnd(index.keysNamed(['.zarray'])).sort()).toEqual(
            Object.keys(object)
              .filter((key) => key.split('/').at(-1) === '.zarray')
              .sort(),
          );
          for (const folder of ['', 'a', 'a/b', 'é']) {
            const inside = folder === '' ? '' : `${folder}/`;
            const rests = Object.keys(object).filter((key) => key.startsWith(inside)).map((key) => key.slice(inside.length)); // prettier-ignore
            const found = runToEnd(index.below(folder));
            expect([...found.keys].sort()).toEqual(rests.filter((rest) => !rest.includes('/')).map((rest) => inside + rest).sort()); // prettier-ignore
            expect([...found.folders].sort()).toEqual([...new Set(rests.filter((rest) => rest.includes('/')).map((rest) => rest.slice(0, rest.indexOf('/'))))].sort()); // prettier-ignore
          }
        },
      ),
    );
  });

  test('a backslash of a key is not the start of an escape', () => {
    // Which keys are compared depends on their hashes, so that there are many.
    for (let set = 0; set < 50; set++) {
      const keysOfSet = Array.from({ length: 200 }, (_, i) => `"${set}-${i}`);
      const index = indexOf(JSON.stringify(Object.fromEntries(keysOfSet.map((key, i) => [key, i]))));
      expect(keysOfSet.map((key) => valueIn(index, key))).toEqual([...keysOfSet.keys()]);
      expect(index.get('\\')).toBeUndefined();
    }
  });

  test('many keys', () => {
    const index = indexOf(`{${Array.from({ length: 20_000 }, (_, i) => `"v/${i}":[${i}]`).join(',')}}`);
    for (const i of [0, 1, 9_999, 19_999]) expect(valueIn(index, `v/${i}`)).toEqual([i]);
    expect(index.get('v/20000')).toBeUndefined();
    expect(runToEnd(index.below('v')).keys).toHaveLength(20_000);
  });

  test.each([
    ['a repeated key', '{"a":1,"b":2,"a":3}', /key "a" is repeated/],
    ['a repeated key with an escape', '{"a":1,"\\u0061":3}', /key "a" is repeated/],
    ['an unfinished object', '{"a":1', /unexpected end/],
    ['an unfinished value', '{"a":[1', /expected a value|ends/],
    ['an unfinished key', '{"a', /ends within a string/],
    ['a key that is no text', '{1:2}', /expected a key/],
    ['a missing comma', '{"a":1 "b":2}', /expected ","/],
    ['a control character in a key', '{"a\u0001":1}', /control character/],
    ['a very long key', `{"${'a'.repeat(70_000)}":1}`, /more than 65536 bytes/],
    ['a list', '[]', /expected "\{"/],
  ])('%s is an error', (_, json, message) => {
    expect(() => indexOf(json)).toThrow(message);
  });

  test('keys that are not UTF-8 are errors of lists', () => {
    const builder = new MemberIndexBuilder(new JsonReader(Buffer.from('{"\xff":1}', 'latin1')));
    runToEnd(builder.object());
    const index = runToEnd(builder.finish());
    expect(() => runToEnd(index.allBelow(''))).toThrow(/UTF-8/);
  });
});
