/** A store in the memory of this process. */
import { throwIfAborted } from '../core/errors.js';
import {
  assertCondition,
  assertRequest,
  assertVersion,
  atKey,
  assertObjectSize,
  resolveRange,
} from './checks.js';
import { defineStore } from './define-store.js';
import { listIndex, rangeOfPrefix } from './list-index.js';
import { sortByCodePoint } from './keys.js';
import type { KeyStore, ReadResult, ReadRequest } from './store.js';

interface MemoryStoreOptions {
  /** Configured name of the store, which users may see. */
  readonly label: string;
}

interface StoredBytes {
  readonly bytes: Uint8Array;
  readonly version: string;
}

/**
 * Creates an empty store in memory. Conditional writes apply to all writers, because no other process can
 * access the store.
 */
export function createMemoryStore({ label }: MemoryStoreOptions): KeyStore {
  const objects = new Map<string, StoredBytes>();
  // Caches outlive a store that is removed, and ETags outlive the process. Another store of this name has other versions.
  const life = [...crypto.getRandomValues(new Uint32Array(2))].map((part) => part.toString(36)).join('');
  let writes = 0;
  let sorted: string[] | undefined;
  const sortedKeys = (): string[] => (sorted ??= sortByCodePoint([...objects.keys()]));

  function read(request: ReadRequest, maxBytes: number | undefined): ReadResult {
    const object = objects.get(request.key);
    assertVersion(object?.version, request.ifMatch);
    if (object === undefined) return undefined;
    if (request.ifNoneMatch === object.version) return 'unchanged';
    const { offset, length } = resolveRange(request.range, object.bytes.length);
    assertObjectSize(length, maxBytes);
    const bytes = object.bytes.subarray(offset, offset + length);
    return { bytes, total: object.bytes.length, version: object.version };
  }

  return defineStore({
    ...{ kind: 'MEMORY', label, isDurable: false, maxVersionChecks: 10_000 },

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

    listing: listIndex(() => ({ keys: sortedKeys(), sizeOf: (key) => objects.get(key)?.bytes.length })),

    writing: {
      conditions: 'everyWriter',
      set(key, bytes, { condition }) {
        assertCondition(objects.get(key)?.version, condition);
        const version = `${life}.${++writes}`;
        if (!objects.has(key)) sorted = undefined;
        objects.set(key, { bytes: new Uint8Array(bytes), version });
        return { version };
      },
      delete(key, { condition }) {
        assertCondition(objects.get(key)?.version, condition);
        if (objects.delete(key)) sorted = undefined;
      },
      deletePrefix(prefix) {
        const keys = sortedKeys();
        const { first, end } = rangeOfPrefix(keys, prefix);
        for (const key of keys.slice(first, end)) objects.delete(key);
        sorted = undefined;
      },
    },
  });
}
