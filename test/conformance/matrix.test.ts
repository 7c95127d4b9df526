/** Every case of the matrix (written after the specifications, values checked by other implementations) reads back. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openHierarchy } from '../../server/zarr/index.js';
import { sameValues, toLayout, widthOf, type Case } from './expected-layout.js';
import { openFixture } from './open-fixture.js';

const folder = fileURLToPath(new URL('../fixtures/matrix/', import.meta.url));
const cases = readFileSync(`${folder}cases.jsonl`, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Case);

describe('matrix', () => {
  test.each(cases.filter((c) => c.expected != null).map((c) => [c.id, c] as const))('%s', async (_, c) => {
    const hierarchy = openHierarchy(await openFixture(folder + c.path));
    const array = await hierarchy.array(c.node);
    expect(array.shape).toEqual(c.shape);
    const block = await array.select({ kind: 'all' }).read();
    expect(block.shape).toEqual(c.shape);
    const got = toLayout(block, c.layout);
    const expected = Buffer.from(c.expected ?? '', 'base64');
    if (!sameValues(got, expected, c, widthOf(block))) expect(got.toString('base64')).toBe(c.expected);
    if (c.dimension_names !== undefined) expect(array.dimensionNames).toEqual(c.dimension_names);
  });
});
