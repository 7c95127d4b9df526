/**
 * Runs the tasks of a job in this process: several at a time within a memory budget, with retries. The progress is stored
 * at the destination every few seconds, so that the same job continues after an interruption.
 */
import { availableParallelism } from 'node:os';
import {
  AbortedError,
  type Block,
  type CallOptions,
  ConflictError,
  CodecError,
  createStreamSession,
  InputError,
  isZarrError,
  type JsonValue,
  LimitError,
  runWithRetry,
  StoreUnavailableError,
  throwIfAborted,
  ZarrError,
} from '../zarr/index.js';
import { JobDestination } from './destination.js';
import { DEFAULT_JOB_MEMORY } from './limits.js';
import {
  addCounts,
  type BrokenChunk,
  type JobPlan,
  noCounts,
  noResult,
  type TaskContext,
  type TaskCounts,
  type TaskReport,
} from './plan.js';
import { MergeQueue } from './merge-queue.js';
import {
  type JobRecord,
  type JobRecords,
  MAX_ATTRIBUTE_PARTIALS,
  MAX_KEPT_PARTIALS,
  MAX_RECORD,
  parseRecord,
  recordJson,
} from './record.js';
import { addSeen } from './seen-versions.js';
import { type TaskRange, TaskRanges } from './task-ranges.js';
import { type JobTracer, noTracer, type TraceContext } from './tracer.js';

export interface RunOptions extends CallOptions {
  /** Memory of all tasks in flight, in bytes. @default DEFAULT_JOB_MEMORY */
  readonly memoryBytes?: number | undefined;
  /** Maximum number of tasks in flight. @default one more than the processors */
  readonly maxTasks?: number | undefined;
  /** Least time between two records of the progress, in ms. @default 1000 */
  readonly saveMs?: number | undefined;
  /** Number of failed tasks after which the job ends. @default 100 */
  readonly maxFailures?: number | undefined;
  /** Delays between attempts of a task. */
  readonly retry?: { readonly attempts: number; readonly baseMs: number; readonly maxMs: number } | undefined;
  /** Runs the tasks elsewhere. @default in this process */
  readonly executor?: StageExecutor | undefined;
  /** Records the tasks of this process. @default no spans */
  readonly tracer?: JobTracer | undefined;
  /** The span of the job. */
  readonly trace?: TraceContext | undefined;
  /** Keeps the progress of jobs without a destination. @default such jobs begin again after an interruption */
  readonly records?: JobRecords | undefined;
  /** Called after every task. Must not throw. */
  readonly onProgress?: ((progress: JobProgress) => void) | undefined;
}

/** The tasks of a stage that another process may take. */
export interface OpenStage {
  readonly signal: AbortSignal | undefined;
  /** Takes up to `most` consecutive tasks; undefined if there are none now, because results must be merged first. */
  take(most: number): TaskRange | undefined;
  /** Records the outcome of taken tasks. */
  report(report: RangeReport): void;
  /** Whether no further task should begin. */
  isOver(): boolean;
}

/** Runs the tasks of a stage. Resolves when no taken task is in flight. */
export interface StageExecutor {
  runStage(plan: JobPlan, stage: OpenStage): Promise<void>;
}

/** The outcome of consecutive tasks. */
export interface RangeReport {
  readonly done: readonly { readonly task: number; readonly report: TaskReport }[];
  readonly failed: readonly FailedTask[];
}

export interface FailedTask extends BrokenChunk {
  readonly task: number;
}

export interface JobProgress {
  readonly tasks: number;
  /** Finished tasks, with those of earlier runs. */
  readonly done: number;
  /** Finished tasks of earlier runs. */
  readonly resumed: number;
  readonly failed: number;
  readonly counts: TaskCounts;
  readonly phase: 'tasks' | 'checking';
}

export interface JobOutcome {
  readonly tasks: number;
  readonly done: number;
  readonly resumed: number;
  readonly counts: TaskCounts;
  /** Tasks that failed for good. They are tried again when the job is started again. */
  readonly failed: readonly FailedTask[];
  /** Whether more tasks failed than `failed` names, so that the job ended early. */
  readonly isAborted: boolean;
  /** Chunks that a verification found to be unreadable. */
  readonly broken: readonly BrokenChunk[];
  /** Whether the versions of all that was read were compared at the end: false for stores without versions. */
  readonly isChecked: boolean;
  readonly result: JsonValue | undefined;
  /** The values of a reduction without a destination. */
  readonly values: Block | undefined;
  /** Sum of the digests of all that was read; undefined for stores without versions. */
  readonly seen: bigint | undefined;
}

