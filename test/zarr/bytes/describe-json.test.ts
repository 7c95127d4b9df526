import { expect, test } from 'vitest';
import { describeJson } from '../../../server/zarr/bytes/describe-json.js';
import { parseJson } from '../../../server/zarr/bytes/parse-json.js';

test('short values are shown whole', () => {
  for (const text of [
    '1',
    '"a"',
    '[1,2.5,[3]]',
    '{"a":{"b":[null,true]}}',
    '[]',
    '{}',
    '12345678901234567890',
  ])
    expect(describeJson(parseJson(new TextEncoder().encode(text)))).toBe(text);
  expect(describeJson(undefined)).toBe('missing');
});

test('only the beginning of a long value is looked at', () => {
  let looked = 0;
  const item = { get a() { return ++looked; } }; // prettier-ignore
  const shown = describeJson({ list: Array.from({ length: 100_000 }, () => item), text: 'x'.repeat(1e6) });
  expect(shown).toMatch(/^\{"list":\[\{"a":1\},\{"a":2\}.*\.\.\.$/);
  expect(looked).toBeLessThan(100);
  expect(describeJson('x'.repeat(1e6))).toHaveLength(83);
});
