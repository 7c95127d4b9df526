import { expect, test } from 'vitest';
import { parseObjectKey } from '../../../server/gateway/objects/object-key.js';

test('metadata documents belong to the node above them', () => {
  expect(parseObjectKey('zarr.json')?.document).toEqual({ path: '/', name: 'zarr.json', isOfV1: false });
  expect(parseObjectKey('a/b/.zarray')?.document).toMatchObject({ path: '/a/b', name: '.zarray' });
  expect(parseObjectKey('a%20%C3%A9/.zattrs')?.document?.path).toBe('/a é');
  expect(parseObjectKey('old/meta')?.document).toMatchObject({ path: '/old', isOfV1: true });
});

test.each([
  ['a/c/0/1', ['/a c/0/1', '/a/c 0/1', '/a/c/0 1']],
  ['a/0/c/2', ['/a/0 c/2', '/a/0/c 2']],
  ['0/1', ['/ 0/1', '/0 1']],
  ['x/c.0.1', ['/x c.0.1']],
  ['x/c', ['/x c']],
  ['x/0.0', ['/x 0.0']],
  ['x/data.bin', []],
  ['c/c/c/0', ['/c/c c/0', '/c/c/c 0']],
])('%s can be a chunk of the arrays above it, from the top', (key, expected) => {
  const { chunks = [] } = parseObjectKey(key) ?? {};
  expect(chunks.map(({ path, name }) => `${path} ${name}`)).toEqual(expected);
});

test('an array has at most 64 dimensions, which bounds the arrays to open', () => {
  const key = Array.from({ length: 500 }, () => '1').join('/');
  expect(parseObjectKey(key)?.chunks).toHaveLength(64);
});

test.each([
  '',
  '/',
  'a//zarr.json',
  '../zarr.json',
  'a/%2e%2e/zarr.json',
  'a%2Fzarr.json',
  'a%5Czarr.json',
  'a/%00/zarr.json',
  '%ff/zarr.json',
  'a/',
])('%j is no key', (path) => {
  expect(parseObjectKey(path)).toBeUndefined();
});
