/** Writes the consolidated metadata of a group, in one task. */
import { type CallOptions, parseNodePath } from '../../zarr/index.js';
import { digestOfPlan, type JobOf } from '../job.js';
import { type JobPlan, noCounts } from '../plan.js';
import type { JobStores } from '../stores.js';

/** @throws NotFoundError if there is no group */
export async function planConsolidate(
  job: JobOf<'consolidate'>,
  stores: JobStores,
  { signal }: CallOptions,
): Promise<JobPlan> {
  const store = await stores.destination(job.destination, signal);
  const path = parseNodePath(job.destination.path);
  const group = await store.hierarchy.group(path, { signal });
  return {
    job,
    reads: [],
    digest: digestOfPlan({ job, version: group.version }),
    tasks: 1,
    stages: [0],
    needBytes: 0,
    totalBytes: 0,
    nodes: [],
    destination: { store, path },
    async run(_task, context) {
      await store.hierarchy.consolidate(path, { signal: context.signal });
      return { counts: noCounts, seen: 0n };
    },
    seenNow: async () => 0n,
    isSourceCurrent: async () => true,
  };
}
