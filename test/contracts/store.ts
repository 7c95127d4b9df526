import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { get, getRange } from '../../server/store/define-reading.js';
import type { KeyStore, ReadResult, ReadRequest } from '../../server/store/store.js';
import { describeReading, collect, text, textOf } from './store-reading.js';
import { describeReadOnly, describeWriting } from './store-writing.js';

export { text } from './store-reading.js';

/** Objects by key. */
export type Contents = Readonly<Record<string, Uint8Array>>;

export interface StoreContract {
  /** Opens a store with exactly these objects. */
  readonly open: (contents: Contents) => Promise<KeyStore>;
  /** Reverses `open`. */
  readonly close?: () => Promise<void>;
  /**
   * Features that this kind of store does not have. Without fresh versions, equal bytes have equal
   * versions.
   */
  readonly lacks?: Partial<Record<'list' | 'write' | 'version' | 'freshVersions', string>>;
}

/** Keys that stores often mishandle by decoding, splitting or normalising. */
const oddKeys = [
  "a'b",
  'a b',
  'a#b',
  'a%20b',
  'a%2Fb',
  'a&b=c',
  'a+b',
  'a:b',
  'a;b',
  'a?b=c',
  'a[0]',
  'a~b',
  'A..B',
  '...',
  '.hidden',
  'é',
  'e\u0301',
  '漢字',
  '\uff5e',
  '\u{1f600}',
  'x'.repeat(200),
  'folder with space/c/0',
  'folder%/é/zarr.json',
  '-rf',
  '$HOME',
  '*',
  '"quoted"',
  '<tag>',
];

