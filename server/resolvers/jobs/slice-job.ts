/** Slices that jobs compute. */
import type { JobService, JobStatus } from '../../jobs/job-service.js';
import { LimitError, pendingSlice, readySlice, UnsupportedError, ZarrError } from '../../zarr/index.js';
import { ForbiddenError } from '../access/caller-rights.js';
import type { GatewayContext } from '../context.js';
import type { SliceModel } from '../models.js';
import { gatewayStores } from './gateway-stores.js';
import { parsePlainJob } from './plain-job.js';

/** @throws UnsupportedError if the gateway runs no jobs; ForbiddenError without the right to start them */
export function servedJobs({ gateway, rights }: GatewayContext): JobService {
  if (gateway.jobs === undefined)
    throw new UnsupportedError('the gateway runs no jobs; it must be started with the option jobs');
  if (rights.mayStartJobs?.() !== true) throw new ForbiddenError('the caller has no right to start jobs');
  return gateway.jobs;
}

/** A slice that a job computes. */
export interface SliceByJob extends Pick<SliceModel['stepped'], 'slice'> {
  readonly job: JobStatus;
}

/**
 * Starts the job that computes a slice, or finds it.
 * @throws errors of `startJob`; LimitError and UnsupportedError for a reduction that cannot be divided
 */
export async function sliceByJob(model: SliceModel, context: GatewayContext): Promise<SliceByJob> {
  const jobs = servedJobs(context);
  const stores = gatewayStores(context.gateway, context.rights);
  const job = await jobs.start(
    parsePlainJob({ kind: 'reduce', source: model.recipe }),
    stores,
    context.signal,
  );
  const values = job.outcome?.values;
  const slice =
    values === undefined
      ? pendingSlice(model.slice, () => unfinished(job))
      : readySlice(model.slice, values, true);
  return { job, slice };
}

function unfinished({ id, state, error, progress: { done, tasks } }: JobStatus): Error {
  if (error instanceof ZarrError) return error;
  return new LimitError(
    `the job ${id} that computes the values is ${state}; request them again when it has ended: see jobProgress`,
    { excess: [{ limit: 'finished tasks of the job', allowed: done, needed: tasks }] },
  );
}
