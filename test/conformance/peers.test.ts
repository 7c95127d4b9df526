/** Arrays from the test suites of other implementations. */
import { toTypedArray } from '../../server/zarr/dtype/arrays.js';
import { describe, expect, test } from 'vitest';
import { openHierarchy } from '../../server/zarr/index.js';
import { expectCase, openCase, readCases } from './cases.js';
import { openFixture } from './open-fixture.js';
import { fixtures } from '../setup/fixtures.js';

const cases = readCases('peers');

describe('peers: values that another reader confirms', () => {
  const known = cases.filter((c) => c.expected !== null);
  test('has its cases', () => expect(known.length).toBeGreaterThan(100));
  test.each(known.map((c) => [c.id, c] as const))('%s', (_, c) => expectCase(`${fixtures}peers`, c));
});

describe('peers: types and codecs that only some implementations have', () => {
  const foreign = cases.filter((c) => c.expected === null && /pcodec|zfpy|optional/.test(c.id));
  test('has its cases', () => expect(foreign.length).toBe(5));
  test.each(foreign.map((c) => [c.id, c] as const))('%s: opens, its values are UNSUPPORTED', async (_, c) => {
    const array = await openCase(`${fixtures}peers`, c);
    expect(array.shape).toEqual(c.shape);
    expect(array.meta.codecs.length).toBeGreaterThan(0);
    await expect(array.select({ kind: 'all' }).read()).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });
});

describe('peers: json2 objects, which no current Python reader opens', () => {
  const objects = cases.filter((c) => c.id.includes('json2'));
  test('has its cases', () => expect(objects.length).toBe(2));
  // The chunk is plain text: ["foo","bar","baz","qux","|O",[4]]
  test.each(objects.map((c) => [c.id, c] as const))('%s', async (_, c) => {
    const block = await (await openCase(`${fixtures}peers`, c)).select({ kind: 'all' }).read();
    expect('items' in block && toTypedArray(block)).toEqual(['foo', 'bar', 'baz', 'qux']);
  });
});

test('peers: a storage transformer is rejected', async () => {
  const store = await openFixture(`${fixtures}peers/zarr-java/storage_transformer-exists.zarr`);
  const error = await openHierarchy(store)
    .array('/')
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: expect.stringMatching(/^(UNSUPPORTED|INVALID_METADATA)$/) });
  expect(String(error)).toContain('storage_transformers');
});
