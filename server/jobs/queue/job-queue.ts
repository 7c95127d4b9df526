/**
 * Jobs over BullMQ: the process that starts a job divides it into ranges of tasks, which any process takes; the starting
 * process merges their reports, stores the progress and completes the job. Ranges that a process has lost come back.
 */
import { type Job as QueuedJob, Queue, QueueEvents, UnrecoverableError, Worker } from 'bullmq';
import type { RedisConnection } from '../../redis/connection.js';
import { RedisError } from '../../redis/redis-error.js';
import { createStreamSession, isZarrError, StoreUnavailableError } from '../../zarr/index.js';
import { JobDestination } from '../destination.js';
import { DEFAULT_JOB_MEMORY } from '../limits.js';
import type { JobPlan, TaskReport } from '../plan.js';
import { planJob } from '../plan-job.js';
import { readRecord } from '../record.js';
import {
  assertMemory,
  failedTask,
  type FailedTask,
  isTransient,
  type JobOutcome,
  type OpenStage,
  type RangeReport,
  runJob,
  type RunOptions,
  runTraced,
} from '../run-job.js';
import type { JobStores } from '../stores.js';
import type { TaskRange } from '../task-ranges.js';
import { type JobTracer, noTracer } from '../tracer.js';
import {
  MAX_SHARED,
  MAX_TASKS,
  parseRange,
  parseReport,
  parseShared,
  printReport,
  type RangeMessage,
} from './messages.js';
import { createSignatures, type Signatures } from './signatures.js';

export interface QueueLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export interface JobQueueOptions {
  /** Whether this process runs tasks, also of jobs of other processes. */
  readonly works: boolean;
  /** Memory of the tasks of this process, in bytes. */
  readonly memoryBytes?: number | undefined;
  /** Number of ranges that this process runs at the same time. @default 2 */
  readonly ranges?: number | undefined;
  readonly log: QueueLog;
  /** Secrets that are not in Redis, which sign messages. @default messages are not signed */
  readonly keys?: readonly string[] | undefined;
  /** Records the tasks of this process. @default no spans */
  readonly tracer?: JobTracer | undefined;
}

const QUEUE = 'jobs';
/** Ranges that wait or run, so that the queue stays short. */
const MAX_OUTSTANDING = 64;
/** Each process that works finds about this number of ranges, so that all end at about the same time. */
const RANGES_OF_JOB = 64;
const ATTEMPTS = 4;
const BACKOFF_MS = 1000;
/** A process that loses Redis for longer gives its ranges to others. */
const LOCK_MS = 10_000;
const MAX_STALLED = 10;
/** Time for which the description of a job is kept without renewal: ranges of a lost job are then dropped. */
const SHARED_MS = 60_000;
/** Time between two searches for lost ranges, in ms. */
const SEARCH_MS = 2000;
/** The client of BullMQ waits for Redis without end: a job continues when Redis returns, but can be cancelled before. */
const DEADLINE_MS = 2000;
/** Ended ranges are kept this long, in seconds. */
const KEPT_SECONDS = 600;
const MAX_PLANS = 4;
/** Tasks of a range that run at the same time, if there is memory. */
const TASKS_OF_RANGE = 2;
/** Why a process drops a range: nobody renews the description of its job. */
const JOB_ENDED = 'the job has ended';
/** How often a range that was lost is added again. */
const MAX_LOSSES = 100;

export class JobQueue {
  readonly #redis: RedisConnection;
  readonly #options: JobQueueOptions;
  readonly #queue: Queue;
  readonly #events: QueueEvents;
  readonly #connections: { disconnect(): void }[] = [];
  #worker: Worker | undefined;
  #stores: JobStores | undefined;
  /** Called when a range has ended, by its id. */
  readonly #waiting = new Map<string, () => void>();
  readonly #plans = new Map<string, Promise<JobPlan>>();
  readonly #signatures: Signatures;
  /** Ranges that this process runs. */
  readonly #running = new Set<Promise<string>>();
  #heldBytes = 0;
  #holding: (() => void)[] = [];

  constructor(redis: RedisConnection, options: JobQueueOptions) {
    this.#redis = redis;
    this.#options = options;
    this.#signatures = createSignatures(options.keys ?? [], redis.prefix);
    this.#queue = new Queue(QUEUE, this.#connect());
    this.#events = new QueueEvents(QUEUE, this.#connect());
    const ended = ({ jobId }: { readonly jobId: string }): void => this.#waiting.get(jobId)?.();
    this.#events.on('completed', ended).on('failed', ended);
    // The connection reports failures, and reconnects.
    this.#queue.on('error', () => {});
    this.#events.on('error', () => {});
  }

