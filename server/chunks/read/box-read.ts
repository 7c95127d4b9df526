/**
 * Boxes that threads compute from several arrays: a thread reads the chunks of all inputs of a box, combines
 * their values by one or more programs, and reduces the results. Only partial results are sent.
 */
import { isDeepStrictEqual } from 'node:util';
import { throwIfAborted } from '../../core/errors.js';
import { untilAborted } from '../../store/retries.js';
import { createPause, turnMs } from '../../core/turns.js';
import type { ChunkSource } from './chunk-read.js';
import { isConfirmed, locateTasks, reportAbsent, type LocatedTasks, versionOfPart } from './locate-tasks.js';
import { planTasks, type ReadPlan, type ReadTask } from '../../format/plan/plan.js';
import type { CodecPool } from '../../threads/codec-pool.js';
import { Distributor, type Job } from '../../threads/distributor.js';
import type { BoxInput } from '../../threads/job.js';
import type { BoxOutcome, BoxRule, BoxValues, JobReply, Outcome } from '../../threads/protocol.js';
import { sharePlan } from '../../threads/shared-plan.js';
import { MAX_RULES, PARTIAL_SLOT_BYTES } from '../../threads/slots.js';
import { spansOf } from '../../threads/spans.js';

/** What a box needs of an input: a part of an array, or values in memory. */
export type BoxPart = BoxArrayPart | BoxValues;

export interface BoxArrayPart {
  readonly plan: ReadPlan;
  readonly source: ChunkSource;
  /** The axis of the box for each dimension of the plan's shape. */
  readonly axes: readonly number[];
  /** Maximum stored size of a chunk in bytes. */
  readonly maxBytes: number;
  /** Called for every object, with its version, if a thread has reduced the box. */
  readonly onVersion: (key: string, version: string | undefined) => void;
  /** Receives the number of decoded chunks. */
  readonly onDecoded: (chunks: number) => void;
}

/** Result of a box in a thread. */
export interface ReducedBox {
  /** One for each rule. */
  readonly partials: readonly unknown[];
  /** Call when the partial results have been merged: their memory is reused. */
  release(): void;
}

/** What a box computes from the values of its inputs. */
export type BoxTask = Omit<BoxRule, 'slot'>;

/** Whether two reads of one array have the same values. */
export function isSameRead(
  a: Pick<ReadPlan, 'selection' | 'transform'>,
  b: Pick<ReadPlan, 'selection' | 'transform'>,
): boolean {
  return isDeepStrictEqual([a.selection, a.transform], [b.selection, b.transform]);
}

const MAX_KEPT_SLOTS = 4 * MAX_RULES;

/** Unused memory for partial results. Kept, because the garbage collector frees shared memory late. */
const slots: SharedArrayBuffer[] = [];

interface BoxJob extends Job {
  readonly located: readonly Located[];
  readonly shape: readonly number[];
  readonly rules: readonly BoxRule[];
  /** Receives the reply; undefined if no thread could reduce the box. Until then, a thread may write to the slots. */
  readonly ended: (reply: JobReply | undefined) => void;
}

/** Distributes boxes to the threads of a pool. */
export class BoxThreads {
  readonly #signal: AbortSignal;
  readonly #distributor: Distributor<BoxJob>;

