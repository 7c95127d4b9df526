/** Arrays of writers not covered by the matrix and the peers (fixtures/writers/make_writers.py). */
import { describe, expect, test } from 'vitest';
import { openHierarchy } from '../../server/zarr/index.js';
import { expectCase, readCases } from './cases.js';
import { openFixture } from './open-fixture.js';
import { fixtures } from '../setup/fixtures.js';

const root = `${fixtures}writers`;
const cases = readCases('writers');

describe('values that other writers read back', () => {
  test('has its cases', () => expect(cases.length).toBeGreaterThan(12));
  test.each(cases.map((c) => [c.id, c] as const))('%s', (_, c) => expectCase(root, c));
});

// libnetcdf writes an elementsize of 0 and shuffles by the size of the data type; numcodecs interprets 0 as
// "not shuffled".
describe("libnetcdf's shuffle of 0", () => {
  const shuffled = readCases('writers', 'netcdf-shuffle.jsonl').map((c) => [c.id, c] as const);

  async function valuesOf(path: string, node: string, netcdfShuffle?: boolean) {
    const array = await openHierarchy(await openFixture(`${root}/${path}`), { netcdfShuffle }).array(node);
    const block = await array.select({ kind: 'all' }).read();
    return 'bytes' in block ? Buffer.from(block.bytes).toString('base64') : '';
  }

  test('by default it follows libnetcdf for NCZarr arrays', async () => {
    for (const [id, { path, node, expected }] of shuffled)
      if (id.includes('nczarr')) expect(await valuesOf(path, node)).toBe(expected);
      else expect(await valuesOf(path, node)).toBe(await valuesOf(path, node, false));
  });

  test.each(shuffled)(
    'follows libnetcdf with netcdfShuffle: true: %s',
    async (_, { path, node, expected }) => {
      expect(await valuesOf(path, node, true)).toBe(expected);
    },
  );

  test.each(shuffled)(
    'follows numcodecs with netcdfShuffle: false: %s',
    async (_, { path, node, expected }) => {
      expect(await valuesOf(path, node, false)).not.toBe(expected);
    },
  );
});
