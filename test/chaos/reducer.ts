/**
 * A process that runs a reduction as a job until it is killed. Its environment contains the folder and the job
 * (CHAOS_JOB). It prints `task` after each task, and at last the outcome.
 */
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { createFolderRecords } from '../../server/jobs/folder-records.js';
import { parseJob } from '../../server/jobs/job.js';
import { planJob } from '../../server/jobs/plan-job.js';
import { runJob } from '../../server/jobs/run-job.js';
import { createFilesystemStore } from '../../server/zarr/index.js';
import { testStores } from '../jobs/memory-stores.js';

const { folder, job }: { readonly folder: string; readonly job: unknown } = JSON.parse(
  process.env['CHAOS_JOB'] ?? '{}',
);
const open = (label: string) => createFilesystemStore({ label, root: join(folder, label) });
const { stores } = testStores(open('a'), open('b'));
const plan = await planJob(parseJob(job), stores);
const { resumed, values } = await runJob(
  {
    ...plan,
    async run(task, context) {
      await after(20);
      const report = await plan.run(task, context);
      process.stdout.write('task\n');
      return report;
    },
  },
  {
    saveMs: 0,
    maxTasks: 2,
    records: createFolderRecords(join(folder, 'records'), (error) => {
      throw error;
    }),
  },
);
const text = values !== undefined && 'bytes' in values ? Buffer.from(values.bytes).toString('hex') : '';
process.stdout.write(`${JSON.stringify({ resumed, text })}\n`);
