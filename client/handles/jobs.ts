/** Long work on the stores of a gateway: copies, pyramids, verifications, statistics. */
import { RequestError, TransportError } from '../errors.js';
import {
  CancelJobDocument,
  JobByIdDocument,
  type JobPartsFragment,
  JobProgressDocument,
  JobsDocument,
  StartJobDocument,
  type StartJobInput,
} from '../generated/operations.js';
import type { JsonValue } from '../json/json.js';
import { isRecord } from '../json/json.js';
import { type Connection, requireResult } from '../transport/connection.js';
import type { RequestOptions } from '../transport/document.js';

/** Lengths of dimensions, by name or position. */
export type JobLengths = Readonly<Record<string, number>> | readonly number[];

/** A job to start. */
export interface JobRequest extends Omit<StartJobInput, 'chunks' | 'shards'> {
  /** Chunk lengths of all dimensions, or of some by name. With shards, of the inner chunks. */
  readonly chunks?: JobLengths | undefined;
  /** Shard lengths; null for no shards. */
  readonly shards?: JobLengths | null | undefined;
}

export type JobKind = JobPartsFragment['kind'];
export type JobState = JobPartsFragment['state'];

/** A failure of a job, of a task or of a chunk. */
export interface JobFailure {
  readonly code: string;
  readonly message: string;
  readonly path: string | null;
  /** Key of the object in the store. */
  readonly key: string | null;
}

/** A job at one moment. */
export interface JobInfo {
  readonly id: string;
  readonly kind: JobKind;
  readonly state: JobState;
  readonly source: { readonly store: string; readonly path: string } | null;
  readonly destination: { readonly store: string; readonly path: string } | null;
  readonly tasks: number;
  /** Finished tasks, with those of earlier starts. */
  readonly done: number;
  readonly resumed: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  readonly remainingSeconds: number | null;
  /** ISO 8601, in UTC. */
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** Why the job failed as a whole. */
  readonly error: JobFailure | null;
  readonly failures: readonly JobFailure[];
  /** Unreadable chunks that a verification has found. */
  readonly broken: readonly JobFailure[];
  /** Result of statistics. */
  readonly result: JsonValue | null;
}

export interface Jobs {
  /**
   * Starts a job, which runs after the request.
   * @throws RequestError FORBIDDEN, NOT_FOUND, BAD_INPUT, UNSUPPORTED, LIMIT_EXCEEDED ..., TransportError
   * @example
   * const job = await client.jobs.start({ kind: 'COPY', source: { store: 'a', path: '/x' }, destination: { store: 'b', path: '/x' }, chunks: { time: 365 } });
   */
  start(request: JobRequest, options?: RequestOptions): Promise<JobInfo>;
  /** @throws RequestError NOT_FOUND, TransportError */
  get(id: string, options?: RequestOptions): Promise<JobInfo>;
  /** The latest jobs, the newest first. @param options.first @default 50 */
  list(options?: RequestOptions & { readonly first?: number | undefined }): Promise<readonly JobInfo[]>;
  /** Ends a job. What it has finished remains, and starting it again continues it. @throws errors of `start` */
  cancel(id: string, options?: RequestOptions): Promise<JobInfo>;
  /**
   * The states of a job, until it ends.
   * @throws RequestError NOT_FOUND; TransportError if the connection is lost
   * @example
   * for await (const { done, tasks, state } of client.jobs.watch(job.id)) console.log(state, done / tasks);
   */
  watch(id: string, options?: Pick<RequestOptions, 'signal'>): AsyncIterable<JobInfo>;
}

export function createJobs(connection: Connection): Jobs {
  return {
    async start({ chunks, shards, ...request }, options) {
      const input = {
        ...request,
        ...(chunks === undefined ? {} : { chunks: sizesOf(chunks) }),
        ...(shards === undefined ? {} : { shards: shards === null ? [] : sizesOf(shards) }),
      };
      const data = await connection.requestJson(StartJobDocument, { input }, options);
      return jobOf(requireResult(data.startJob, 'the job').job);
    },
    async get(id, options) {
      const { job } = await connection.requestJson(JobByIdDocument, { id }, options);
      return jobOf(requireResult(job, `the job "${id}"`));
    },
    async list({ first = 50, ...options } = {}) {
      return (await connection.requestJson(JobsDocument, { first }, options)).jobs.map(jobOf);
    },
    async cancel(id, options) {
      const data = await connection.requestJson(CancelJobDocument, { input: { id } }, options);
      return jobOf(requireResult(data.cancelJob, `the job "${id}"`).job);
    },
    watch: (id, options) => watchJob(connection, id, options?.signal),
  };
}

async function* watchJob(
  connection: Connection,
  id: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<JobInfo, void> {
  for await (const { data, errors } of connection.subscribe(JobProgressDocument, { id }, { signal })) {
    const [first, ...others] = errors;
    if (first !== undefined) throw new RequestError([first, ...others], data);
    const job = data?.jobProgress;
    if (!isRecord(job))
      throw new TransportError('BAD_RESPONSE', 'malformed event of a job in the subscription');
    yield jobOf(job);
  }
}

function sizesOf(lengths: JobLengths): { readonly dim: string; readonly size: number }[] {
  return Object.entries(lengths).map(([dim, size]) => ({ dim, size }));
}

/** Counts are numbers or, beyond 2^53, text. */
function jobOf({ tasks, done, resumed, bytesRead, bytesWritten, ...job }: JobPartsFragment): JobInfo {
  return {
    ...job,
    tasks: Number(tasks),
    done: Number(done),
    resumed: Number(resumed),
    bytesRead: Number(bytesRead),
    bytesWritten: Number(bytesWritten),
  };
}
