/** Addresses of repositories: versions, and parameters of the store of their files. */
import { expect, test } from 'vitest';
import { parseRepositoryAddress } from '../../../server/store/icechunk/address.js';

test.each([
  ['icechunk+file:data/r', 'data/r', undefined],
  ['icechunk+file:data/r?tag=v%201', 'data/r', { tag: 'v 1' }],
  ['icechunk+file:///data/r?branch=dev', 'file:///data/r', { branch: 'dev' }],
  ['icechunk+s3://b/r?endpoint=http://h:9000&branch=dev&region=us-east-1', 's3://b/r?endpoint=http://h:9000&region=us-east-1', { branch: 'dev' }],
  ['ICECHUNK+https://h/r?X-Sig=a%2Fb%2B', 'https://h/r?X-Sig=a%2Fb%2B', undefined],
])('%s', (address, url, ref) => {
  expect(parseRepositoryAddress(address)).toEqual({ url, ref });
}); // prettier-ignore

test.each([
  'icechunk+file:r?x=1',
  'icechunk+s3://b/r?tag=',
  'icechunk+s3://b/r?tag=a&branch=b',
  'icechunk+ftp://h/r',
])('%s is refused', (address) => {
  expect(() => parseRepositoryAddress(address)).toThrow(/repository must/);
});
