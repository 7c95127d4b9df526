/** Compared with files saved by NumPy (test/fixtures/npy). */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { npyHeader } from '../../../server/transport/forms/npy.js';
import { type DataType, isFixedSize } from '../../../server/zarr/index.js';
import { parseNumpyType } from '../../../server/zarr/dtype/parse-numpy.js';
import { fixtures } from '../../setup/fixtures.js';

interface Saved {
  readonly name: string;
  readonly descr: string | [];
  readonly shape: number[];
  readonly values: string;
  readonly file: string;
}
const saved: Saved[] = JSON.parse(readFileSync(`${fixtures}npy/reference.json`, 'utf8'));

test.each(saved)('$name', ({ descr, shape, values, file }) => {
  const { dtype } = parseNumpyType(descr);
  if (!isFixedSize(dtype)) throw new Error(`${JSON.stringify(descr)} is not known`);
  const bytes = Buffer.from(values, 'base64');
  const written = Buffer.concat([npyHeader(dtype, shape), bytes]);
  expect(written.equals(Buffer.from(file, 'base64')), written.toString('latin1', 0, 300)).toBe(true);
});

test('all versions of the format are among them', () => {
  expect(new Set(saved.map(({ file }) => Buffer.from(file, 'base64')[6]))).toEqual(new Set([1, 2, 3]));
});

describe('unsupported forms', () => {
  test.each<DataType>([
    { name: 'string', itemSize: null },
    { name: 'variable_length_bytes', itemSize: null },
    { name: 'json', itemSize: null },
    { name: 'ragged', itemSize: null, item: { name: 'int8', itemSize: 1 } },
    { name: 'unknown', itemSize: null, given: 'int2' },
  ])('$name', (dtype) => {
    expect(() => npyHeader(dtype, [3])).toThrow(/no fixed size.*JSON or CSV/);
  });
});
