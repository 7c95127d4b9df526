import { describe, expect, test } from 'vitest';
import { BoundedQueue } from '../../../server/resolvers/changes/bounded-queue.js';

const value = (one: number) => ({ value: one, done: false });
const done = { value: undefined, done: true };

describe('BoundedQueue', () => {
  test('delivers items in order, to waiting and later consumers', async () => {
    const line = new BoundedQueue<number>(2);
    const early = [line.next(), line.next()];
    for (const one of [1, 2, 3, 4]) expect(line.put(one)).toBe(true);
    expect(await Promise.all([...early, line.next(), line.next()])).toEqual([1, 2, 3, 4].map(value));
  });

  test('accepts no more than its capacity', async () => {
    const line = new BoundedQueue<number>(1);
    expect([line.put(1), line.put(2)]).toEqual([true, false]);
    await line.next();
    expect(line.put(3)).toBe(true);
    expect(await line.next()).toEqual(value(3));
  });

  test('after closing, it delivers queued items, then ends and releases waiting consumers', async () => {
    const line = new BoundedQueue<number>(5);
    line.put(1);
    line.close();
    expect(line.put(2)).toBe(true);
    expect([await line.next(), await line.next(), await line.next()]).toEqual([value(1), done, done]);
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
