/** The versions of the stored objects of a read. If the versions are unchanged, so is the result. */
import type { KeyStore, ReadOptions } from '../../store/store.js';
import type { ChunkSource } from './chunk-read.js';
import { planObjects, type ReadPlan } from '../../format/plan/plan.js';

/** Versions by object key; undefined if the object is absent. */
export type ObjectVersions = ReadonlyMap<string, string | undefined>;

export interface VersionOptions extends ReadOptions {
  /** A known version of an object. Revalidating it costs less than requesting the current version. */
  readonly expected?: ((key: string) => string | undefined) | undefined;
}

/** Maximum number of chunks whose objects are enumerated. */
const MAX_CHUNKS = 1_000_000;

/**
 * The keys of all objects that a plan reads, in the order of the plan. Undefined if the plan has too many chunks.
 * @param most maximum number of keys; undefined is returned if there are more
 */
export function objectKeys(
  plan: ReadPlan,
  source: ChunkSource,
  most: number,
): ReadonlySet<string> | undefined {
  if (plan.cost.chunks > MAX_CHUNKS) return undefined;
  const keys = new Set<string>();
  for (const { object } of planObjects(plan)) {
    keys.add(source.objectKey(object));
    if (!(keys.size <= most)) return undefined;
  }
  return keys;
}

/**
 * The versions of all objects that a plan reads. Requests at most one byte of each. Undefined if the plan has too many
 * chunks or objects, or if the store has no byte ranges or versions.
 * @throws store errors; AbortedError if the signal fires
 */
export async function objectVersions(
  plan: ReadPlan,
  source: ChunkSource,
  store: KeyStore,
  { expected, ...options }: VersionOptions,
): Promise<ObjectVersions | undefined> {
  const keys = store.can.range ? objectKeys(plan, source, store.maxVersionChecks) : undefined;
  if (keys === undefined) return undefined;
  const requests = Array.from(keys, (key) => {
    const ifNoneMatch = expected?.(key);
    const request = { key, range: { offset: 0, length: 1 } };
    return ifNoneMatch === undefined ? request : { ...request, ifNoneMatch };
  });
  // The map is in the order of the plan, independent of the order of responses.
  const versions = new Map<string, string | undefined>(requests.map(({ key }) => [key, undefined]));
  let isKnown = true;
  await store.getMany(
    requests,
    (i, result) => {
      const key = requests[i]?.key ?? '';
      const version = result === 'unchanged' ? expected?.(key) : result?.version;
      if (result !== undefined && version === undefined) isKnown = false;
      versions.set(key, version);
    },
    options,
  );
  return isKnown ? versions : undefined;
}