const SAVE_MS = 1000;
/** A save takes at most this share of the time. */
const SAVE_SHARE = 0.05;
const MAX_FAILURES = 100;
const MAX_BROKEN = 1000;
const RETRY = { attempts: 5, baseMs: 500, maxMs: 30_000 };
/** Tasks and chunks between two commits of a repository, which keeps changes in memory until then. */
const TASKS_PER_COMMIT = 512;
const CHUNKS_PER_COMMIT = 50_000;
const COMMIT_MS = 60_000;
/** Number of tasks that may be finished out of order while partial results are merged in order. */
const MERGE_WINDOW = 64;
const SHARED_MERGE_WINDOW = 1024;
/** Partial results that are not merged, in bytes. */
const MERGE_BYTES = 32 * 2 ** 20;
const MIN_MERGE_WINDOW = 16;
const MERGE_POLL_MS = 20;
/** Number of versions that are compared at the same time. */
const CHECK_WIDTH = 8;

/**
 * @throws LimitError before anything is written, if a task needs more memory than there is; ConflictError if the source
 * changed; AlreadyExistsError; AbortedError if the signal fires, after the progress was stored; errors from the destination
 */
export async function runJob(plan: JobPlan, options: RunOptions = {}): Promise<JobOutcome> {
  assertMemory(plan, options.memoryBytes ?? DEFAULT_JOB_MEMORY);
  throwIfAborted(options.signal);
  const run = new JobRun(plan, options);
  return run.run();
}

/** @throws LimitError */
export function assertMemory({ needBytes }: JobPlan, memoryBytes: number): void {
  if (needBytes <= memoryBytes) return;
  throw new LimitError(
    'a chunk or shard of the source or the destination needs more memory than the job may use; choose smaller chunks or shards, or allow more memory',
    { excess: [{ limit: 'memory of a job', allowed: memoryBytes, needed: Math.ceil(needBytes) }] },
  );
}

class JobRun {
  readonly #plan: JobPlan;
  readonly #options: RunOptions;
  readonly #destination: JobDestination | undefined;
  readonly #failed: FailedTask[] = [];
  readonly #broken: BrokenChunk[] = [];
  readonly #merge: MergeQueue | undefined;
  #counts: TaskCounts = noCounts;
  #done = new TaskRanges();
  #seen: bigint | undefined = 0n;
  #isStarted = false;
  #resumed = 0;
  #saving: Promise<void> | undefined;
  #savedAt = performance.now();
  #saveMs: number;
  #fatal: { readonly error: unknown } | undefined;

  constructor(plan: JobPlan, options: RunOptions) {
    this.#plan = plan;
    this.#options = options;
    this.#destination =
      plan.destination === undefined || plan.prepare === undefined
        ? undefined
        : new JobDestination(plan.destination);
    const commits = this.#destination?.hasCommits === true;
    this.#saveMs = options.saveMs ?? (commits ? COMMIT_MS : SAVE_MS);
    this.#merge =
      plan.merging === undefined
        ? undefined
        : new MergeQueue(plan.merging, (error) => {
            this.#fatal ??= { error: this.#problemOfMerge(error) };
          });
  }

