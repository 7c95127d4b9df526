/** Sizes of versions of objects, to detect an object that a server or proxy sends empty. */
import { LRUCache } from 'lru-cache';
import type { ReadResult } from '../store.js';
import { TransientFailure } from './exchange.js';

const MAX_OBJECTS = 20_000;

export interface KnownSizes {
  /**
   * Compares the size of an empty object with the size of the same version, and remembers the others. Only ETags
   * count: a file that is restored with its date may have another size.
   * @throws TransientFailure if the version is not empty
   */
  check(key: string, result: ReadResult): void;
}

export function createKnownSizes(): KnownSizes {
  const known = new LRUCache<string, { readonly version: string; readonly bytes: number }>({
    max: MAX_OBJECTS,
  });
  return {
    check(key, result) {
      if (typeof result !== 'object') return;
      const { version, total } = result;
      if (version?.endsWith('"') !== true || total === undefined) return;
      if (total > 0) {
        known.set(key, { version, bytes: total });
        return;
      }
      const before = known.get(key);
      if (before?.version === version)
        throw new TransientFailure(
          `the server sent an empty object; this version has ${before.bytes} bytes`,
          { isOutage: false },
        );
    },
  };
}
