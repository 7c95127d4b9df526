import { describe, expect, test } from 'vitest';
import { createChangeBus } from '../../../server/resolvers/changes/change-bus.js';
import { type ChangeInterest, createChangeFeed } from '../../../server/resolvers/changes/change-feed.js';

const everything: ChangeInterest = { store: 's', path: '/', canRead: () => true, canTraverse: () => true };

describe('the change feed', () => {
  test('rejects a subscriber beyond the maximum until another one leaves', async () => {
    const feed = createChangeFeed(createChangeBus(), {
      maxSubscribers: 2,
      maxClientSubscriptions: 10,
      maxWaitingChanges: 5,
    });
    const first = feed.subscribe(everything, undefined);
    feed.subscribe(everything, undefined);
    expect(() => feed.subscribe(everything, undefined)).toThrow(
      expect.objectContaining({ code: 'LIMIT_EXCEEDED' }),
    );
    await first.return?.();
    await first.return?.();
    feed.subscribe(everything, undefined);
    expect(() => feed.subscribe(everything, undefined)).toThrow('subscriptions');
  });

  test('ends when the signal fires, or has fired before', async () => {
    const feed = createChangeFeed(createChangeBus(), {
      maxSubscribers: 1,
      maxClientSubscriptions: 10,
      maxWaitingChanges: 5,
    });
    const controller = new AbortController();
    const waiting = feed.subscribe(everything, controller.signal).next();
    controller.abort();
    expect((await waiting).done).toBe(true);
    expect((await feed.subscribe(everything, controller.signal).next()).done).toBe(true);
    feed.subscribe(everything, undefined);
  });

  test('reports a deleted group to callers who may read only its members', async () => {
    const feed = createChangeFeed(createChangeBus());
    const isAbove = (path: string): boolean => '/t/a/'.startsWith(path === '/' ? '/' : `${path}/`);
    const changes = feed.subscribe(
      { store: 's', path: '/', canRead: (path) => path === '/t/a', canTraverse: isAbove },
      undefined,
    );
    feed.publish({ store: 's', kind: 'updated', path: '/t' });
    feed.publish({ store: 's', kind: 'deleted', path: '/t/b' });
    feed.publish({ store: 's', kind: 'deleted', path: '/t' });
    expect((await changes.next()).value).toEqual({ kind: 'deleted', path: '/t' });
  });

  test('a slow subscriber does not delay others', async () => {
    const feed = createChangeFeed(createChangeBus(), {
      maxSubscribers: 2,
      maxClientSubscriptions: 10,
      maxWaitingChanges: 3,
    });
    const [slow, fast] = [feed.subscribe(everything, undefined), feed.subscribe(everything, undefined)];
    for (let i = 0; i < 5; i++) {
      feed.publish({ store: 's', kind: 'updated', path: `/${i}` });
      expect((await fast.next()).value).toEqual({ kind: 'updated', path: `/${i}` });
    }
    await expect(slow.next()).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED', excess: [{ allowed: 3 }] });
    expect((await slow.next()).done).toBe(true);
  });
});
