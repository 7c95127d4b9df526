/** Rights on stores whose names contain slashes, because they are in a folder of stores. */
import { expect, test } from 'vitest';
import { createRightsOf } from '../../../server/http/auth/rights.js';

function rightsFor(read: readonly string[]) {
  return createRightsOf({ r: { read, write: [], jobs: false, metrics: false } })(['r']);
}

test('a right for a folder of stores, or a part of it, holds for the stores below it', () => {
  const { mayRead, mayEnter } = rightsFor(['ocean/a']);
  expect([mayRead('ocean/a/sst.zarr', '/'), mayRead('ocean/a/sst.zarr', '/SST')]).toEqual([true, true]);
  for (const other of ['ocean/ab', 'ocean/b/sst.zarr', 'ocean', 'a'])
    expect([other, mayRead(other, '/SST'), mayRead(other, '/')]).toEqual([other, false, false]);
  expect(mayEnter('ocean/b', '/')).toBe(false);
});

test('a right for a node of such a store opens its path', () => {
  const { mayRead, mayEnter } = rightsFor(['ocean/sst.zarr/models/a']);
  expect([mayEnter('ocean/sst.zarr', '/'), mayEnter('ocean/sst.zarr', '/models')]).toEqual([true, true]);
  expect([mayRead('ocean/sst.zarr', '/'), mayRead('ocean/sst.zarr', '/models/a/t')]).toEqual([false, true]);
  expect(mayEnter('ocean/sst.zarr', '/other')).toBe(false);
});

test('a right for a path in every store holds for such stores', () => {
  const { mayRead } = rightsFor(['*/models']);
  expect([mayRead('ocean/sst.zarr', '/models/x'), mayRead('ocean/sst.zarr', '/other')]).toEqual([
    true,
    false,
  ]);
  expect(rightsFor(['*']).mayRead('ocean/sst.zarr', '/')).toBe(true);
});

test('only a role with the right may start jobs', () => {
  const role = { read: ['*'], write: ['*'], metrics: true };
  const rightsOf = createRightsOf({ none: { ...role, jobs: false }, all: { ...role, jobs: true } });
  const may = (...roles: string[]) => rightsOf(roles).mayStartJobs?.();
  expect([may('none'), may('all'), may('none', 'all'), may(), may('unknown')]).toEqual([
    false,
    true,
    true,
    false,
    false,
  ]);
});
