/** Which versions of which stored objects a read stands on: what tells whether it would give the same again. */
import type { KeyStore, ReadOptions } from '../store/store.js';
import type { ChunkSource } from './fetch.js';
import { planObjects, type ReadPlan } from './plan.js';

/** By key; undefined where there is no such object. */
export type ObjectVersions = ReadonlyMap<string, string | undefined>;

/** Chunks that are gone through to find their objects. */
const MAX_CHUNKS = 1_000_000;

/**
 * The versions of all objects that a plan reads, without reading them. Undefined where that would take too many requests,
 * or the store does not tell.
 * @throws store errors, AbortedError
 */
export async function objectVersions(
  plan: ReadPlan,
  source: ChunkSource,
  store: KeyStore,
  options: ReadOptions,
): Promise<ObjectVersions | undefined> {
  if (plan.cost.chunks > MAX_CHUNKS || !store.can.range) return undefined;
  const most = store.maxVersionChecks;
  const keys = new Set<string>();
  for (const { object } of planObjects(plan)) {
    keys.add(source.objectKey(object));
    if (!(keys.size <= most)) return undefined;
  }
  const requests = Array.from(keys, (key) => ({ key, range: { offset: 0, length: 1 } }));
  // In the order of the plan, whatever the order of the answers.
  const versions = new Map<string, string | undefined>(requests.map(({ key }) => [key, undefined]));
  let isKnown = true;
  await store.getMany(
    requests,
    (i, answer) => {
      const key = requests[i]?.key ?? '';
      const version = answer === undefined || answer === 'unchanged' ? undefined : answer.version;
      if (answer !== undefined && version === undefined) isKnown = false;
      versions.set(key, version);
    },
    options,
  );
  return isKnown ? versions : undefined;
}
