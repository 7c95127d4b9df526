import { describe, expect, test } from 'vitest';
import { createChangeBus } from '../../server/resolvers/changes/change-bus.js';
import { type ChangeInterest, createChangeFeed } from '../../server/resolvers/changes/change-feed.js';
import { BoundedQueue } from '../../server/resolvers/changes/bounded-queue.js';

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

  test('ends a subscription when its signal is aborted, or if it was aborted before', async () => {
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
    expect((await changes.next()).value).toMatchObject({ kind: 'deleted', path: '/t' });
  });

  test('continues after a change that was received before, and says when it cannot', async () => {
    const feed = createChangeFeed(createChangeBus());
    const first = feed.subscribe(everything, undefined);
    for (const path of ['/a', '/b', '/c']) feed.publish({ store: 's', kind: 'updated', path });
    const { value } = await first.next();
    const after = value?.id;
    const visible = { ...everything, canRead: (path: string) => path !== '/b' };
    const next = feed.subscribe({ ...visible, after }, undefined);
    expect((await next.next()).value).toMatchObject({ path: '/c' });
    await expect(feed.subscribe({ ...visible, after: 'other' }, undefined).next()).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      excess: [{ limit: 'maxRecentChanges' }],
    });
    expect(() => feed.subscribe({ ...visible, after: 'x'.repeat(101) }, undefined)).toThrow('"after"');
    // The feed remembers a bounded number of changes.
    for (let i = 0; i < 15_000; i++) feed.publish({ store: 's', kind: 'updated', path: '/many' });
    await expect(feed.subscribe({ ...everything, after }, undefined).next()).rejects.toThrow('missing');
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
      expect((await fast.next()).value).toMatchObject({ kind: 'updated', path: `/${i}` });
    }
    await expect(slow.next()).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED', excess: [{ allowed: 3 }] });
    expect((await slow.next()).done).toBe(true);
  });
});

const result = (value: number) => ({ value, done: false });
const done = { value: undefined, done: true };

describe('BoundedQueue', () => {
  test('delivers items in order, to waiting and later consumers', async () => {
    const line = new BoundedQueue<number>(2);
    const early = [line.next(), line.next()];
    for (const item of [1, 2, 3, 4]) expect(line.put(item)).toBe(true);
    expect(await Promise.all([...early, line.next(), line.next()])).toEqual([1, 2, 3, 4].map(result));
  });

  test('accepts no more than its capacity', async () => {
    const line = new BoundedQueue<number>(1);
    expect([line.put(1), line.put(2)]).toEqual([true, false]);
    await line.next();
    expect(line.put(3)).toBe(true);
    expect(await line.next()).toEqual(result(3));
  });

  test('after closing, it delivers queued items, then ends and releases waiting consumers', async () => {
    const line = new BoundedQueue<number>(5);
    line.put(1);
    line.close();
    expect(line.put(2)).toBe(true);
    expect([await line.next(), await line.next(), await line.next()]).toEqual([result(1), done, done]);
    const other = new BoundedQueue<number>(5);
    const waiting = [other.next(), other.next()];
    other.close();
    expect(await Promise.all(waiting)).toEqual([done, done]);
  });

  test('after a failure, it drops queued items, fails once and ends', async () => {
    const line = new BoundedQueue<number>(5);
    line.put(1);
    line.fail(new Error('too slow'));
    line.fail(new Error('again'));
    await expect(line.next()).rejects.toThrow('too slow');
    expect(await line.next()).toEqual(done);
  });

  test('ends if the consumer leaves while waiting', async () => {
    const line = new BoundedQueue<number>(5);
    const waiting = line.next();
    expect(await line.return()).toEqual(done);
    expect(await waiting).toEqual(done);
  });

  test('reports its end once, including to late consumers', () => {
    const line = new BoundedQueue<number>(5);
    let ends = 0;
    line.whenEnded(() => ends++);
    line.close();
    line.fail(new Error('late'));
    expect(ends).toBe(1);
    line.whenEnded(() => ends++);
    expect(ends).toBe(2);
  });
});
