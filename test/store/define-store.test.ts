import { describe, expect, test } from 'vitest';
import { defineStore } from '../../server/store/define-store.js';
import { get, getRange } from '../../server/store/define-reading.js';
import type { ByteRange, KeyStore, StoreValue } from '../../server/store/store.js';
import { sortByCodePoint } from '../../server/store/keys.js';
import { resolveRange } from '../../server/store/checks.js';
import { openHierarchy } from '../../server/zarr/index.js';
import { type Contents, describeStore, text } from '../contracts/store.js';

describeStore('a store that defines get', {
  open: async (contents) => defineStore({ label: 'test', get: (key) => contents[key] }),
  lacks: { list: 'no walk', write: 'no set', version: 'get returns bare bytes' },
});

/** A store with all roles. Its methods ignore conditions. */
function defineMapStore(contents: Contents, isRanged: boolean): KeyStore {
  const objects = new Map<string, StoreValue>();
  let writes = 0;
  const set = (key: string, bytes: Uint8Array): { version: string } => {
    const version = String(++writes);
    objects.set(key, { bytes, version, total: bytes.length });
    return { version };
  };
  for (const [key, bytes] of Object.entries(contents)) set(key, bytes);
  const getPart = (key: string, range: ByteRange): StoreValue | undefined => {
    const object = objects.get(key);
    if (object === undefined) return undefined;
    const { offset, length } = resolveRange(range, object.bytes.length);
    return { ...object, bytes: object.bytes.subarray(offset, offset + length) };
  };
  return defineStore({
    label: 'test',
    get: async (key) => objects.get(key),
    ...(isRanged ? { getRange: getPart } : {}),
    listing: {
      *walk(prefix) {
        for (const key of sortByCodePoint([...objects.keys()]))
          if (prefix === '' || key.startsWith(`${prefix}/`))
            yield { key, bytes: objects.get(key)?.bytes.length ?? 0 };
      },
    },
    writing: { set, delete: (key) => void objects.delete(key) },
  });
}

describe.each([true, false])('ranges: %s', (isRanged) => {
  describeStore('a store that defines get, walk, set and delete', {
    open: async (contents) => defineMapStore(contents, isRanged),
  });
});

test('roles determine the abilities of a store', () => {
  const readable = defineStore({ label: 'r', get: () => undefined });
  expect(readable.can).toEqual({ range: false, suffix: false, list: false, write: false, conditionalWrite: false }); // prettier-ignore
  expect(readable).toMatchObject({ kind: 'CUSTOM', isLocal: false, readOnlyReason: undefined });
  const all = defineMapStore({}, true);
  expect(all.can).toEqual({ range: true, suffix: true, list: true, write: true, conditionalWrite: false });
});

test('conditions of concurrent writers are enforced although set ignores them', async () => {
  const store = defineMapStore({}, false);
  const writes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) => store.set('k', text(String(i)), { ifAbsent: true })),
  );
  expect(writes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('an object without a version matches no condition', async () => {
  const objects = new Map([['k', text('1')]]);
  const store = defineStore({
    label: 's',
    get: (key) => objects.get(key),
    writing: { set: (key, bytes) => void objects.set(key, bytes), delete: (key) => void objects.delete(key) },
  });
  await expect(store.set('k', text('2'), { ifMatch: 'x' })).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(store.set('k', text('2'), { ifAbsent: true })).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(store.delete(['k'], { ifMatch: 'x' })).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await store.set('k', text('2'))).toEqual({});
  expect(objects.get('k')).toEqual(text('2'));
  // To delete a folder, its objects must be listed.
  await expect(store.deletePrefix('a')).rejects.toMatchObject({ code: 'UNSUPPORTED' });
});

test('a Buffer is passed on as a Uint8Array of the same memory', async () => {
  const buffer = Buffer.from('xabcx').subarray(1, 4);
  const value = await get(defineStore({ label: 's', get: () => buffer }), 'k');
  expect(value?.bytes.constructor).toBe(Uint8Array);
  expect(value?.bytes).toEqual(text('abc'));
  expect(value?.bytes.buffer).toBe(buffer.buffer);
});

test('a result that is not bytes is an error, not absence', async () => {
  for (const result of ['text', null, { bytes: 'text' }, 'unchanged'])
    await expect(get(defineStore({ label: 's', get: () => result as never }), 'k')).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      where: { store: 's', key: 'k' },
    });
});

test('errors of get are thrown; after cancellation they are ABORTED', async () => {
  const cancel = new AbortController();
  const store = defineStore({
    label: 's',
    get(key, { signal }) {
      if (key === 'bug') throw new TypeError('a bug');
      cancel.abort();
      throw signal?.reason;
    },
  });
  await expect(get(store, 'bug')).rejects.toThrow(new TypeError('a bug'));
  await expect(get(store, 'slow', { signal: cancel.signal })).rejects.toMatchObject({
    code: 'ABORTED',
  });
});

test('at most `concurrency` objects are read at a time', async () => {
  let running = 0;
  let most = 0;
  const store = defineStore({
    label: 's',
    concurrency: 3,
    async get() {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      return undefined;
    },
  });
  await store.getMany(Array.from({ length: 30 }, (_, i) => ({ key: `k${i}` })), () => {}); // prettier-ignore
  expect(most).toBe(3);
});

test('get receives the supported options', async () => {
  const seen: unknown[] = [];
  const store = defineStore({
    label: 's',
    get: (key, { ifNoneMatch, maxBytes, fresh }) => {
      seen.push({ key, ifNoneMatch, maxBytes, fresh });
      return ifNoneMatch === 'v' ? 'unchanged' : { bytes: text('0123'), version: 'v' };
    },
  });
  const results: unknown[] = [];
  await store.getMany([{ key: 'a', ifNoneMatch: 'v' }], (_, result) => results.push(result), { fresh: true });
  // The limit applies to the requested part, which is taken from the whole object.
  const part = await getRange(store, 'b', { suffix: 2 }, { maxBytes: 3 });
  expect(part).toEqual({ bytes: text('23'), version: 'v', total: 4 });
  expect(results).toEqual(['unchanged']);
  expect(seen).toEqual([
    { key: 'a', ifNoneMatch: 'v', maxBytes: undefined, fresh: true },
    { key: 'b', ifNoneMatch: undefined, maxBytes: undefined, fresh: false },
  ]);
});

test('arrays are written to and read from a custom store', async () => {
  const hierarchy = openHierarchy(defineMapStore({}, false));
  const array = await hierarchy.createArray('/a', { shape: [4, 6], dtype: 'int16', chunkShape: [2, 3] });
  const data = Int16Array.from({ length: 24 }, (_, i) => i);
  await array.select({ kind: 'all' }).write({ shape: [4, 6], data });
  const block = await array.select({ kind: 'all' }).read();
  expect('bytes' in block && new Int16Array(block.bytes.slice().buffer)).toEqual(data);
});
