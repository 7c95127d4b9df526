/** The `cache-control` header of pictures and map tiles. */
import { expect, test, vi } from 'vitest';
import { linkCacheControl } from '../../server/gateway/link-cache-control.js';

const NOW = 1_700_000_000;
vi.useFakeTimers({ now: NOW * 1000, toFake: ['Date'] });

test.each([
  ['no validator', undefined, 900, { maxAgeSeconds: 60, immutable: true }, 'private, no-store'],
  ['no policy', '"v"', 900, undefined, 'private, max-age=60'],
  ['a link that expires soon', '"v"', 7, undefined, 'private, max-age=7'],
  ['an expired link', '"v"', -7, { maxAgeSeconds: 60, immutable: true }, 'private, max-age=0, immutable'],
  ['the policy of the store', '"v"', 900, { maxAgeSeconds: 300, public: true }, 'public, max-age=300'],
  ['no caching', '"v"', 900, { maxAgeSeconds: 0 }, 'private, max-age=0'],
  ['fixed versions', '"v"', 900, { maxAgeSeconds: 60, immutable: true }, 'private, max-age=900, immutable'],
])('%s', (_, etag, left, policy, expected) => {
  expect(linkCacheControl(etag, NOW + left, policy)).toBe(expected);
});
