import { expect, test } from 'vitest';
import { parseByteRange } from '../../../server/transport/href/byte-range.js';

test.each([
  [null, undefined],
  ['bytes=0-0', { from: 0, to: 1 }],
  ['bytes=0-99', { from: 0, to: 100 }],
  ['bytes=0-1000', { from: 0, to: 100 }],
  ['bytes=10-', { from: 10, to: 100 }],
  ['Bytes= 10-19', { from: 10, to: 20 }],
  ['bytes=-1', { from: 99, to: 100 }],
  ['bytes=-1000', { from: 0, to: 100 }],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=99999999999999999999-', 'unsatisfiable'],
  ['bytes=0-1, 5-6', undefined],
  ['bytes=5-4', undefined],
  ['bytes=-', undefined],
  ['bytes=a-b', undefined],
  ['items=0-1', undefined],
  ['', undefined],
])('%s of 100 bytes', (header, expected) => {
  expect(parseByteRange(header, 100)).toEqual(expected);
});

test('an empty file has no satisfiable range', () => {
  expect(parseByteRange('bytes=0-', 0)).toBe('unsatisfiable');
  expect(parseByteRange('bytes=-5', 0)).toBe('unsatisfiable');
});
