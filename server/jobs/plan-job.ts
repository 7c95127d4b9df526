/** Plans a job of any kind. */
import type { CallOptions } from '../zarr/index.js';
import type { JobSpec } from './job.js';
import { planConsolidate } from './kinds/consolidate.js';
import { planCopy } from './kinds/copy.js';
import { planPyramid } from './kinds/pyramid.js';
import { planReduce } from './kinds/reduce.js';
import { planStatisticsJob } from './kinds/statistics.js';
import { planVerify } from './kinds/verify.js';
import type { JobPlan } from './plan.js';
import type { JobStores } from './stores.js';

/**
 * Reads metadata only.
 * @throws errors of the kind of the job
 */
export async function planJob(job: JobSpec, stores: JobStores, options: CallOptions = {}): Promise<JobPlan> {
  switch (job.kind) {
    case 'copy':
      return planCopy(job, stores, options);
    case 'reduce':
      return planReduce(job, stores, options);
    case 'pyramid':
      return planPyramid(job, stores, options);
    case 'consolidate':
      return planConsolidate(job, stores, options);
    case 'verify':
      return planVerify(job, stores, options);
    case 'statistics':
      return planStatisticsJob(job, stores, options);
  }
}
