/**
 * Reads every case of the matrix. The cases follow the specifications, and other implementations have
 * confirmed their values.
 */
import { describe, expect, test } from 'vitest';
import { openHierarchy } from '../../server/zarr/index.js';
import { expectCase, jsonEntries, readCases } from './cases.js';
import type { Case } from './expected-layout.js';
import { openFixture } from './open-fixture.js';
import { fixtures } from '../setup/fixtures.js';

interface GroupCase {
  readonly id: string;
  readonly path: string;
  readonly type: 'group';
  readonly attributes: unknown;
  /** Every node of the store, bypassing stale consolidated metadata. */
  readonly tree: Record<string, 'group' | 'array'>;
}

const cases = readCases<Case | GroupCase>('matrix');

describe('matrix', () => {
  const arrays = cases.filter((c): c is Case => !('type' in c));
  test('has its cases', () => expect(arrays.length).toBeGreaterThan(800));
  test.each(arrays.map((c) => [c.id, c] as const))('%s', (_, c) => expectCase(`${fixtures}matrix`, c));
});

describe('groups of the matrix', () => {
  const groups = cases.filter((c) => 'type' in c);
  test.each(groups.map((c) => [c.id, c] as const))('%s', async (id, c) => {
    const hierarchy = openHierarchy(await openFixture(`${fixtures}matrix/${c.path}`));
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
