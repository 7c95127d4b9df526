/**
 * Invalidation of cached entries below a node whose metadata has changed. Writers publish data first and metadata
 * last. A reader of new metadata must not combine it with data, absence or metadata of earlier requests, which may
 * be older than the change. Performs no I/O.
 */
import { LRUCache } from 'lru-cache';
import { parentOf } from '../keys.js';

/**
 * Floors are positions in the order of a cache's events. Results of requests before the floor of a node are
 * not used for objects below the node.
 */
interface Floor {
  readonly data: number;
  readonly metadata: number;
}

/** Names of the metadata documents of all formats: the last part of their key. */
export const metadataNames: ReadonlySet<string> = new Set([
  ...['zarr.json', '.zarray', '.zgroup', '.zattrs', '.zmetadata', 'meta', 'attrs'],
]);

export function isMetadataKey(key: string): boolean {
  return metadataNames.has(key.slice(key.lastIndexOf('/') + 1));
}

const none: Floor = { data: -Infinity, metadata: -Infinity };
const MAX_FLOORS = 50_000;

export function createFreshnessFloors() {
  /** An evicted floor is applied to the whole store, which is always safe. */
  let lowest = none;
  const floors = new LRUCache<string, Floor>({
    max: MAX_FLOORS,
    dispose: (floor, _, reason) => {
      if (reason === 'evict') lowest = higher(lowest, floor);
    },
  });
  return {
    /** Position of the first event whose results may be used for `key`. */
    of(key: string): number {
      const kind = isMetadataKey(key) ? 'metadata' : 'data';
      let floor = lowest[kind];
      for (let folder = key; folder !== '';) {
        folder = parentOf(folder);
        floor = Math.max(floor, floors.get(folder)?.[kind] ?? -Infinity);
      }
      return floor;
    },
    /**
     * Called when the version of a metadata document has changed or is new to the cache.
     * @param floor new floor for data and other metadata below the folder of the document
     */
    raise(document: string, floor: Floor): void {
      const folder = parentOf(document);
      floors.set(folder, higher(floors.get(folder) ?? none, floor));
    },
  };
}

function higher(a: Floor, b: Floor): Floor {
  return { data: Math.max(a.data, b.data), metadata: Math.max(a.metadata, b.metadata) };
}