  #connect() {
    const connection = this.#redis.open();
    this.#connections.push(connection);
    return { connection, prefix: `${this.#redis.prefix}:queue` };
  }

  /** Runs the tasks of a job in all processes that work. Without Redis, in this process. */
  async run(plan: JobPlan, options: RunOptions & { readonly id: string }): Promise<JobOutcome> {
    assertMemory(plan, options.memoryBytes ?? DEFAULT_JOB_MEMORY);
    const { id } = options;
    const description = this.#signatures.sign(
      ['job', id],
      JSON.stringify({ plan: plan.digest, spec: plan.job, trace: options.trace }, asText),
    );
    const share = async (): Promise<void> => {
      await this.#redis.run('job', (redis) => redis.set(this.#key(id), description, 'PX', SHARED_MS));
    };
    // Other processes open stores with their own rights: a job of a caller who sees less is not theirs.
    if (!(await this.#isPlannedBy(plan, options))) return runJob(plan, options);
    try {
      await share();
    } catch {
      this.#options.log.warn({ job: id }, 'Redis is unavailable; the job runs in this process');
      return runJob(plan, options);
    }
    const timer = setInterval(() => void share().catch(() => undefined), SHARED_MS / 4);
    try {
      return await runJob(plan, {
        ...options,
        executor: { runStage: (_, stage) => this.#runStage(id, plan, stage, share) },
      });
    } finally {
      clearInterval(timer);
      await this.#redis.run('job', (redis) => redis.del(this.#key(id))).catch(() => undefined);
    }
  }

  async #isPlannedBy({ job, digest }: JobPlan, { signal }: RunOptions): Promise<boolean> {
    if (this.#stores === undefined) return false;
    const own = await planJob(job, this.#stores, { signal });
    return own.digest === digest;
  }

  #key(id: string): string {
    return `${this.#redis.prefix}:job:${id}`;
  }

  /** @param share renews the description of the job */
  async #runStage(id: string, plan: JobPlan, stage: OpenStage, share: () => Promise<void>): Promise<void> {
    const size = Math.max(1, Math.min(MAX_TASKS / 4, Math.floor(plan.tasks / RANGES_OF_JOB)));
    const outstanding = new Map<string, { readonly range: TaskRange; readonly attempt: number }>();
    let wake = (): void => {};
    const onAbort = (): void => wake();
    const isAborted = (): boolean => stage.signal?.aborted === true;
    stage.signal?.addEventListener('abort', onAbort);
    const name = ([from, to]: TaskRange, attempt: number): string => `${id}.${from}.${to}.${attempt}`;
    const messageOf = ([from, to]: TaskRange): RangeMessage => ({ job: id, plan: plan.digest, from, to });
    const add = async (range: TaskRange, attempt: number): Promise<void> => {
      const message = messageOf(range);
      const key = name(range, attempt);
      this.#waiting.set(key, () => wake());
      outstanding.set(key, { range, attempt });
      const adding = this.#queue.add('tasks', message, {
        jobId: key,
        attempts: ATTEMPTS,
        backoff: { type: 'exponential', delay: BACKOFF_MS },
        removeOnComplete: { age: KEPT_SECONDS },
        removeOnFail: { age: KEPT_SECONDS },
      });
      // Without Redis, the range is added when it returns; if not, it is found to be lost.
      await withinDeadline(adding).catch(() => undefined);
    };
    try {
      for (;;) {
        while (outstanding.size < MAX_OUTSTANDING && !stage.isOver()) {
          const range = stage.take(size);
          if (range === undefined) break;
          await add(range, 0);
        }
        if (outstanding.size === 0) return;
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, SEARCH_MS);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        if (isAborted()) {
          await this.#redis.run('job', (redis) => redis.del(this.#key(id))).catch(() => undefined);
          await withinDeadline(Promise.all([...outstanding.keys()].map((key) => this.#queue.remove(key)))).catch(() => undefined); // prettier-ignore
          return;
        }
        for (const [key, { range, attempt }] of outstanding) {
          if (isAborted()) break;
          const outcome = await this.#outcomeOf(key, messageOf(range), plan);
          if (outcome === 'waiting') continue;
          outstanding.delete(key);
          this.#waiting.delete(key);
          if (outcome !== 'lost') {
            stage.report(outcome);
            continue;
          }
          // Redis has lost its memory: the range, or the description of the job.
          if (attempt >= MAX_LOSSES) throw new StoreUnavailableError('Redis loses the tasks of the job');
          await share().catch(() => undefined);
          await add(range, attempt + 1);
        }
      }
    } finally {
      stage.signal?.removeEventListener('abort', onAbort);
      for (const key of outstanding.keys()) this.#waiting.delete(key);
    }
  }

  async #outcomeOf(
    id: string,
    message: RangeMessage,
    plan: JobPlan,
  ): Promise<RangeReport | 'waiting' | 'lost'> {
    let current: QueuedJob | undefined;
    try {
      current = await withinDeadline(this.#queue.getJob(id));
    } catch {
      // Redis is away.
      return 'waiting';
    }
    if (current === undefined) return 'lost';
    const remove = (): Promise<unknown> => withinDeadline(this.#queue.remove(id)).catch(() => undefined);
    if (current.finishedOn === undefined || current.finishedOn === null) return 'waiting';
    if (current.failedReason === JOB_ENDED) {
      await remove();
      return 'lost';
    }
    const { from, to } = message;
    const all = Array.from({ length: to - from }, (_, i) => from + i);
    const failedAs = (error: Error): RangeReport => ({
      done: [],
      failed: all.map((task) => failedTask(task, error)),
    });
    try {
      const value: unknown = current.returnvalue;
      return value === null || value === undefined
        ? failedAs(new Error(String(current.failedReason ?? 'the range failed')))
        : parseReport(
            typeof value === 'string' ? this.#signatures.verify(subjectOf(message), value) : value,
            message,
            plan,
          );
    } catch (error) {
      if (!isZarrError(error)) throw error;
      return failedAs(error);
    } finally {
      await remove();
    }
  }

  /**
   * Gives the stores to the queue, and takes ranges of tasks, if this process works.
   * @param stores the stores of this process, by their configured names, with all rights
   */
  work(stores: JobStores): void {
    this.#stores = stores;
    if (!this.#options.works || this.#worker !== undefined) return;
    this.#worker = new Worker(QUEUE, (job) => this.#count(this.#runRange(job, stores)), {
      ...this.#connect(),
      concurrency: this.#ranges,
      lockDuration: LOCK_MS,
      stalledInterval: LOCK_MS / 2,
      maxStalledCount: MAX_STALLED,
    });
    this.#worker.on('error', () => {});
  }

  async #count(running: Promise<string>): Promise<string> {
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  get #ranges(): number {
    return this.#options.ranges ?? 2;
  }

  async #runRange(queued: QueuedJob, stores: JobStores): Promise<string> {
    const range = unlessMalformed(() => parseRange(queued.data));
    const key = this.#key(range.job);
    const text = await this.#redis.run('job', (redis) => redis.getrange(key, 0, MAX_SHARED));
    if (text === '') throw new UnrecoverableError(JOB_ENDED);
    const shared = unlessMalformed(() => parseShared(this.#signatures.verify(['job', range.job], text)));
    const plan = shared.plan === range.plan ? await this.#planOf(range, shared.spec, stores) : undefined;
    if (plan === undefined || range.to > plan.tasks)
      throw new UnrecoverableError('this process sees another source or destination than the process that started the job; compare their stores'); // prettier-ignore
    try {
      assertMemory(plan, this.#memoryBytes);
    } catch (error) {
      throw new UnrecoverableError(error instanceof Error ? error.message : String(error));
    }
    const isLast = queued.attemptsMade + 1 >= ATTEMPTS;
    const report = await runRange(plan, range, {
      isLast,
      run: (task, context) => runTraced(this.#options.tracer ?? noTracer, shared.trace, plan, task, context),
      hold: () => this.#hold(plan.needBytes),
      assertWanted: () => this.#assertWanted(range.job),
    });
    return this.#signatures.sign(subjectOf(range), printReport(report, plan));
  }

  get #memoryBytes(): number {
    return this.#options.memoryBytes ?? DEFAULT_JOB_MEMORY;
  }

  /** Waits for the memory of a task. @returns a function that releases it */
  async #hold(bytes: number): Promise<() => void> {
    while (this.#heldBytes > 0 && this.#heldBytes + bytes > this.#memoryBytes)
      await new Promise<void>((resolve) => this.#holding.push(resolve));
    this.#heldBytes += bytes;
    return () => {
      this.#heldBytes -= bytes;
      for (const resolve of this.#holding.splice(0)) resolve();
    };
  }

  async #assertWanted(job: string): Promise<void> {
    const count = await this.#redis.run('job', (redis) => redis.exists(this.#key(job)));
    if (count === 0) throw new UnrecoverableError(JOB_ENDED);
  }

  /** The plan of a job, as this process sees its stores; undefined if it is another one. */
  async #planOf(
    { job, plan: digest }: RangeMessage,
    spec: JobPlan['job'],
    stores: JobStores,
  ): Promise<JobPlan | undefined> {
    const key = `${job} ${digest}`;
    const planning = this.#plans.get(key) ?? planJob(spec, stores);
    this.#plans.delete(key);
    this.#plans.set(key, planning);
    for (const [oldest] of this.#plans) if (this.#plans.size > MAX_PLANS) this.#plans.delete(oldest);
    try {
      const plan = await planning;
      if (plan.digest === digest) return plan;
    } catch (error) {
      this.#plans.delete(key);
      throw error;
    }
    this.#plans.delete(key);
    return undefined;
  }

  async #closeAll(): Promise<void> {
    await this.#worker?.close().catch(() => undefined);
    await Promise.all([
      this.#events.close().catch(() => undefined),
      this.#queue.close().catch(() => undefined),
    ]);
  }

  /** Ends after the tasks that run now. */
  async close(): Promise<void> {
    const closing = this.#closeAll();
    // Without Redis, nothing is closed before it returns.
    const deadline = Promise.allSettled(this.#running).then(() => withinDeadline(closing));
    await Promise.race([closing, deadline]).catch(() => undefined);
    for (const connection of this.#connections) connection.disconnect();
  }
}

/** @throws RedisError if there is no reply in time */
async function withinDeadline<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new RedisError('timeout')), DEADLINE_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

interface RangeOptions {
  readonly run: JobPlan['run'];
  /** Waits for the memory of a task. @returns a function that releases it */
  readonly hold: () => Promise<() => void>;
  /** Whether failures are final; otherwise, transient ones end the range, which is then repeated. */
  readonly isLast: boolean;
  /** @throws UnrecoverableError if the job has ended; RedisError */
  readonly assertWanted: () => Promise<void>;
}

/** Runs consecutive tasks. @throws transient errors; UnrecoverableError if the job has ended or the destination is another one */
async function runRange(
  plan: JobPlan,
  { from, to }: RangeMessage,
  { run, isLast, hold, assertWanted }: RangeOptions,
): Promise<RangeReport> {
  const writes = plan.prepare !== undefined && plan.merging === undefined;
  const destination = plan.destination === undefined || !writes ? undefined : new JobDestination(plan.destination); // prettier-ignore
  const done: { task: number; report: TaskReport }[] = [];
  const failed: FailedTask[] = [];
  let next = from;
  let transient: { readonly error: unknown } | undefined;
  try {
    await destination?.begin({});
    if (destination !== undefined && plan.destination !== undefined) {
      const { record } = await readRecord(destination.hierarchy, plan.destination.path, {});
      if (record?.plan !== plan.digest)
        throw new UnrecoverableError('the destination does not belong to the job any more');
    }
    const work = async (): Promise<void> => {
      const memory = createStreamSession();
      while (next < to && transient === undefined) {
        const task = next++;
        const release = await hold();
        try {
          await assertWanted();
        } catch (error) {
          release();
          transient ??= { error };
          return;
        }
        try {
          const report = await run(task, {
            signal: undefined,
            memory,
            target: (path) => targetOf(destination, path),
          });
          done.push({ task, report });
        } catch (error) {
          if (!(error instanceof Error) || (isTransient(error) && !isLast)) {
            transient ??= { error };
            return;
          }
          failed.push(failedTask(task, error));
        } finally {
          release();
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(TASKS_OF_RANGE, to - from) }, work));
    if (transient !== undefined) throw transient.error;
    await destination?.commit(`tasks ${from} to ${to - 1}`);
    return { done, failed };
  } finally {
    await destination?.discard();
  }
}

function targetOf(
  destination: JobDestination | undefined,
  path: string,
): ReturnType<JobDestination['array']> {
  if (destination === undefined) throw new TypeError('the job has no destination');
  return destination.array(path, {});
}

/** What a report is about. */
function subjectOf({ job, plan, from, to }: RangeMessage): readonly (string | number)[] {
  return ['report', job, plan, from, to];
}

function unlessMalformed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new UnrecoverableError(error instanceof Error ? error.message : String(error));
  }
}

function asText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
