/**
 * Reads every case of the matrix. The cases follow the specifications, and other implementations have
 * confirmed their values.
 */
import { describe, expect, test } from 'vitest';
import { openHierarchy } from '../../server/zarr/index.js';
import { expectCase, jsonEntries, openFixture } from './cases.js';
import { matrixArrays, matrixFolder, matrixGroups } from './matrix.js';

describe('matrix', () => {
  test('the fixtures contain the expected cases', () => expect(matrixArrays.length).toBeGreaterThan(800));
  test.each(matrixArrays.map((c) => [c.id, c] as const))('%s', (_, c) => expectCase(matrixFolder, c));
});

describe('groups of the matrix', () => {
  test.each(matrixGroups.map((c) => [c.id, c] as const))('%s', async (id, c) => {
    const hierarchy = openHierarchy(await openFixture(`${matrixFolder}/${c.path}`));
    const root = await hierarchy.group('/');
    expect(jsonEntries(root.meta.attributes)).toEqual(jsonEntries(c.attributes));
    const nodesOf = async (refresh: boolean): Promise<Record<string, string>> => {
      const found: [string, string][] = [['', 'group']];
      for await (const entry of hierarchy.walk('/', { recursive: true, refresh }))
        found.push([entry.path.slice(1), entry.kind]);
      return Object.fromEntries(found);
    };
    expect(await nodesOf(true)).toEqual(c.tree);
    const { 'a/x': _, ...listed } = c.tree;
    expect(await nodesOf(false)).toEqual(id.includes('stale') ? listed : c.tree);
  });
});
