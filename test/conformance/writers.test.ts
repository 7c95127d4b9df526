/** Arrays of writers that neither the matrix nor the peers have (fixtures/writers/make_writers.py). */
import { describe, expect, test } from 'vitest';
import { openHierarchy } from '../../server/zarr/index.js';
import { expectCase, fixtures, readCases } from './cases.js';
import { openFixture } from './open-fixture.js';

const root = `${fixtures}writers`;
const cases = readCases('writers');

describe('what other writers read back themselves', () => {
  test('has its cases', () => expect(cases.length).toBeGreaterThan(12));
  test.each(cases.map((c) => [c.id, c] as const))('%s', (_, c) => expectCase(root, c));
});

// The trap: libnetcdf writes 0 where it shuffles by the data type's size; to numcodecs that means not at all.
describe("libnetcdf's shuffle of 0", () => {
  const shuffled = readCases('writers', 'netcdf-shuffle.jsonl').map((c) => [c.id, c] as const);

  async function valuesOf(path: string, node: string, netcdfShuffle: boolean) {
    const array = await openHierarchy(await openFixture(`${root}/${path}`), { netcdfShuffle }).array(node);
    const block = await array.select({ kind: 'all' }).read();
    return 'bytes' in block ? Buffer.from(block.bytes).toString('base64') : '';
  }

  test.each(shuffled)('is its own for those who ask for that: %s', async (_, { path, node, expected }) => {
    expect(await valuesOf(path, node, true)).toBe(expected);
  });

  test.each(shuffled)('is that of numcodecs otherwise: %s', async (_, { path, node, expected }) => {
    expect(await valuesOf(path, node, false)).not.toBe(expected);
  });
});
