/** The stores of which a combined store consists. */
import {
  type Hierarchy,
  type HierarchyOptions,
  type KeyStore,
  openHierarchy,
  type ReadOptions,
  type ReadRequest,
  type ReadResult,
  wrapStore,
} from '../zarr/index.js';

/** A store that is a part of a combined store. */
export interface CombinedMember {
  /** Its name in messages, which every caller of the combined store may see. */
  readonly name: string;
  readonly store: KeyStore;
  /** How its metadata is read. */
  readonly options?: Pick<HierarchyOptions, 'netcdfShuffle' | 'trustConsolidated' | 'paths'> | undefined;
}

/** What opening a member depends on: objects with their versions, and listings. */
export interface MemberState {
  /** Versions by key; null for an absent object, undefined for one without a version. */
  readonly objects: ReadonlyMap<string, string | null | undefined>;
  /** The listings of folders as text, by prefix. */
  readonly lists: ReadonlyMap<string, string>;
}

export interface RecordedStore {
  readonly store: KeyStore;
  readonly state: MemberState;
}

/** A store that remembers the versions of everything that is read from it. */
export function recordReads(store: KeyStore): RecordedStore {
  const objects = new Map<string, string | null | undefined>();
  const lists = new Map<string, string>();
  const note = (request: ReadRequest | undefined, result: ReadResult): void => {
    if (request === undefined || objects.has(request.key)) return;
    objects.set(
      request.key,
      result === undefined ? null : result === 'unchanged' ? request.ifNoneMatch : result.version,
    );
  };
  // Without `locate`, threads read nothing unseen.
  const recorded = wrapStore(store, {
    getMany: (requests, each, options) =>
      store.getMany(
        requests,
        (index, result) => {
          note(requests[index], result);
          each(index, result);
        },
        options,
      ),
    async list(prefix, options) {
      const listing = await store.list(prefix, options);
      lists.set(prefix, JSON.stringify(listing));
      return listing;
    },
  });
  return { store: recorded, state: { objects, lists } };
}

/** Objects whose versions are requested together. */
const BATCH = 256;

/**
 * Whether everything that was read still has the same version. Objects without versions count as changed.
 * @throws store errors
 */
export async function isSameState(
  store: KeyStore,
  { objects, lists }: MemberState,
  options: ReadOptions,
): Promise<boolean> {
  const entries = [...objects];
  if (entries.some(([, version]) => version === undefined)) return false;
  const range = store.can.range ? { range: { offset: 0, length: 1 } } : {};
  for (let start = 0; start < entries.length; start += BATCH) {
    const batch = entries.slice(start, start + BATCH);
    let same = 0;
    await store.getMany(
      batch.map(([key, version]) =>
        typeof version === 'string' ? { key, ...range, ifNoneMatch: version } : { key, ...range },
      ),
      (index, result) => {
        if (result === (batch[index]?.[1] === null ? undefined : 'unchanged')) same += 1;
      },
      options,
    );
    if (same < batch.length) return false;
  }
  for (const [prefix, before] of lists)
    if (JSON.stringify(await store.list(prefix, options)) !== before) return false;
  return true;
}

export type MemberEngine = Pick<HierarchyOptions, 'chunkCache' | 'decoding' | 'limits'>;

export function openMemberHierarchy(
  store: KeyStore,
  { options }: CombinedMember,
  engine: MemberEngine,
): Hierarchy {
  return openHierarchy(store, { ...engine, ...options });
}
