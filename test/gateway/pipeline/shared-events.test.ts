import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { fullAccess } from '../../../server/resolvers/access/caller-rights.js';
import { createSharedEvents } from '../../../server/gateway/pipeline/shared-events.js';

const document = parse('subscription { a }');
const mayRead = () => true;
const key = { document, parameters: '', rights: fullAccess };

function counting() {
  const counts = { made: 0, ended: 0 };
  const make = () => {
    counts.made++;
    return { made: Promise.resolve(counts.made), end: () => void counts.ended++ };
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
  const make = () => ({ made: Promise.reject(new Error('no')), end: () => void ended++ });
  const change = {};
  const taken = [shared.take(change, key, make), shared.take(change, key, make)];
  expect((await Promise.allSettled(taken)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(ended).toBe(1);
});
