/** Jobs: their fields, and who may see, start and cancel them. */
import type { JobStatus } from '../../jobs/job-service.js';
import { NDArrayValue } from '../../transport/nd-array-value.js';
import { isZarrError, NotFoundError } from '../../zarr/index.js';
import { assertMayWrite } from '../access/caller-rights.js';
import { NotReadError } from '../budget.js';
import type { GatewayContext } from '../context.js';
import type { JobKind, JobResolvers, StartJobInput } from '../generated/types.js';
import { baseName } from '../nodes/store-name.js';
import { checkCount } from '../nodes/paging.js';
import { gatewayStores } from './gateway-stores.js';
import { parseJobInput, placesOf } from './job-spec.js';
import { servedJobs } from './slice-job.js';

const kinds = {
  copy: 'COPY',
  reduce: 'REDUCE',
  pyramid: 'PYRAMID',
  consolidate: 'CONSOLIDATE',
  verify: 'VERIFY',
  statistics: 'STATISTICS',
} as const satisfies Record<JobStatus['spec']['kind'], JobKind>;

export const jobResolvers: JobResolvers = {
  kind: ({ spec }) => kinds[spec.kind],
  source: ({ spec }) => placesOf(spec).source,
  destination: ({ spec }) => placesOf(spec).destination,
  tasks: ({ progress }) => progress.tasks,
  done: ({ progress }) => progress.done,
  resumed: ({ progress }) => progress.resumed,
  bytesRead: ({ progress }) => progress.counts.bytesRead,
  bytesWritten: ({ progress }) => progress.counts.bytesWritten,
  remainingSeconds,
  createdAt: ({ createdAtMs }) => timeOf(createdAtMs),
  startedAt: ({ startedAtMs }) => (startedAtMs === undefined ? null : timeOf(startedAtMs)),
  endedAt: ({ endedAtMs }) => (endedAtMs === undefined ? null : timeOf(endedAtMs)),
  error: ({ error }) => (error === undefined ? null : shownError(error)),
  failures: ({ outcome }) => outcome?.failed ?? [],
  broken: ({ outcome }) => outcome?.broken ?? [],
  result: ({ outcome }) =>
    outcome?.values === undefined ? outcome?.result : new NDArrayValue(outcome.values, 'STRING').toNested(),
};

/** Errors that are mistakes of the program are only logged. */
function shownError(error: unknown): {
  readonly code: string;
  readonly message: string;
  readonly path?: string;
  readonly key?: string;
} {
  if (!isZarrError(error)) return { code: 'INTERNAL', message: 'internal error' };
  const { path, key } = error.where;
  return {
    code: error.code,
    message: error.message,
    ...(path === undefined ? {} : { path }),
    ...(key === undefined ? {} : { key }),
  };
}

function remainingSeconds({ progress, startedAtMs, endedAtMs }: JobStatus): number | null {
  const done = progress.done - progress.resumed;
  if (startedAtMs === undefined || endedAtMs !== undefined || done <= 0) return null;
  return (((Date.now() - startedAtMs) / 1000) * (progress.tasks - progress.done)) / done;
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** @throws errors of `servedJobs`, of the input and of the plan */
export async function startJob(input: StartJobInput, context: GatewayContext): Promise<JobStatus> {
  const jobs = servedJobs(context);
  if (context.budget.costOnly) throw new NotReadError('only the cost was requested');
  const spec = await parseJobInput(input, context);
  return jobs.start(spec, gatewayStores(context.gateway, context.rights), context.signal);
}

/** @throws NotFoundError for a job that the caller may not see; ForbiddenError for one that it could not start */
export async function cancelJob(id: string, context: GatewayContext): Promise<JobStatus> {
  const jobs = servedJobs(context);
  const { destination } = placesOf((await jobOf(id, context)).spec);
  if (destination !== undefined) assertMayWrite(context.rights, destination.store, destination.path);
  return jobs.cancelAnywhere(id);
}

/** @throws NotFoundError for a job that the caller may not see */
export async function jobOf(id: string, context: GatewayContext): Promise<JobStatus> {
  const status = await context.gateway.jobs?.find(id);
  if (status === undefined) throw unknownJob();
  return visibleJob(status, context);
}

/** @throws NotFoundError for a job that the caller may not see */
export function visibleJob(status: JobStatus, context: GatewayContext): JobStatus {
  if (!isVisible(status, context)) throw unknownJob();
  return status;
}

function unknownJob(): NotFoundError {
  return new NotFoundError('no job has this id; ended jobs are forgotten after a while');
}

/** @throws errors of `checkCount` */
export async function jobsOf(first: number, context: GatewayContext): Promise<readonly JobStatus[]> {
  checkCount('first', first, context.gateway.limits);
  const all = (await context.gateway.jobs?.listAll()) ?? [];
  return all.filter((status) => isVisible(status, context)).slice(0, first);
}

/** Whether the caller may start jobs, and read what the job reads and writes. */
function isVisible({ spec, reads }: JobStatus, { rights }: GatewayContext): boolean {
  if (rights.mayStartJobs?.() !== true) return false;
  const { source, destination } = placesOf(spec);
  const inputs = source === undefined ? [] : [source, ...reads.map((path) => ({ ...source, path }))];
  return [...inputs, ...(destination === undefined ? [] : [destination])].every(({ store, path }) =>
    rights.mayRead(baseName(store), path),
  );
}
