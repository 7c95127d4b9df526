import type { Config } from '../config.js';
import type { SharedJobs } from '../jobs/job-service.js';
import type { JobQueueLike, JobTracer } from '../gateway/options.js';
import type { RedisConnection } from '../redis/connection.js';
import type { ProcessLog } from './logger.js';

/** Shares the tasks of jobs with other processes. The package of the queue is loaded only then. */
export async function openQueue(
  { jobTasks, jobMemoryBytes, hrefKeys }: Config,
  redis: RedisConnection,
  { logger }: ProcessLog,
  tracer: JobTracer | undefined,
): Promise<JobQueueLike> {
  const { JobQueue } = await import('../jobs/queue/job-queue.js');
  return new JobQueue(redis, {
    works: jobTasks,
    memoryBytes: jobMemoryBytes,
    keys: hrefKeys,
    log: logger,
    tracer,
  });
}

/** Shares the states of jobs with other replicas; undefined without keys. */
export async function openSharedJobs(
  { hrefKeys }: Config,
  redis: RedisConnection,
): Promise<SharedJobs | undefined> {
  const { createSharedJobs } = await import('../jobs/queue/shared-jobs.js');
  return createSharedJobs(redis, hrefKeys);
}
