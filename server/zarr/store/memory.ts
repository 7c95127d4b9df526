/** A store in this process's memory: for tests, for `memory:`, and for what is built before it is written elsewhere. */
import { throwIfAborted } from '../errors.js';
import { assertCondition, assertRequest, assertVersion, atKey } from './conditions.js';
import { assertKey, assertPrefix, sortByCodePoint, isHiddenIn } from './keys.js';
import { listKeys, rangeOfPrefix } from './key-index.js';
import { assertWithin, resolveRange } from './range.js';
import type { KeyStore, ReadAnswer, ReadOptions, ReadRequest, StoredObject } from './store.js';

export interface MemoryStoreOptions {
  /** The configured name, safe to show. */
  readonly label: string;
}

interface StoredBytes {
  readonly bytes: Uint8Array;
  readonly version: string;
}

/** An empty store in memory. Its conditional writes hold against everybody: nobody else can reach it. */
export function createMemoryStore({ label }: MemoryStoreOptions): KeyStore {
  const objects = new Map<string, StoredBytes>();
  let writes = 0;
  let sorted: string[] | undefined;
  const sortedKeys = (): string[] => (sorted ??= sortByCodePoint([...objects.keys()]));

  function read(request: ReadRequest, maxBytes: number | undefined): ReadAnswer {
    const object = objects.get(request.key);
    assertVersion(object?.version, request.ifMatch);
    if (object === undefined) return undefined;
    if (request.ifNoneMatch === object.version) return 'unchanged';
    const { offset, length } = resolveRange(request.range, object.bytes.length);
    assertWithin(length, maxBytes);
    const bytes = object.bytes.subarray(offset, offset + length);
    return { bytes, total: object.bytes.length, version: object.version };
  }

  return {
    kind: 'MEMORY',
    label,
    can: { range: true, suffix: true, list: true, write: true, conditionalWrite: true },
    describe: (key) => key,

    async getMany(requests, each, options) {
      for (const request of requests) assertRequest(request);
      throwIfAborted(options?.signal);
      for (const [index, request] of requests.entries()) {
        each(
          index,
          atKey(label, request.key, () => read(request, options?.maxBytes)),
        );
        throwIfAborted(options?.signal);
      }
    },

    async list(prefix, options) {
      assertPrefix(prefix);
      throwIfAborted(options?.signal);
      const { keys, folders } = listKeys(sortedKeys(), prefix);
      return { keys, folders: folders.filter((name) => !isHiddenIn(prefix, name)) };
    },

    async *walk(prefix: string, options?: ReadOptions): AsyncGenerator<StoredObject> {
      assertPrefix(prefix);
      const keys = sortedKeys();
      const { first, end } = rangeOfPrefix(keys, prefix);
      for (let at = first; at < end; at++) {
        throwIfAborted(options?.signal);
        const key = keys[at];
        const object = key === undefined ? undefined : objects.get(key);
        if (key !== undefined && object !== undefined && !isHiddenIn(prefix, key))
          yield { key, bytes: object.bytes.length };
      }
    },

    async set(key, bytes, condition, options) {
      assertKey(key);
      throwIfAborted(options?.signal);
      atKey(label, key, () => assertCondition(objects.get(key)?.version, condition));
      const version = String(++writes);
      if (!objects.has(key)) sorted = undefined;
      objects.set(key, { bytes: new Uint8Array(bytes), version });
      return { version };
    },

    async delete(keys, condition, options) {
      for (const key of keys) assertKey(key);
      throwIfAborted(options?.signal);
      for (const key of keys) {
        atKey(label, key, () => assertCondition(objects.get(key)?.version, condition));
        if (objects.delete(key)) sorted = undefined;
      }
    },

    async deletePrefix(prefix, options) {
      assertPrefix(prefix);
      throwIfAborted(options?.signal);
      const keys = sortedKeys();
      const { first, end } = rangeOfPrefix(keys, prefix);
      for (const key of keys.slice(first, end)) objects.delete(key);
      sorted = undefined;
    },

    async close() {},
  };
}
