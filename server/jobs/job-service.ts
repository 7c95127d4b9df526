/**
 * The jobs of a process or of several: starts, lists and cancels them, and tells of their progress. Jobs and their results
 * are remembered up to a number; what they have done is in the stores.
 */
import { randomBytes } from 'node:crypto';
import { isZarrError, LimitError, NotFoundError } from '../zarr/index.js';
import { essenceOf, digestOfPlan, type JobSpec } from './job.js';
import { planJob } from './plan-job.js';
import { type JobPlan, noCounts } from './plan.js';
import {
  isUnchanged,
  type JobOutcome,
  type JobProgress,
  runJob,
  type RunOptions,
  tasksOf,
} from './run-job.js';
import type { JobRecords } from './record.js';
import type { JobStores } from './stores.js';
import { type JobTracer, noTracer, type TraceContext } from './tracer.js';

export const jobStates = ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const;
export type JobState = (typeof jobStates)[number];

/** A job as callers see it. Immutable: every change creates another object. */
export interface JobStatus {
  readonly id: string;
  readonly spec: JobSpec;
  /** See `JobPlan.reads`. */
  readonly reads: readonly string[];
  readonly state: JobState;
  readonly progress: JobProgress;
  readonly outcome: JobOutcome | undefined;
  /** Why the job failed as a whole. */
  readonly error: unknown;
  readonly createdAtMs: number;
  readonly startedAtMs: number | undefined;
  readonly endedAtMs: number | undefined;
}

/** The jobs of all replicas. Its functions never reject because Redis is away. */
export interface SharedJobs {
  /** @param key equal for equal jobs with equal sources */
  put(status: JobStatus, key: string): Promise<void>;
  get(id: string): Promise<JobStatus | undefined>;
  byKey(key: string): Promise<JobStatus | undefined>;
  /** The newest first, without the values of results. */
  list(): Promise<readonly JobStatus[]>;
  /** Asks the replica that runs a job to end it. */
  cancel(id: string): Promise<void>;
  /** Whether Redis responds. */
  isAvailable(): boolean;
  /** Which of these jobs other replicas have asked to end. */
  cancelled(ids: readonly string[]): Promise<readonly string[]>;
}

export interface JobServiceOptions {
  /** Maximum number of jobs that run at the same time. @default 1 */
  readonly maxRunning?: number | undefined;
  /** Maximum number of waiting jobs. @default 20 */
  readonly maxQueued?: number | undefined;
  /** Maximum number of ended jobs that are remembered. @default 200 */
  readonly maxRemembered?: number | undefined;
  /** Values of remembered jobs, in bytes. @default 32 MiB */
  readonly maxValueBytes?: number | undefined;
  /** Memory of the tasks of one job, in bytes. */
  readonly memoryBytes?: number | undefined;
  /** @default each replica knows its own jobs */
  readonly shared?: SharedJobs | undefined;
  /** Keeps the progress of jobs without a destination. @default they begin again after an interruption */
  readonly records?: JobRecords | undefined;
  /** Runs the tasks of a job. @default in this process */
  readonly run?:
    ((plan: JobPlan, options: RunOptions & { readonly id: string }) => Promise<JobOutcome>) | undefined;
  /** @default no spans */
  readonly tracer?: JobTracer | undefined;
  /** Called with errors that are a mistake of this program. */
  readonly logError?: ((error: unknown, id: string) => void) | undefined;
}

interface KnownJob {
  status: JobStatus;
  readonly key: string;
  /** When its state was shared last. */
  sharedAtMs: number;
  /** The span of the request that started the job. */
  readonly trace: TraceContext | undefined;
  readonly plan: JobPlan;
  readonly ending: AbortController;
}

const MAX_RUNNING = 1;
const MAX_QUEUED = 20;
const MAX_REMEMBERED = 200;
/** Least time between two shared states of progress, and most time between two states, in ms. */
const SHARE_MS = 500;
const RENEW_MS = 15_000;
/** Time between two looks at what other replicas share, in ms. */
const LOOK_MS = 1000;
const MAX_VALUE_BYTES = 32 * 2 ** 20;

export type JobListener = (status: JobStatus) => void;

