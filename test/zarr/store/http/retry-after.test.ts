import { expect, test } from 'vitest';
import { retryAfterMs } from '../../../../server/zarr/store/http/retry-after.js';

const of = (headers: Record<string, string>): number | undefined =>
  retryAfterMs({ headers: new Headers(headers) });

test.each([
  ['3', 3000],
  ['0', 0],
  [' 120 ', 120_000],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 7000],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 7000],
  ['Sun Nov  6 08:49:37 1994', 7000],
  ['Sun, 06 Nov 1994 08:00:00 GMT', 0],
  ['', undefined],
  ['-5', undefined],
  ['1.5', undefined],
  ['0x10', undefined],
  ['soon', undefined],
  ['Sun, 99 Nov 1994 08:49:37 GMT', undefined],
  ['2026-11-21T00:00:00Z', undefined],
])('%j', (asked, ms) => {
  expect(of({ 'retry-after': asked, date: 'Sun, 06 Nov 1994 08:49:30 GMT' })).toBe(ms);
});

test('by the local clock if the server sends none', () => {
  const until = new Date(Date.now() + 60_000).toUTCString();
  expect(of({ 'retry-after': until })).toBeGreaterThan(50_000);
  expect(of({ 'retry-after': until })).toBeLessThanOrEqual(60_000);
  expect(of({ 'retry-after': until, date: 'broken' })).toBeGreaterThan(50_000);
  expect(of({})).toBeUndefined();
});
