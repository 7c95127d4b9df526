import { expect, test } from 'vitest';
import { parseGlobalId, printGlobalId } from '../../../server/resolvers/nodes/global-id.js';

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
