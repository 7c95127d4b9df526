import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseGlobalId, printGlobalId } from '../../server/resolvers/nodes/global-id.js';
import { parsePathPattern } from '../../server/resolvers/nodes/path-pattern.js';
import { execute } from './gateway-client.js';
import { gatewayOf } from './mutating.js';

test.each([
  { kind: 'store', store: 's', path: '/' },
  { kind: 'node', store: 'a:b/ü', path: '/x:y/\u00e9\n%20' },
] as const)('%j round-trips', (id) => {
  const text = printGlobalId(id);
  expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
  expect(parseGlobalId(text)).toEqual(id);
});

test.each([
  '',
  'x',
  '!!',
  ...['node:s', 'node:s:a', 'nodes:s:/', 'constructor:s:/', 'node:%:/'].map((text) =>
    Buffer.from(text).toString('base64url'),
  ),
])('%j is not an id', (text) => {
  expect(parseGlobalId(text)).toBeUndefined();
});

test.each([
  ['*', ['a', 'a.b'], ['', 'a/b']],
  ['**', ['', 'a', 'a/b/c'], []],
  ['/', [''], ['a']],
  ['', [''], ['a']],
  ['a/*', ['a/b', 'a/'], ['a', 'a/b/c', 'b/a/c']],
  ['/a/*', ['a/b'], ['a/b/c']],
  ['a/**', ['a/b', 'a/b/c'], ['a', 'ab/c']],
  ['**/t', ['t', 'a/t', 'a/b/t'], ['at', 'a/bt', 't/a']],
  ['a/**/t', ['a/t', 'a/b/t', 'a/b/c/t'], ['at', 'a/bt', 'b/t']],
  ['a**t', ['at', 'a/t', 'axxt', 'a/x/yt'], ['bt', 'at/']],
  ['*t*', ['t', 'xtx', 'temp'], ['a/t', 'x']],
  ['**/*t*/**', ['a/t/b', 't/b'], ['t', 'a/b']],
  ['a?b[c]{d}.+', ['a?b[c]{d}.+'], ['axb[c]{d}.+', 'a?bc{d}..']],
  ['**/**/x', ['x', 'a/x', 'a/b/x'], ['ax']],
])('the path pattern %j matches %j, but not %j', (pattern, yes, no) => {
  const { matches } = parsePathPattern(pattern);
  for (const path of yes) expect(matches(path), path).toBe(true);
  for (const path of no) expect(matches(path), path).toBe(false);
});

test.each([
  ['*a'.repeat(499), 'a'.repeat(2000), 'b'],
  ['**a'.repeat(333), 'a'.repeat(2000), 'b'],
  ['**/'.repeat(333) + 'x', `${'a/'.repeat(1000)}x`, 'y'],
])('an adversarial pattern is matched without exponential backtracking: %#', (pattern, path, more) => {
  const { matches } = parsePathPattern(pattern);
  expect(matches(path)).toBe(true);
  expect(matches(`${path}${more}`)).toBe(false);
});

test('a long pattern is rejected', () => {
  expect(() => parsePathPattern('a'.repeat(1001))).toThrow('1001 characters');
});

// Paging through a store that changes: remaining nodes are neither skipped nor repeated.

const page = `query ($after: String) {
  store(name: "m") { group { members(first: 2, after: $after) { nodes { name } pageInfo { hasNextPage endCursor } } } }
}`;

const name = fc.integer({ min: 0, max: 9 }).map((digit) => `n${digit}`);
const edits = fc.array(fc.array(fc.record({ makes: fc.boolean(), name }), { maxLength: 4 }), {
  maxLength: 6,
});

test('every remaining member is returned once, in order', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(name, { maxLength: 8 }),
      edits,
      fc.boolean(),
      async (first, between, consolidated) => {
        const gateway = gatewayOf();
        const change = async (field: string) => execute(gateway, `mutation { ${field} { group { path } } }`);
        const make = (one: string) =>
          change(`createGroup(input: { store: "m", path: "${one}", ifExists: KEEP })`);
        await change('createGroup(input: { store: "m" })');
        if (consolidated) await change('consolidateMetadata(input: { store: "m" })');
        for (const one of first) await make(one);

        const seen: string[] = [];
        const touched = new Set<string>();
        const rounds = [...between];
        let after: string | null = null;
        for (;;) {
          const { data, errors } = await execute(gateway, page, { after });
          expect(errors).toEqual([]);
          const { nodes, pageInfo } = data.store.group.members;
          seen.push(...nodes.map((node: { name: string }) => node.name));
          if (pageInfo.hasNextPage !== true) break;
          after = pageInfo.endCursor;
          for (const { makes, name: one } of rounds.shift() ?? []) {
            touched.add(one);
            await (makes ? make(one) : change(`deleteNode(input: { store: "m", path: "${one}" })`));
          }
        }
        expect(seen).toEqual([...new Set(seen)].toSorted());
        const stayed = first.filter((one) => !touched.has(one)).toSorted();
        expect(seen.filter((one) => stayed.includes(one))).toEqual(stayed);
        await gateway.close();
      },
    ),
    { numRuns: 25 },
  );
});
