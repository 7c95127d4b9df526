import { describe, expect, test } from 'vitest';
import { InputError } from '../../../server/zarr/errors.js';
import {
  assertUnreservedNames,
  keyOf,
  nameOf,
  parentOf,
  parseNodePath,
} from '../../../server/zarr/metadata/paths.js';

describe('paths', () => {
  test.each([
    ['', '/'],
    ['/', '/'],
    ['a', '/a'],
    ['/a/b', '/a/b'],
    ['a/b/', '/a/b'],
    ['a b/é漢/a%20b/a#b/a:b/...dots/x.y/_one', '/a b/é漢/a%20b/a#b/a:b/...dots/x.y/_one'],
    ['__xarray_dataarray_variable__', '/__xarray_dataarray_variable__'],
    ['obs/__categories/cell_type', '/obs/__categories/cell_type'],
  ])('%j is %j', (text, path) => expect(parseNodePath(text)).toBe(path));

  test.each(['..', '../x', 'a/../b', 'a/.', '.', 'a//b', '//', '//a', 'a//', 'a\\b', 'a/b\0', '\ud800'])(
    '%j is refused',
    (text) => expect(() => parseNodePath(text)).toThrow(InputError),
  );

  test('input that is too long or deep is rejected with a short message', () => {
    expect(parseNodePath(`${'a/'.repeat(127)}b`)).toHaveLength(256);
    for (const text of ['a/'.repeat(129), 'x'.repeat(5000), 'y/'.repeat(500_000)]) {
      expect(() => parseNodePath(text)).toThrow(InputError);
      expect(() => parseNodePath(text)).toThrow(/^.{0,300}$/);
    }
  });

  test('only Zarr v3 reserves names that begin with "__"', () => {
    expect(() => assertUnreservedNames('a/__x/b', 3)).toThrow(/"__x" is not allowed as a name/);
    for (const format of [1, 2] as const) expect(() => assertUnreservedNames('a/__x', format)).not.toThrow();
    expect(() => assertUnreservedNames('__xarray_dataarray_variable__', 3)).not.toThrow();
  });

  test('parts', () => {
    expect([nameOf('/'), nameOf('/a/b')]).toEqual(['', 'b']);
    expect([parentOf('/'), parentOf('/a'), parentOf('/a/b')]).toEqual([undefined, '/', '/a']);
    expect([keyOf('/', '.zgroup'), keyOf('/a/b', 'zarr.json')]).toEqual(['.zgroup', 'a/b/zarr.json']);
  });
});