/** The contract of every store, defined in server/store/store.ts. */
export function describeStore(name: string, contract: StoreContract): void {
  describe(`${name}: store contract`, () => {
    let store: KeyStore;
    const basic: Contents = {
      'zarr.json': text('{}'),
      'a/zarr.json': text('{"a":1}'),
      'a/c/0': text('0123456789'),
      'a/c/1': new Uint8Array(0),
      'a.b/zarr.json': text('dot'),
      'b/c/d/e/f': text('deep'),
    };
    beforeEach(async () => {
      store = await contract.open(basic);
    });
    afterEach(async () => {
      await store.close();
      await contract.close?.();
    });
    const skipped = (ability: keyof NonNullable<StoreContract['lacks']>): boolean =>
      contract.lacks?.[ability] !== undefined;

    describeReading(() => store);

    describe('keys', () => {
      test.each([
        '',
        '/',
        '/a',
        'a/',
        'a//b',
        '.',
        '..',
        'a/..',
        '../a',
        'a/./b',
        'a/../b',
        'a\\b',
        '..\\a',
        'a\0b',
        '\ud800',
      ])('%j is rejected', async (key) => {
        await expect(get(store, key)).rejects.toMatchObject({ code: 'BAD_INPUT' });
      });
      test('an invalid prefix is rejected', async () => {
        for (const prefix of ['/', 'a/', '..', 'a//b', 'a\\b'])
          await expect(store.list(prefix)).rejects.toMatchObject({ code: 'BAD_INPUT' });
      });
      test('an invalid key is rejected before anything is read', async () => {
        const reading = store.getMany([{ key: 'zarr.json' }, { key: '../x' }], () => expect.unreachable());
        await expect(reading).rejects.toMatchObject({ code: 'BAD_INPUT' });
      });
      test('unusual keys are distinguished', async () => {
        await store.close();
        await contract.close?.();
        store = await contract.open(Object.fromEntries(oddKeys.map((key) => [key, text(`<${key}>`)])));
        for (const key of oddKeys) expect(textOf((await get(store, key))?.bytes)).toBe(`<${key}>`);
        for (const key of [
          'a',
          'a%23b',
          'a%3Ab',
          'a%253Ab',
          'a%2520b',
          '%C3%A9',
          'HOME',
          'folder with space/c',
        ])
          expect({ key, value: await get(store, key) }).toEqual({ key, value: undefined });
      });
      test.skipIf(skipped('list'))('unusual keys are listed unchanged, in code point order', async () => {
        await store.close();
        await contract.close?.();
        store = await contract.open(Object.fromEntries(oddKeys.map((key) => [key, text(key)])));
        const sorted = [...oddKeys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
        const listing = await store.list('');
        expect(listing.keys).toEqual(sorted.filter((key) => !key.includes('/')));
        expect(listing.folders).toEqual(['folder with space', 'folder%']);
        expect((await collect(store.walk(''))).map((object) => object.key)).toEqual(sorted);
        expect(await store.list('folder%/é')).toEqual({ keys: ['folder%/é/zarr.json'], folders: [] });
      });
    });

    describe('limits and cancellation', () => {
      test('an object above the size limit is rejected', async () => {
        const reading = get(store, 'a/c/0', { maxBytes: 9 });
        await expect(reading).rejects.toMatchObject({
          code: 'LIMIT_EXCEEDED',
          where: { key: 'a/c/0', store: store.label },
          excess: [{ limit: 'maxBytes', allowed: 9, needed: 10 }],
        });
        expect((await get(store, 'a/c/0', { maxBytes: 10 }))?.bytes).toHaveLength(10);
      });
      test('the limit applies to the part that is read', async () => {
        const part = await getRange(store, 'a/c/0', { offset: 0, length: 4 }, { maxBytes: 4 });
        expect(textOf(part?.bytes)).toBe('0123');
        await expect(getRange(store, 'a/c/0', { suffix: 5 }, { maxBytes: 4 })).rejects.toMatchObject({
          code: 'LIMIT_EXCEEDED',
        });
      });
      test('an aborted signal cancels the read', async () => {
        const signal = AbortSignal.abort();
        await expect(get(store, 'zarr.json', { signal })).rejects.toMatchObject({ code: 'ABORTED' });
      });
      test.skipIf(skipped('list'))('an aborted signal cancels listing', async () => {
        const signal = AbortSignal.abort();
        await expect(store.list('', { signal })).rejects.toMatchObject({ code: 'ABORTED' });
        await expect(collect(store.walk('', { signal }))).rejects.toMatchObject({ code: 'ABORTED' });
      });
      test('a signal that fires during the read cancels it', async () => {
        const cancel = new AbortController();
        let calls = 0;
        const reading = store.getMany(
          Array.from({ length: 100 }, () => ({ key: 'a/c/0' })),
          () => {
            calls++;
            cancel.abort();
          },
          { signal: cancel.signal },
        );
        await expect(reading).rejects.toMatchObject({ code: 'ABORTED' });
        expect(calls).toBe(1);
      });
    });

    describe.skipIf(skipped('version'))('versions', () => {
      test('an unchanged object keeps its version; ranges have it too', async () => {
        const whole = await get(store, 'a/c/0');
        expect(whole?.version).toEqual(expect.any(String));
        expect((await get(store, 'a/c/0'))?.version).toBe(whole?.version);
        expect((await getRange(store, 'a/c/0', { suffix: 2 }))?.version).toBe(whole?.version);
      });
      test('ifNoneMatch returns "unchanged" for the current version only', async () => {
        const version = (await get(store, 'a/c/0'))?.version ?? '';
        expect(await readOne(store, { key: 'a/c/0', ifNoneMatch: version })).toBe('unchanged');
        expect(await readOne(store, { key: 'a/c/0', ifNoneMatch: 'other' })).toMatchObject({ total: 10 });
        expect(await readOne(store, { key: 'none', ifNoneMatch: version })).toBeUndefined();
      });
      test('ifMatch reads the current version only', async () => {
        const version = (await get(store, 'a/c/0'))?.version ?? '';
        expect(await readOne(store, { key: 'a/c/0', ifMatch: version })).toMatchObject({ version });
        await expect(readOne(store, { key: 'a/c/0', ifMatch: 'other' })).rejects.toMatchObject({
          code: 'CONFLICT',
        });
        await expect(readOne(store, { key: 'none', ifMatch: version })).rejects.toMatchObject({
          code: 'CONFLICT',
        });
      });
    });

    describe.skipIf(skipped('list'))('listing', () => {
      test('lists the root', async () => {
        expect(await store.list('')).toEqual({ keys: ['zarr.json'], folders: ['a', 'a.b', 'b'] });
      });
      test('lists folders', async () => {
        expect(await store.list('a')).toEqual({ keys: ['a/zarr.json'], folders: ['c'] });
        expect(await store.list('a/c')).toEqual({ keys: ['a/c/0', 'a/c/1'], folders: [] });
        expect(await store.list('b/c/d')).toEqual({ keys: [], folders: ['e'] });
      });
      test('an absent folder, or an object, has an empty listing', async () => {
        const nothing = { keys: [], folders: [] };
        expect(await store.list('none')).toEqual(nothing);
        expect(await store.list('zarr.json')).toEqual(nothing);
        expect(await collect(store.walk('none'))).toEqual([]);
      });
      test('walk() yields every object below with its size, in code point order of the keys', async () => {
        expect(await collect(store.walk(''))).toEqual([
          { key: 'a.b/zarr.json', bytes: 3 },
          { key: 'a/c/0', bytes: 10 },
          { key: 'a/c/1', bytes: 0 },
          { key: 'a/zarr.json', bytes: 7 },
          { key: 'b/c/d/e/f', bytes: 4 },
          { key: 'zarr.json', bytes: 2 },
        ]);
        expect((await collect(store.walk('a/c'))).map((object) => object.key)).toEqual(['a/c/0', 'a/c/1']);
      });
      test('a consumer can stop walk() early', async () => {
        for await (const object of store.walk('')) {
          expect(object.key).toBe('a.b/zarr.json');
          break;
        }
      });
    });

    if (skipped('write')) describeReadOnly(() => store);
    else describeWriting(() => store, { freshVersions: !skipped('freshVersions') });
  });
}

async function readOne(store: KeyStore, request: ReadRequest): Promise<ReadResult> {
  let result: ReadResult;
  await store.getMany([request], (_, got) => {
    result = got;
  });
  return result;
}