  constructor(pool: CodecPool, signal: AbortSignal = new AbortController().signal) {
    this.#signal = signal;
    this.#distributor = new Distributor({
      pool,
      signal,
      isLarge: false,
      perMessage: 1,
      stepCost: 0,
      turnMs: turnMs.step,
      expected: 0,
      jobCost: 1,
      alsoHere: false,
      abandons: false,
      takesBack: false,
      send: ([job], ended) => {
        if (job === undefined) return () => false;
        const inputs = job.located.map(({ input }) => input);
        const { shape, rules } = job;
        const use = (reply: JobReply | undefined): void => {
          ended(job);
          job.ended(reply);
        };
        return pool.runBox({ inputs, shape, rules }, use, signal);
      },
      runHere: (jobs) => jobs.forEach(({ ended }) => ended(undefined)),
      reject: ({ ended }) => ended(undefined),
    });
  }

  /**
   * @returns undefined if no thread could reduce the box
   * @throws store errors from locating chunks; AbortedError as soon as the signal fires: a thread does not begin the
   * box, or skips the chunks that it has not read
   */
  async reduce(
    parts: readonly BoxPart[],
    shape: readonly number[],
    tasks: readonly BoxTask[],
  ): Promise<ReducedBox | undefined> {
    const located: Located[] = [];
    for (const part of parts) {
      const input = 'values' in part ? { input: part, found: undefined } : await locate(part, this.#signal);
      if (input === undefined) return undefined;
      located.push(input);
    }
    throwIfAborted(this.#signal);
    const rules = tasks.map((task): BoxRule => ({
      ...task,
      slot: slots.pop() ?? new SharedArrayBuffer(PARTIAL_SLOT_BYTES),
    }));
    const release = (): void => {
      for (const { slot } of rules) if (slots.length < MAX_KEPT_SLOTS) slots.push(slot);
    };
    const running = this.#run(located, shape, rules);
    let box: BoxOutcome | undefined;
    try {
      box = await untilAborted(this.#signal, running);
    } catch (error) {
      // The thread may write to the slots until it replies.
      running.then(release).catch(() => undefined);
      throw error;
    }
    if (
      box === undefined ||
      !located.every(({ found }, k) => found === undefined || isUsable(found, box.inputs[k]))
    ) {
      release();
      return undefined;
    }
    const { partials, inputs } = box;
    parts.forEach((part, k) => {
      const found = located[k]?.found;
      if (found !== undefined && !('values' in part)) report(found, part, inputs[k] ?? []);
    });
    return { partials, release };
  }

  /** Resolves when the thread has replied, also after an abort. */
  async #run(
    located: readonly Located[],
    shape: readonly number[],
    rules: readonly BoxRule[],
  ): Promise<BoxOutcome | undefined> {
    const start = performance.now();
    const reply = await new Promise<JobReply | undefined>((ended) => {
      this.#distributor.addAll([{ cost: 1, located, shape, rules, ended }]);
    });
    const milliseconds = performance.now() - start;
    for (const [k, { found }] of located.entries())
      found?.files.ended?.({ requests: 0, bytes: 0, ...reply?.reads?.[k], milliseconds });
    return reply?.box;
  }
}

interface Located {
  readonly input: BoxInput;
  /** The chunks of an array; undefined for values in memory. */
  readonly found: LocatedTasks | undefined;
}

/** Locates the chunks of an input. @returns undefined if the store must read the chunks */
async function locate(
  { plan, source, axes, maxBytes }: BoxArrayPart,
  signal: AbortSignal,
): Promise<Located | undefined> {
  const pause = createPause();
  const tasks: ReadTask[] = [];
  for (const task of planTasks(plan)) {
    tasks.push(task);
    await pause();
  }
  const found = await locateTasks(tasks, source, maxBytes, signal, pause);
  if (found === undefined || found.failed.size > 0) return undefined;
  const { located, absent, files } = found;
  const input = {
    chain: plan.layout.largest.chain,
    read: {
      chunkBytes: plan.cost.chunkBytes,
      plan: sharePlan(plan),
      files: { folder: files.access, maxBytes },
    },
    axes,
    spans: spansOf(located, ({ task }, place) => ({
      ...place,
      position: task.chunk,
      slotBytes: 0,
      into: undefined,
    })),
    absent: absent.map(({ chunk }) => chunk),
    fill: source.fill,
  };
  return { input, found };
}

/** Whether the store confirms what threads have read of an input. */
function isUsable({ files, located }: LocatedTasks, outcomes: readonly Outcome[] = []): boolean {
  if (!isConfirmed(files)) return false;
  return files.checksAbsent !== true || located.every((_, i) => 'decoded' in (outcomes[i] ?? {}));
}

/** Reports the versions of an input's objects, and the number of its chunks. */
function report(found: LocatedTasks, part: BoxArrayPart, outcomes: readonly Outcome[]): void {
  const { located, absent } = found;
  let decoded = 0;
  for (const [i, { task, part: file, object }] of located.entries()) {
    const outcome = outcomes[i];
    if (outcome === undefined || !('decoded' in outcome)) absent.push(task);
    else {
      decoded++;
      part.onVersion(object, versionOfPart(file, outcome.version));
    }
  }
  reportAbsent(found, part.source, part.onVersion);
  part.onDecoded(decoded);
}
