import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CommandStores } from '../../server/cli/job-stores.js';
import { parseJob } from '../../server/jobs/job.js';
import { planJob } from '../../server/jobs/plan-job.js';
import { runJob } from '../../server/jobs/run-job.js';
import { createFilesystemStore, openHierarchy } from '../../server/zarr/index.js';
import { createCounted } from '../jobs/memory-stores.js';
import { folderOfTest } from '../setup/temporary-folder.js';
import { zarrql } from './running.js';

test(
  'a reduction to an Icechunk repository continues with what was committed',
  { timeout: 60_000 },
  async () => {
    const root = folderOfTest('job-stores');
    const from = openHierarchy(createFilesystemStore({ label: 'f', root: join(root, 'from') }));
    await createCounted(from, '/', { shape: [320], chunkShape: [1], dtype: 'float64' });
    expect(await zarrql(['icechunk', 'create', join(root, 'repository')])).toMatchObject({ code: 0 });
    const runOnce = async (after: number) => {
      const stores = new CommandStores();
      try {
        const { place } = await stores.openSource(join(root, 'from'), {});
        const opened = await stores.openDestination(`icechunk+file:${join(root, 'repository')}`);
        const job = { kind: 'reduce', source: { ...place, steps: [{ reduce: { by: 'STD' } }] } };
        const whole = await runJob(await planJob(parseJob(job), stores));
        const plan = await planJob(parseJob({ ...job, destination: opened.place, options: {} }), stores);
        expect(plan.tasks).toBe(5);
        const ending = new AbortController();
        const onProgress = ({ done }: { readonly done: number }): void =>
          void (done >= after && ending.abort());
        const outcome = await runJob(plan, { saveMs: 0, maxTasks: 1, signal: ending.signal, onProgress });
        const written = await (await stores.destination(opened.place)).hierarchy.array('/');
        return { outcome, expected: whole.values, written: await written.select().read() };
      } finally {
        await stores.close();
      }
    };
    for (const after of [2, 4]) await expect(runOnce(after)).rejects.toMatchObject({ code: 'ABORTED' });
    const { outcome, expected, written } = await runOnce(Infinity);
    expect(outcome).toMatchObject({ done: 5, resumed: 4 });
    expect(written).toEqual(expected);
  },
);