  async run(): Promise<JobOutcome> {
    const { job } = this.#plan;
    const overwrites = 'options' in job && job.options.overwrite === true;
    try {
      const isCurrent = ({ done, seen }: JobRecord): Promise<boolean> =>
        done.count === 0
          ? Promise.resolve(true)
          : isUnchanged(this.#plan, tasksOf(done), seen, this.#options);
      const record =
        this.#destination === undefined
          ? await this.#keptRecord(isCurrent)
          : await this.#destination.start(this.#plan, overwrites, isCurrent, this.#options);
      // Other processes see what is committed.
      if (this.#options.executor !== undefined)
        await this.#destination?.commit(`begin ${this.#plan.job.kind}`);
      if (record !== undefined) this.#resume(record);
      this.#isStarted = true;
      this.#report('tasks');
      for (const [stage, first] of this.#plan.stages.entries()) {
        if (this.#isOver()) break;
        const end = this.#plan.stages[stage + 1] ?? this.#plan.tasks;
        const { executor } = this.#options;
        await (executor === undefined
          ? this.#runStage(first, end)
          : executor.runStage(this.#plan, this.#openStage(first, end)));
        // Tasks of the next stage read what those of this one wrote.
        if (this.#failed.length > 0) break;
      }
      await this.#saving;
      await this.#merge?.result();
      if (this.#fatal !== undefined) throw this.#fatal.error;
      throwIfAborted(this.#options.signal);
      return await this.#end();
    } catch (error) {
      await this.#saveProgress().catch(() => undefined);
      throw error;
    } finally {
      await this.#destination?.discard();
    }
  }

  /** The progress of an earlier run of a job without a destination. */
  async #keptRecord(isCurrent: (record: JobRecord) => Promise<boolean>): Promise<JobRecord | undefined> {
    const { digest, tasks } = this.#plan;
    const text = await this.#records?.read(digest);
    const record = text === undefined || text.length > MAX_RECORD ? undefined : parseRecord(jsonOf(text));
    const isSame = record?.plan === digest && record.tasks === tasks && (await isCurrent(record));
    return isSame ? record : undefined;
  }

  /** Where the progress of a job without a destination is kept: only partial results can be continued. */
  get #records(): JobRecords | undefined {
    return this.#destination === undefined && this.#merge !== undefined ? this.#options.records : undefined;
  }

  #resume(record: JobRecord): void {
    if (this.#merge?.resume(record) === false) return;
    this.#done = record.done;
    this.#seen = record.seen;
    this.#resumed = record.done.count;
  }

  async #end(): Promise<JobOutcome> {
    const { signal } = this.#options;
    const isComplete = this.#done.count === this.#plan.tasks && this.#failed.length === 0;
    let isChecked = false;
    let result = noResult;
    if (isComplete) {
      this.#report('checking');
      isChecked = this.#seen !== undefined;
      if (!(await isUnchanged(this.#plan, tasksOf(this.#done), this.#seen, this.#options)))
        throw new ConflictError(
          'the source changed while the job ran, so that the result would mix two states; start the job again',
          {
            where: this.#source,
          },
        );
      await this.#destination?.begin({ signal });
      const merged = await this.#merge?.result();
      result = (await (merged ?? this.#plan).finish?.(this.#destination?.hierarchy, { signal })) ?? noResult;
      this.#counts = addCounts(this.#counts, result.counts ?? noCounts);
      await this.#destination?.finish(this.#plan, { signal });
      await this.#records?.remove(this.#plan.digest);
    } else await this.#saveProgress();
    return {
      tasks: this.#plan.tasks,
      done: this.#done.count,
      resumed: this.#resumed,
      counts: this.#counts,
      failed: this.#failed,
      isAborted: !isComplete && this.#failed.length >= (this.#options.maxFailures ?? MAX_FAILURES),
      broken: this.#broken,
      isChecked,
      result: result.json,
      values: result.block,
      seen: this.#seen,
    };
  }

  get #source(): { readonly store?: string; readonly path?: string } {
    const { job } = this.#plan;
    return 'source' in job ? { store: job.source.store, path: job.source.path } : {};
  }

  /** Whether tasks must pause for a commit: those of a merged result write nothing that is committed. */
  get #pausesForCommits(): boolean {
    return this.#destination?.hasCommits === true && this.#merge === undefined;
  }

  /** Number of tasks before the first one that is not merged. */
  get #unmergedFrom(): number {
    return this.#merge?.merged ?? Infinity;
  }

  #isOver(): boolean {
    return (
      this.#fatal !== undefined ||
      this.#options.signal?.aborted === true ||
      this.#failed.length >= (this.#options.maxFailures ?? MAX_FAILURES)
    );
  }

  async #runStage(first: number, end: number): Promise<void> {
    let next = first;
    while (!this.#isOver()) {
      const until = {
        tasks: this.#pausesForCommits ? TASKS_PER_COMMIT : Infinity,
        at: performance.now() + COMMIT_MS,
        chunks: this.#counts.chunksWritten + CHUNKS_PER_COMMIT,
      };
      const take = async (): Promise<number | undefined> => {
        if (this.#isOver() || until.tasks <= 0) return undefined;
        if (
          this.#pausesForCommits &&
          (performance.now() > until.at || this.#counts.chunksWritten > until.chunks)
        )
          return undefined;
        next = this.#done.nextMissing(next);
        if (next >= end) return undefined;
        const task = next++;
        until.tasks--;
        // Not a turn of promises only: timers of the task that the others wait for must run.
        while (task - this.#unmergedFrom >= this.#mergeWindow(MERGE_WINDOW) && !this.#isOver())
          await new Promise((resolve) => setTimeout(resolve, MERGE_POLL_MS));
        return task;
      };
      await this.#destination?.begin({ signal: this.#options.signal });
      await Promise.all(Array.from({ length: this.#width() }, () => this.#runLane(take)));
      if (this.#pausesForCommits && this.#done.count < this.#plan.tasks) await this.#saveProgress();
      next = this.#done.nextMissing(next);
      if (next >= end) return;
    }
  }

  #openStage(first: number, end: number): OpenStage {
    let next = first;
    return {
      signal: this.#options.signal,
      take: (most) => {
        if (this.#isOver()) return undefined;
        const from = this.#done.nextMissing(next);
        const isEarly = from - this.#unmergedFrom >= this.#mergeWindow(SHARED_MERGE_WINDOW);
        if (from >= end || isEarly) return undefined;
        let to = from + 1;
        while (to < end && to - from < most && !this.#done.has(to)) to++;
        next = to;
        return [from, to];
      },
      report: ({ done, failed }) => {
        for (const { task, report } of done) if (!this.#done.has(task)) this.#finished(task, report);
        for (const failure of failed) this.#addFailure(failure);
        this.#report('tasks');
        // In a repository, a commit of the record would conflict with those of the workers.
        if (!this.#pausesForCommits) this.#saveWhenDue();
      },
      isOver: () => this.#isOver(),
    };
  }

  #mergeWindow(most: number): number {
    const { partialBytes = 0 } = this.#plan.merging ?? {};
    return Math.max(MIN_MERGE_WINDOW, Math.min(most, Math.floor(MERGE_BYTES / Math.max(1, partialBytes))));
  }

  #width(): number {
    const { memoryBytes = DEFAULT_JOB_MEMORY, maxTasks = availableParallelism() + 1 } = this.#options;
    const fits = Math.floor(memoryBytes / Math.max(1, this.#plan.needBytes));
    return Math.max(1, Math.min(fits, maxTasks));
  }

  async #runLane(take: () => Promise<number | undefined>): Promise<void> {
    const { signal } = this.#options;
    const context: TaskContext = {
      signal,
      memory: createStreamSession(),
      target: (path) => {
        if (this.#destination === undefined) throw new TypeError('the job has no destination');
        return this.#destination.array(path, { signal });
      },
    };
    for (let task = await take(); task !== undefined; task = await take()) {
      try {
        this.#finished(task, await this.#attempt(task, context));
      } catch (error) {
        if (signal?.aborted === true || isZarrError(error, 'ABORTED')) return;
        this.#fail(task, error);
      }
      this.#report('tasks');
      if (!this.#pausesForCommits) this.#saveWhenDue();
    }
  }

  #attempt(task: number, context: TaskContext): Promise<TaskReport> {
    const hintOf = (error: unknown) => ({ isWorthwhile: isTransient(error) });
    const { retry = RETRY, tracer = noTracer, trace } = this.#options;
    const run = (): Promise<TaskReport> => runTraced(tracer, trace, this.#plan, task, context);
    return runWithRetry(retry, run, hintOf, { signal: context.signal });
  }

  /** Whether another task has reported the chunk: a chunk of another length than the others can be in several tasks. */
  #isKnown({ path, key, message }: BrokenChunk): boolean {
    return this.#broken.some(
      (known) => known.key === key && known.path === path && known.message === message,
    );
  }

  #finished(task: number, report: TaskReport): void {
    const { counts, seen, broken = [] } = report;
    this.#done.add(task);
    this.#counts = addCounts(this.#counts, counts);
    this.#seen = seen === undefined || this.#seen === undefined ? undefined : addSeen(this.#seen, seen);
    for (const chunk of broken)
      if (this.#broken.length < MAX_BROKEN && !this.#isKnown(chunk)) this.#broken.push(chunk);
    this.#merge?.put(task, report);
  }

  #problemOfMerge(error: unknown): unknown {
    const isForeign = this.#options.executor !== undefined && error instanceof TypeError;
    return isForeign ? new InputError('a worker returned invalid partial results', { cause: error }) : error;
  }

  #fail(task: number, error: unknown): void {
    if (!(error instanceof Error)) {
      this.#fatal ??= { error };
      return;
    }
    // Without all partial results there is no result.
    if (this.#merge !== undefined) this.#fatal ??= { error };
    this.#failed.push(failedTask(task, error));
  }

  #addFailure(failure: FailedTask): void {
    if (this.#merge !== undefined) this.#fatal ??= { error: errorOfCode(failure.code, failure.message) };
    this.#failed.push(failure);
  }

  #saveWhenDue(): void {
    if ((this.#destination ?? this.#records) === undefined || this.#saving !== undefined) return;
    if (performance.now() - this.#savedAt < this.#saveMs) return;
    const start = performance.now();
    this.#saving = this.#saveProgress()
      .catch((error: unknown) => {
        this.#fatal ??= { error };
      })
      .finally(() => {
        this.#saving = undefined;
        this.#savedAt = performance.now();
        this.#saveMs = Math.max(this.#saveMs, (this.#savedAt - start) / SAVE_SHARE);
      });
  }

  async #saveProgress(): Promise<void> {
    if (!this.#isStarted) return;
    const { digest: plan, tasks } = this.#plan;
    const isAttribute = this.#destination !== undefined;
    const finished = await this.#merge?.record(isAttribute ? MAX_ATTRIBUTE_PARTIALS : MAX_KEPT_PARTIALS);
    const { done, seen, partials } = finished ?? {
      done: new TaskRanges(this.#done.ranges),
      seen: this.#seen,
    };
    const record: JobRecord = { plan, tasks, done, seen, partials };
    // The signal may have fired: the progress is stored nevertheless.
    await this.#destination?.save(record, this.#plan, {});
    await this.#records?.write(plan, JSON.stringify(recordJson(record)));
  }

  #report(phase: JobProgress['phase']): void {
    this.#options.onProgress?.({
      tasks: this.#plan.tasks,
      done: this.#done.count,
      resumed: this.#resumed,
      failed: this.#failed.length,
      counts: this.#counts,
      phase,
    });
  }
}

/**
 * Compares the versions of all that tasks have read with the current ones. All were read before the first comparison, so
 * that they were of one state.
 */
export async function isUnchanged(
  plan: JobPlan,
  tasks: IterableIterator<number>,
  expected: bigint | undefined,
  { signal }: CallOptions,
): Promise<boolean> {
  if (!(await plan.isSourceCurrent({ signal }))) return false;
  if (expected === undefined) return true;
  let now: bigint | undefined = 0n;
  const work = async (): Promise<void> => {
    for (const task of tasks) {
      if (now === undefined) return;
      const seen = await plan.seenNow(task, { signal });
      now = seen === undefined || now === undefined ? undefined : addSeen(now, seen);
    }
  };
  await Promise.all(Array.from({ length: CHECK_WIDTH }, work));
  return now === expected;
}

/** Runs a task as a span. */
export function runTraced(
  tracer: JobTracer,
  trace: TraceContext | undefined,
  plan: JobPlan,
  task: number,
  context: TaskContext,
): Promise<TaskReport> {
  return tracer.span('job task', trace, { 'zarrql.job.kind': plan.job.kind, 'zarrql.task': task }, () =>
    plan.run(task, context),
  );
}

/** A store that is busy, or whose objects changed during one task, may be readable a moment later. */
export function isTransient(error: unknown): boolean {
  return isZarrError(error, 'STORE_UNAVAILABLE', 'CONFLICT');
}

/** A task that failed for good. */
export function failedTask(task: number, error: Error): FailedTask {
  const code = error instanceof ZarrError ? error.code : 'INTERNAL';
  const { path = '/', key } = error instanceof ZarrError ? error.where : {};
  return { task, path, key, code, message: error.message };
}

/** The failure of a task in another process. */
function errorOfCode(code: string, message: string): Error {
  return code === 'STORE_UNAVAILABLE' ? new StoreUnavailableError(message) : new CodecError(message);
}

export function* tasksOf({ ranges }: Pick<TaskRanges, 'ranges'>): Generator<number> {
  for (const [from, to] of ranges) for (let task = from; task < to; task++) yield task;
}

/** Whether a run was interrupted by its signal, so that the same job continues it. */
export function isInterrupted(error: unknown): error is AbortedError {
  return error instanceof AbortedError;
}

/** @returns undefined for text that is not JSON */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
