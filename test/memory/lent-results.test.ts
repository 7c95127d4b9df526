/**
 * Memory that is lent to responses is used by one response at a time, and is lent again only after all reads of it have
 * ended.
 */
import { describe, expect, test } from 'vitest';
import { LentResults, type ResultLoans } from '../../server/memory/lent-results.js';

const LENGTH = 100_000;

/** Lends and fills memory. */
function fill(loans: ResultLoans, value: number, length = LENGTH): Promise<Uint8Array> {
  return loans.lend(length, async (out = new Uint8Array(length)) => out.fill(value));
}

describe('memory', () => {
  test('is lent again once it is given back', async () => {
    const results = new LentResults();
    const first = results.open();
    const [a, b] = await Promise.all([fill(first, 1), fill(first, 2)]);
    expect(a.buffer).not.toBe(b.buffer);
    const second = results.open();
    const c = await fill(second, 3);
    expect([a.buffer, b.buffer]).not.toContain(c.buffer);
    first.giveBack();
    expect((await fill(second, 4)).buffer).toBe(b.buffer);
    expect((await fill(second, 5)).buffer).toBe(a.buffer);
    expect((await fill(second, 6)).buffer).not.toBe(c.buffer);
  });

  test('is not taken back from reads that failed or have not ended', async () => {
    const results = new LentResults();
    const loans = results.open();
    const used: (Uint8Array | undefined)[] = [];
    let end = (): void => {};
    const fails = loans.lend(LENGTH, (out) => {
      used.push(out);
      return Promise.reject(new Error('no such chunk'));
    });
    await expect(fails).rejects.toThrow('no such chunk');
    const late = loans.lend(LENGTH, async (out) => {
      used.push(out);
      await new Promise<void>((resolve) => (end = resolve));
    });
    loans.giveBack();
    end();
    await late;
    const next = results.open();
    const others = await Promise.all([1, 2, 3].map((value) => fill(next, value)));
    expect(used).toHaveLength(2);
    for (const out of used) expect(others.map(({ buffer }) => buffer)).not.toContain(out?.buffer);
  });

  test('is not lent after it was given back, nor twice', async () => {
    const results = new LentResults();
    const loans = results.open();
    await fill(loans, 1);
    loans.giveBack();
    loans.giveBack();
    let given: Uint8Array | undefined = new Uint8Array(0);
    await loans.lend(LENGTH, async (out) => void (given = out));
    expect(given).toBeUndefined();
    const next = results.open();
    const [a, b] = await Promise.all([fill(next, 1), fill(next, 2)]);
    expect(a.buffer).not.toBe(b.buffer);
  });

  test.each([1000, 9 * 2 ** 20])('is not lent for %i bytes', async (length) => {
    let given: Uint8Array | undefined = new Uint8Array(0);
    await new LentResults().open().lend(length, async (out) => void (given = out));
    expect(given).toBeUndefined();
  });

  test('is not much larger than requested', async () => {
    const results = new LentResults();
    const large = results.open();
    await fill(large, 1, 8 * 2 ** 20);
    large.giveBack();
    const small = await fill(results.open(), 2, 2 ** 16);
    expect(small.buffer.byteLength).toBeLessThanOrEqual(3 * 2 ** 16);
  });

  test('of a store is returned with the response, unless that was not sent completely', async () => {
    const results = new LentResults();
    const sent = results.open();
    sent.giveBack();
    sent.abandon();
    await expect(sent.returned).resolves.toBeUndefined();
    const cancelled = results.open();
    await fill(cancelled, 1);
    cancelled.abandon();
    cancelled.giveBack();
    await expect(cancelled.returned).rejects.toThrow('not sent completely');
  });

  test('is overwritten on request', async () => {
    const loans = new LentResults({ overwrites: true }).open();
    const before = await loans.lend(3, async (out) => Array.from(out ?? []));
    expect(before).toEqual([0xa5, 0xa5, 0xa5]);
    const bytes = await fill(loans, 1, 3);
    loans.giveBack();
    expect(Array.from(bytes)).toEqual([0xa5, 0xa5, 0xa5]);
  });
});
