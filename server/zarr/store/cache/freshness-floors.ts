/**
 * What a change of metadata means for everything cached below its node. A writer publishes data first and metadata
 * last, so a reader that learns of a new metadata version must not combine it with data, absences or metadata that it
 * asked for before: those may describe the state before the change. No I/O.
 */
import { LRUCache } from 'lru-cache';
import { parentOf } from '../keys.js';

/** Places in the order of a cache's events; answers to questions that came earlier are not trusted below a node. */
interface Floor {
  readonly data: number;
  readonly metadata: number;
}

export interface FreshnessFloors {
  /** The answer for `key` must come from this event or a later one. */
  of(key: string): number;
  /**
   * A metadata document has another version than the one known before.
   * @param floor for the data and for the other metadata below the document's folder
   */
  raise(document: string, floor: Floor): void;
}

/** Metadata documents of all formats, by the last part of their key. */
const documentNames: ReadonlySet<string> = new Set([
  ...['zarr.json', '.zarray', '.zgroup', '.zattrs', '.zmetadata', 'meta', 'attrs'],
]);

export function isMetadataKey(key: string): boolean {
  return documentNames.has(key.slice(key.lastIndexOf('/') + 1));
}

const none: Floor = { data: -Infinity, metadata: -Infinity };
const maxFloors = 50_000;

/** @param capacity floors that are kept, for tests */
export function createFreshnessFloors(capacity: number = maxFloors): FreshnessFloors {
  /** A floor that had to be dropped holds for the whole store: trusting less is always right. */
  let lowest = none;
  const floors = new LRUCache<string, Floor>({
    max: capacity,
    dispose: (floor, _, reason) => {
      if (reason === 'evict') lowest = higher(lowest, floor);
    },
  });
  return {
    of(key) {
      const kind = isMetadataKey(key) ? 'metadata' : 'data';
      let floor = lowest[kind];
      for (let folder = key; folder !== '';) {
        folder = parentOf(folder);
        floor = Math.max(floor, floors.get(folder)?.[kind] ?? -Infinity);
      }
      return floor;
    },
    raise(document, floor) {
      const folder = parentOf(document);
      floors.set(folder, higher(floors.get(folder) ?? none, floor));
    },
  };
}

function higher(a: Floor, b: Floor): Floor {
  return { data: Math.max(a.data, b.data), metadata: Math.max(a.metadata, b.metadata) };
}
