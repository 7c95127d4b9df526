/** The contract of every store for reading objects and ranges. */
import { describe, expect, test } from 'vitest';
import { get, getRange } from '../../server/store/define-reading.js';
import type { KeyStore, ReadResult, ReadRequest, StoredObject } from '../../server/store/store.js';

/** @param opened returns the store of the current test, which contains the objects of `describeStore` */
export function describeReading(opened: () => KeyStore): void {
  describe('reading', () => {
    test('returns whole objects with their size', async () => {
      const value = await get(opened(), 'a/c/0');
      expect(textOf(value?.bytes)).toBe('0123456789');
      expect(value?.total).toBe(10);
    });
    test('an empty object is not absent', async () => {
      expect((await get(opened(), 'a/c/1'))?.bytes).toHaveLength(0);
    });
    test.each([
      'nothing',
      'a/nothing',
      'nothing/at/all',
      'zarr.json/below',
      'a/c/0/1',
      `a/${'n'.repeat(300)}`,
    ])('no object at %s', async (key) => {
      expect(await get(opened(), key)).toBeUndefined();
      expect(await getRange(opened(), key, { suffix: 4 })).toBeUndefined();
    });
    test('a folder is not an object', async () => {
      expect(await get(opened(), 'a')).toBeUndefined();
      expect(await getRange(opened(), 'a/c', { offset: 0, length: 1 })).toBeUndefined();
    });
    test.each([
      [{ offset: 0, length: 10 }, '0123456789'],
      [{ offset: 2, length: 3 }, '234'],
      [{ offset: 9, length: 1 }, '9'],
      [{ offset: 3, length: 0 }, ''],
      [{ offset: 8, length: 100 }, '89'],
      [{ offset: 10, length: 1 }, ''],
      [{ offset: 1000, length: 5 }, ''],
      [{ suffix: 4 }, '6789'],
      [{ suffix: 10 }, '0123456789'],
      [{ suffix: 1000 }, '0123456789'],
      [{ suffix: 0 }, ''],
    ])('the range %j returns "%s"', async (range, expected) => {
      const value = await getRange(opened(), 'a/c/0', range);
      expect(textOf(value?.bytes)).toBe(expected);
      expect(value?.total).toBe(10);
    });
    test.each([{ offset: 0, length: 5 }, { offset: 3, length: 0 }, { suffix: 3 }])(
      'the range %j of an empty object is empty',
      async (range) => {
        expect((await getRange(opened(), 'a/c/1', range))?.bytes).toHaveLength(0);
      },
    );
    test.each([
      { offset: -1, length: 2 },
      { offset: 0.5, length: 2 },
      { offset: 0, length: -1 },
      { offset: 0, length: Number.NaN },
      { offset: 2 ** 60, length: 1 },
      { suffix: -3 },
    ])('the range %j is rejected', async (range) => {
      await expect(getRange(opened(), 'a/c/0', range)).rejects.toMatchObject({ code: 'BAD_INPUT' });
    });
    test('each of many requests gets one result, at its index', async () => {
      const requests: ReadRequest[] = Array.from({ length: 200 }, (_, at) =>
        at % 3 === 0 ? { key: 'none' } : { key: 'a/c/0', range: { offset: at % 10, length: 1 } },
      );
      const results = new Map<number, ReadResult>();
      await opened().getMany(requests, (index, result) => {
        expect(results.has(index)).toBe(false);
        results.set(index, result);
      });
      expect(results.size).toBe(200);
      for (const [at, result] of results) {
        const got = result === undefined || result === 'unchanged' ? result : textOf(result.bytes);
        expect(got).toBe(at % 3 === 0 ? undefined : String(at % 10));
      }
    });
    test('an empty list of requests has no results', async () => {
      await opened().getMany([], () => expect.unreachable());
    });
    test('errors of "each" are thrown, and it is not called again', async () => {
      let calls = 0;
      const requests = Array.from({ length: 50 }, () => ({ key: 'zarr.json' }));
      const reading = opened().getMany(requests, () => {
        calls++;
        throw new TypeError('stop');
      });
      await expect(reading).rejects.toThrow('stop');
      expect(calls).toBe(1);
      expect(textOf((await get(opened(), 'zarr.json'))?.bytes)).toBe('{}');
    });
  });
}

export const text = (value: string): Uint8Array => new TextEncoder().encode(value);
export const textOf = (bytes: Uint8Array | undefined): string | undefined =>
  bytes === undefined ? undefined : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

export async function collect(objects: AsyncIterable<StoredObject>): Promise<StoredObject[]> {
  const all: StoredObject[] = [];
  for await (const object of objects) all.push(object);
  return all;
}
