/**
 * A hierarchy restricted to a caller's permissions: equals the complete hierarchy without the hidden nodes.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemoryStore, type Hierarchy, openHierarchy } from '../../server/zarr/index.js';

const name = fc.constantFrom('a', 'b', 'ab', 'c');
const path = fc.array(name, { minLength: 0, maxLength: 3 }).map((parts) => `/${parts.join('/')}`);

const within = (inner: string, outer: string): boolean =>
  outer === '/' || inner === outer || inner.startsWith(`${outer}/`);

async function hierarchyOf(paths: readonly string[], consolidated: boolean): Promise<Hierarchy> {
  const store = createMemoryStore({ label: 's' });
  const hierarchy = openHierarchy(store);
  await hierarchy.createGroup('/');
  for (const one of paths) await hierarchy.createGroup(one, { ifExists: 'keep' });
  if (consolidated) await hierarchy.consolidate('/');
  return hierarchy;
}

async function pathsOf(
  hierarchy: Hierarchy,
  base: string,
  recursive: boolean,
  after?: string,
): Promise<string[]> {
  const found: string[] = [];
  const place = after === undefined ? {} : { after };
  for await (const entry of hierarchy.walk(base, { recursive, throughFolders: true, ...place }))
    found.push(entry.path);
  return found;
}

test('lists, counts and opens visible nodes for every kind of storage', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(path, { maxLength: 8 }),
      fc.array(path, { minLength: 1, maxLength: 2 }),
      path,
      fc.boolean(),
      fc.boolean(),
      fc.option(path, { nil: undefined }),
      async (paths, granted, base, consolidated, recursive, after) => {
        const whole = await hierarchyOf(paths, consolidated);
        const canRead = (one: string): boolean => granted.some((grant) => within(one, grant));
        const canTraverse = (one: string): boolean =>
          canRead(one) || granted.some((grant) => within(grant, one));
        const restricted = whole.restrictTo({ canRead, canTraverse });
        const all = await pathsOf(whole, base, recursive, after);
        expect(await pathsOf(restricted, base, recursive, after)).toEqual(all.filter(canRead));
        for (const one of ['/', ...paths, base]) {
          const node = await restricted.node(one);
          expect(node?.path).toBe(canRead(one) ? (await whole.node(one))?.path : undefined);
        }
        const counted = await whole.count(base, { recursive });
        const expected = (await pathsOf(whole, base, recursive)).filter(canRead).length;
        expect(await restricted.count(base, { recursive })).toBe(
          counted === undefined ? undefined : expected,
        );
        for (const near of await restricted.nearestPaths(`${base === '/' ? '' : base}/zz`))
          expect(canRead(near)).toBe(true);
      },
    ),
    { numRuns: 150 },
  );
});

test('does not list hidden folders', async () => {
  const store = createMemoryStore({ label: 's' });
  const whole = openHierarchy(store);
  for (const one of ['/', '/a/x', '/b/y', '/b/z']) await whole.createGroup(one, { ifExists: 'keep' });
  const listed: string[] = [];
  const counting = {
    ...store,
    list: (
      prefix: string,
      ...rest: Parameters<typeof store.list> extends [string, ...infer R] ? R : never
    ) => {
      listed.push(prefix);
      return store.list(prefix, ...rest);
    },
  };
  const restricted = openHierarchy(counting).restrictTo({
    canRead: (one) => within(one, '/a/x'),
    canTraverse: (one) => within(one, '/a/x') || within('/a/x', one),
  });
  expect(await pathsOf(restricted, '/', true)).toEqual(['/a/x']);
  expect(listed).toEqual(['', 'a', 'a/x']);
});

test('changes nothing that is hidden', async () => {
  const whole = await hierarchyOf(['/a', '/b'], false);
  const restricted = whole.restrictTo({ canRead: (one) => within(one, '/a'), canTraverse: () => true });
  await expect(restricted.setAttributes('/b', { set: { x: 1 } })).rejects.toThrow('no node at this path');
  await expect(restricted.createGroup('/b/c')).rejects.toThrow('no node at this path');
  await expect(restricted.deleteNode('/b', { recursive: true })).rejects.toThrow('no node at this path');
  await restricted.createGroup('/a/c');
  expect(await pathsOf(whole, '/', true)).toEqual(['/a', '/a/c', '/b']);
});
