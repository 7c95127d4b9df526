/** Jobs over stores in memory. */
import { parseJob } from '../../server/jobs/job.js';
import { planJob } from '../../server/jobs/plan-job.js';
import { type JobOutcome, runJob, type RunOptions } from '../../server/jobs/run-job.js';
import type { JobStore, JobStores } from '../../server/jobs/stores.js';
import {
  createMemoryStore,
  type CreateArrayRequest,
  type Hierarchy,
  type KeyStore,
  openHierarchy,
  type ZarrArray,
} from '../../server/zarr/index.js';

export interface TestStores {
  readonly stores: JobStores;
  readonly source: Hierarchy;
  readonly destination: Hierarchy;
}

/** A source `a` and a destination `b`. */
export function testStores(
  source: KeyStore = createMemoryStore({ label: 'a' }),
  destination: KeyStore = createMemoryStore({ label: 'b' }),
): TestStores {
  const [from, to] = [openHierarchy(source), openHierarchy(destination)];
  const all = new Map<string, JobStore>([
    ['a', { name: 'a', hierarchy: from }],
    ['b', { name: 'b', hierarchy: to }],
  ]);
  const open = async (name: string): Promise<JobStore> => {
    const store = all.get(name);
    if (store === undefined) throw new Error(`no store ${name}`);
    return store;
  };
  return { stores: { source: open, destination: ({ store }) => open(store) }, source: from, destination: to };
}

/** Plans and runs a job. */
export async function run(
  stores: JobStores,
  job: Record<string, unknown>,
  options: RunOptions = {},
): Promise<JobOutcome> {
  return runJob(await planJob(parseJob(job), stores), {
    retry: { attempts: 2, baseMs: 1, maxMs: 2 },
    ...options,
  });
}

export function copyOf(
  path: string,
  options: Record<string, unknown> = {},
  to = path,
): Record<string, unknown> {
  return {
    kind: 'copy',
    source: { store: 'a', path, steps: [] },
    destination: { store: 'b', path: to },
    options,
  };
}

/** An array whose values are counted in C order, from 1 to 125 and again. */
export async function createCounted(
  hierarchy: Hierarchy,
  path: string,
  request: CreateArrayRequest,
  zarrFormat: 2 | 3 = 3,
): Promise<ZarrArray> {
  const array = await hierarchy.createArray(path, request, { zarrFormat });
  const count = request.shape.reduce((product, size) => product * size, 1);
  const values = Float64Array.from({ length: count }, (_, i) => (i % 125) + 1);
  if (count > 0)
    await array.select().write({
      dtype: { name: 'float64', itemSize: 8 },
      shape: request.shape,
      bytes: new Uint8Array(values.buffer),
    });
  return array;
}
