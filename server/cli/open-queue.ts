import type { Config } from '../config.js';
import { createFolderRecords } from '../jobs/folder-records.js';
import type { SharedJobs } from '../jobs/job-service.js';
import type { JobRecords } from '../jobs/record.js';
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

/** Keeps the progress of jobs without a destination: in Redis if it is signed there, otherwise in a folder if there is one. */
export async function openRecords(
  { hrefKeys, jobFolder }: Config,
  redis: RedisConnection | undefined,
  logger: ProcessLog['logger'],
): Promise<JobRecords | undefined> {
  if (redis !== undefined && hrefKeys.length > 0) {
    const { createSharedRecords } = await import('../jobs/queue/shared-records.js');
    return createSharedRecords(redis, hrefKeys);
  }
  if (jobFolder === undefined) return undefined;
  return createFolderRecords(jobFolder, (error) =>
    logger.warn({ err: error, jobFolder }, 'the progress of a job was not kept'),
  );
}

/** Shares the states of jobs with other replicas; undefined without keys. */
export async function openSharedJobs(
  { hrefKeys }: Config,
  redis: RedisConnection,
): Promise<SharedJobs | undefined> {
  const { createSharedJobs } = await import('../jobs/queue/shared-jobs.js');
  return createSharedJobs(redis, hrefKeys);
}