export class JobService {
  readonly #options: JobServiceOptions;
  readonly #jobs = new Map<string, KnownJob>();
  readonly #queue: KnownJob[] = [];
  readonly #listeners = new Set<JobListener>();
  readonly #running = new Map<string, Promise<void>>();
  #isClosed = false;
  #sharing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: JobServiceOptions = {}) {
    this.#options = options;
  }

  /**
   * Plans a job, and runs it when its turn comes. A job that is waiting, running or has succeeded with the same description
   * and source is returned instead of starting it again.
   * @param stores the stores with the rights of the caller
   * @throws errors of `planJob`; LimitError if too many jobs wait
   */
  async start(spec: JobSpec, stores: JobStores, signal?: AbortSignal): Promise<JobStatus> {
    this.#assertRoom();
    const plan = await planJob(spec, stores, { signal });
    const key = keyOf(plan);
    for (const job of [...this.#jobs.values()].toReversed())
      if (job.key === key && (await isReusable(job.status, plan, signal))) return job.status;
    const elsewhere = await this.#options.shared?.byKey(key);
    if (
      elsewhere !== undefined &&
      !this.#jobs.has(elsewhere.id) &&
      (await isReusable(elsewhere, plan, signal))
    )
      return elsewhere;
    this.#assertRoom();
    const progress: JobProgress = {
      tasks: plan.tasks,
      done: 0,
      resumed: 0,
      failed: 0,
      counts: noCounts,
      phase: 'tasks',
    };
    const job: KnownJob = {
      plan,
      key,
      sharedAtMs: -Infinity,
      trace: this.#tracer.current(),
      ending: new AbortController(),
      status: {
        id: randomBytes(12).toString('base64url'),
        spec,
        reads: plan.reads,
        state: 'QUEUED',
        progress,
        outcome: undefined,
        error: undefined,
        createdAtMs: Date.now(),
        startedAtMs: undefined,
        endedAtMs: undefined,
      },
    };
    this.#jobs.set(job.status.id, job);
    this.#share(job, true);
    this.#queue.push(job);
    this.#next();
    return job.status;
  }

  /** @throws NotFoundError for an unknown id, or one that was forgotten */
  get(id: string): JobStatus {
    return this.#known(id).status;
  }

  /** Like `get`, also of other replicas. */
  async find(id: string): Promise<JobStatus> {
    const own = this.#jobs.get(id)?.status ?? (await this.#options.shared?.get(id));
    if (own !== undefined) return own;
    throw unknownJob();
  }

  /** All jobs of this process, the newest first. */
  list(): readonly JobStatus[] {
    return [...this.#jobs.values()].map(({ status }) => status).toReversed();
  }

  /** Like `list`, also of other replicas. */
  async listAll(): Promise<readonly JobStatus[]> {
    const others = (await this.#options.shared?.list()) ?? [];
    const foreign = others.filter(({ id }) => !this.#jobs.has(id));
    return [...this.list(), ...foreign].toSorted((a, b) => b.createdAtMs - a.createdAtMs);
  }

  /** Like `cancel`, also of other replicas, which end the job within a few seconds. */
  async cancelAnywhere(id: string): Promise<JobStatus> {
    if (this.#jobs.has(id)) return this.cancel(id);
    const status = await this.find(id);
    if (status.endedAtMs === undefined) await this.#options.shared?.cancel(id);
    return status;
  }

  /** Ends a job; what it has finished remains. Does nothing if it has ended. @throws NotFoundError */
  cancel(id: string): JobStatus {
    const job = this.#known(id);
    const at = this.#queue.indexOf(job);
    job.ending.abort();
    if (at >= 0) {
      this.#queue.splice(at, 1);
      this.#change(job, { state: 'CANCELLED', endedAtMs: Date.now() });
      this.#forget();
    }
    return job.status;
  }

  /** Calls a listener at every change of a job of this process. @returns ends the calls */
  listen(listener: JobListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Calls a listener with the states of one job of any replica.
   * @param onLost called if the replica that runs it has ended
   * @returns ends the calls
   */
  follow(id: string, listener: JobListener, onLost: () => void): () => void {
    const { shared } = this.#options;
    if (this.#jobs.has(id) || shared === undefined)
      return this.listen((status) => {
        if (status.id === id) listener(status);
      });
    const timer = setInterval(() => {
      shared.get(id).then(
        (status) => (status === undefined ? this.#lost(onLost) : listener(status)),
        (error: unknown) => this.#options.logError?.(error, id),
      );
    }, LOOK_MS).unref();
    return () => clearInterval(timer);
  }

  /** While Redis is away, nothing is known of the job. */
  #lost(onLost: () => void): void {
    if (this.#options.shared?.isAvailable() === true) onLost();
  }

  /** Ends all jobs, after they have stored their progress. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const { ending } of this.#jobs.values()) ending.abort();
    for (const job of this.#queue.splice(0)) this.#change(job, { state: 'CANCELLED', endedAtMs: Date.now() });
    await Promise.all(this.#running.values());
    await this.#sharing;
  }

  get #tracer(): JobTracer {
    return this.#options.tracer ?? noTracer;
  }

  #known(id: string): KnownJob {
    const job = this.#jobs.get(id);
    if (job === undefined) throw unknownJob();
    return job;
  }

  /** Shares the state of a job: changes of its progress not too often. */
  #share(job: KnownJob, isUrgent: boolean): void {
    const { shared, logError } = this.#options;
    if (shared === undefined || (!isUrgent && performance.now() - job.sharedAtMs < SHARE_MS)) return;
    job.sharedAtMs = performance.now();
    const { status, key } = job;
    // One after the other, so that the last state is the last one that is stored.
    this.#sharing = this.#sharing
      .then(() => shared.put(status, key))
      .catch((error: unknown) => logError?.(error, status.id));
    this.#timer ??= setInterval(() => void this.#look(shared), LOOK_MS).unref();
  }

  /** Renews the states of jobs that have not ended, and ends those that other replicas cancel. */
  async #look(shared: SharedJobs): Promise<void> {
    const open = [...this.#jobs.values()].filter(({ status }) => status.endedAtMs === undefined);
    if (open.length === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    for (const job of open) if (performance.now() - job.sharedAtMs > RENEW_MS) this.#share(job, true);
    for (const id of await shared.cancelled(open.map(({ status }) => status.id))) this.cancel(id);
  }

  #assertRoom(): void {
    const { maxQueued = MAX_QUEUED } = this.#options;
    if (this.#queue.length < maxQueued && !this.#isClosed) return;
    throw new LimitError(`${this.#queue.length} jobs are waiting; try again when one has ended`, {
      excess: [{ limit: 'waiting jobs', allowed: maxQueued, needed: this.#queue.length + 1 }],
    });
  }

  #next(): void {
    const { maxRunning = MAX_RUNNING } = this.#options;
    while (!this.#isClosed && this.#running.size < maxRunning) {
      const job = this.#queue.shift();
      if (job === undefined) return;
      const { id } = job.status;
      const running = this.#run(job).finally(() => {
        this.#running.delete(id);
        this.#forget();
        this.#next();
      });
      this.#running.set(id, running);
    }
  }

  async #run(job: KnownJob): Promise<void> {
    const { run = runJob, memoryBytes, records, logError } = this.#options;
    const { id, spec } = job.status;
    const tracer = this.#tracer;
    this.#change(job, { state: 'RUNNING', startedAtMs: Date.now() });
    try {
      const attributes = { 'zarrql.job.id': id, 'zarrql.job.tasks': job.plan.tasks };
      const outcome = await tracer.span(`job ${spec.kind}`, job.trace, attributes, (trace) =>
        run(job.plan, {
          id,
          signal: job.ending.signal,
          memoryBytes,
          records,
          onProgress: (progress) => this.#change(job, { progress }),
          tracer,
          trace,
        }),
      );
      const isComplete = outcome.failed.length === 0 && outcome.done === outcome.tasks;
      this.#change(job, { state: isComplete ? 'SUCCEEDED' : 'FAILED', outcome, endedAtMs: Date.now() });
    } catch (error) {
      const isCancelled = job.ending.signal.aborted && isZarrError(error, 'ABORTED');
      if (!isZarrError(error)) logError?.(error, id);
      this.#change(job, {
        state: isCancelled ? 'CANCELLED' : 'FAILED',
        error: isCancelled ? undefined : error,
        endedAtMs: Date.now(),
      });
    }
  }

  #change(job: KnownJob, change: Partial<JobStatus>): void {
    job.status = { ...job.status, ...change };
    this.#share(job, change.state !== undefined);
    for (const listener of this.#listeners) listener(job.status);
  }

  /** Forgets the oldest ended jobs. */
  #forget(): void {
    const { maxRemembered = MAX_REMEMBERED, maxValueBytes = MAX_VALUE_BYTES } = this.#options;
    let [count, bytes] = [0, 0];
    for (const { status } of [...this.#jobs.values()].toReversed()) {
      if (status.endedAtMs === undefined) continue;
      count++;
      bytes += bytesOf(status.outcome);
      if (count > maxRemembered || bytes > maxValueBytes) this.#jobs.delete(status.id);
    }
  }
}

/** Whether a job need not be started again: its result exists, or will. @param plan the same job, with current stores */
async function isReusable(
  { state, outcome }: JobStatus,
  plan: JobPlan,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (state === 'QUEUED' || state === 'RUNNING') return true;
  if (state !== 'SUCCEEDED' || outcome === undefined) return false;
  const { job, destination } = plan;
  if (destination === undefined)
    return (
      plan.merging !== undefined &&
      isUnchanged(plan, tasksOf({ ranges: [[0, plan.tasks]] }), outcome.seen, { signal })
    );
  if (!('options' in job) || job.options?.overwrite === true) return false;
  // The new node may have been deleted since.
  return (await destination.store.hierarchy.node(destination.path, { signal })) !== undefined;
}

function unknownJob(): NotFoundError {
  return new NotFoundError('no job has this id; ended jobs are forgotten after a while');
}

function bytesOf(outcome: JobOutcome | undefined): number {
  const values = outcome?.values;
  return values !== undefined && 'bytes' in values ? values.bytes.length : 0;
}

function keyOf({ digest, job }: JobPlan): string {
  return digestOfPlan([digest, essenceOf(job)]);
}
