import { parse } from 'graphql';
import { expect, test, vi } from 'vitest';
import { linkCacheControl } from '../../server/gateway/pipeline/cache-control.js';
import { createSharedEvents } from '../../server/gateway/pipeline/shared-events.js';
import { fullAccess } from '../../server/resolvers/access/caller-rights.js';

const document = parse('subscription { a }');
const mayRead = () => true;
const key = { document, parameters: '', rights: fullAccess };

function counting() {
  const counts = { made: 0, ended: 0 };
  const make = () => {
    counts.made++;
    return { outcome: Promise.resolve(counts.made), end: () => void counts.ended++ };
  };
  return { counts, make };
}

test('subscribers with equal results share one event until the last one has read it', async () => {
  const shared = createSharedEvents<number>();
  const { counts, make } = counting();
  const change = {};
  const taken = await Promise.all([0, 1, 2].map(() => shared.take(change, { ...key }, make)));
  expect(taken.map(({ event }) => event)).toEqual([1, 1, 1]);
  taken[0]?.release();
  taken[0]?.release();
  taken[1]?.release();
  expect(counts).toEqual({ made: 1, ended: 0 });
  taken[2]?.release();
  expect(counts).toEqual({ made: 1, ended: 1 });
  await shared.take(change, key, make);
  expect(counts.made).toBe(2);
});

test.each([
  ['another change', {}, key],
  ['another document', undefined, { ...key, document: parse('subscription { a }') }],
  ['other variables', undefined, { ...key, parameters: 'x' }],
  ['other rights to read', undefined, { ...key, rights: { ...fullAccess, mayRead } }],
  ['other rights to write', undefined, { ...key, rights: { ...fullAccess, mayWrite: mayRead } }],
  ['other rights to enter', undefined, { ...key, rights: { ...fullAccess, mayEnter: mayRead } }],
])('%s: a separate event', async (_, other, otherKey) => {
  const shared = createSharedEvents<number>();
  const { counts, make } = counting();
  const change = {};
  await shared.take(change, key, make);
  await shared.take(other ?? change, otherKey, make);
  expect(counts.made).toBe(2);
});

test('an event that fails is an error for all subscribers and releases its memory', async () => {
  const shared = createSharedEvents<number>();
  let ended = 0;
  const make = () => ({ outcome: Promise.reject(new Error('no')), end: () => void ended++ });
  const change = {};
  const taken = [shared.take(change, key, make), shared.take(change, key, make)];
  expect((await Promise.allSettled(taken)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(ended).toBe(1);
});

// The `cache-control` header of pictures and map tiles.

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
])('cache-control of a link: %s', (_, etag, left, policy, expected) => {
  expect(linkCacheControl(etag, NOW + left, policy)).toBe(expected);
});
