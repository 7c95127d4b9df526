/** Divides the jobs of a read between the threads of the pool and this one, which works in turns of the event loop. */
import { allowManyListeners } from '#platform';
import { asError } from '../core/deferred.js';
import { AbortedError } from '../core/errors.js';
import { nextTurn } from '../core/turns.js';
import type { CodecPool } from './codec-pool.js';
import type { TakeBack } from './job.js';

export interface Job {
  /** Estimated duration, in any unit that all jobs of the read share. */
  readonly cost: number;
}

/** How the jobs of a read are run. */
export interface Distribution<J extends Job> {
  readonly pool: Pick<CodecPool, 'hasCapacity' | 'whenAvailable' | 'isOver' | 'threads'>;
  readonly signal: AbortSignal;
  /** See `isLargeJob`. */
  readonly isLarge: boolean;
  /** Maximum number of jobs that a thread receives with one message. */
  readonly perMessage: number;
  /**
   * Bounds of the cost of a message, which has at least one job. Messages are smaller towards the end, so that all threads
   * have work.
   * @default only `perMessage`
   */
  readonly messageCost?: { readonly least: number; readonly most: number };
  /** Maximum cost of the jobs that this thread runs at once, of which there is at least one. */
  readonly stepCost: number;
  /** Duration of a turn on this thread, between which it receives results. */
  readonly turnMs: number;
  /** Maximum number of jobs that will be added, and their usual cost. Some may not arrive. */
  readonly expected: number;
  readonly jobCost: number;
  /** Whether this thread runs jobs too, besides those that the threads cannot run. */
  readonly alsoHere: boolean;
  /** Whether this thread must not run jobs now. */
  isBlocked?(): boolean;
  /**
   * Sends jobs to a thread.
   * @param ended call it once for each job that is not taken back; it returns false if the job was abandoned
   */
  send(jobs: readonly J[], ended: (job: J) => boolean): TakeBack;
  /** Runs jobs on this thread, if no thread is left or this one runs jobs too. Must not throw. */
  runHere(jobs: readonly J[]): void;
  /**
   * Rejects a job, because the read was cancelled or cannot wait for a thread.
   * @param isSent whether the job was sent to a thread, which may still run it; see `abandons`
   */
  reject(job: J, error: Error, isSent: boolean): void;
  /**
   * Whether cancelled jobs are rejected although a thread still runs them. Not possible if the thread writes to
   * memory of the caller.
   */
  readonly abandons: boolean;
  /**
   * Whether this thread takes back jobs that a busy thread has not begun when it has none left. Not possible if sending a
   * job has released its bytes.
   */
  readonly takesBack: boolean;
}

interface Message<J extends Job> {
  readonly jobs: readonly J[];
  takeBack: TakeBack;
}

export class Distributor<J extends Job> {
  readonly #work: Distribution<J>;
  #waiting: J[] = [];
  #waitingCost = 0;
  /** Maximum number of jobs that have not been added. */
  #toCome: number;
  readonly #inPool = new Set<J>();
  /** The messages whose jobs have not all ended. */
  readonly #sent = new Set<Message<J>>();
  #poolCost = 0;
  #isRunning = false;
  /** Whether `#cancel` listens to the signal. */
  #isWatching = false;

  constructor(work: Distribution<J>) {
    this.#work = work;
    this.#toCome = work.expected;
    allowManyListeners(work.signal);
  }

  add(job: J): void {
    this.#waiting.push(job);
    this.#waitingCost += job.cost;
    this.#toCome--;
    this.#start();
    // A full message is sent immediately if the pool has no jobs of this read. All other jobs wait until the next turn,
    // when more jobs have arrived and can be balanced better.
    if (this.#poolCost === 0) this.#sendShare(true);
  }

  /** Adds jobs that need not wait for others. */
  addAll(jobs: readonly J[]): void {
    for (const job of jobs) {
      this.#waiting.push(job);
      this.#waitingCost += job.cost;
      this.#toCome--;
    }
    this.#start();
    while (this.#sendShare(false));
  }

  /** Runs a job again whose thread was lost. */
  addAgain(job: J): void {
    this.#waiting.unshift(job);
    this.#waitingCost += job.cost;
    this.#start();
  }

  #start(): void {
    if (!this.#isWatching) {
      this.#isWatching = true;
      this.#work.signal.addEventListener('abort', this.#cancel, { once: true });
    }
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#run().catch((error: unknown) => {
      this.#rejectAll(asError(error));
      this.#rest();
    });
  }

  /** Processes the waiting jobs in several turns of the event loop. */
  async #run(): Promise<void> {
    const { pool, signal, isLarge } = this.#work;
    await nextTurn();
    while (this.#waiting.length > 0 || this.#takeBack()) {
      if (signal.aborted) {
        this.#rejectAll(new AbortedError('the request was cancelled'));
        break;
      }
      this.#advance();
      if (this.#waiting.length === 0) continue;
      await (this.#mayRunHere ? nextTurn() : pool.whenAvailable(isLarge, signal));
    }
    this.#isRunning = false;
    this.#rest();
  }

  /** Removes the listener of a signal that may outlive the read. */
  #rest(): void {
    if (!this.#isWatching || this.#waiting.length > 0 || this.#inPool.size > 0) return;
    this.#isWatching = false;
    this.#work.signal.removeEventListener('abort', this.#cancel);
  }

  get #mayRunHere(): boolean {
    const { pool, alsoHere } = this.#work;
    return pool.isOver || (alsoHere && this.#work.isBlocked?.() !== true);
  }

  /** Sends the jobs that the pool accepts and runs other jobs on this thread, for one turn. */
  #advance(): void {
    const turnEnds = performance.now() + this.#work.turnMs;
    while (this.#waiting.length > 0) {
      if (this.#sendShare(false)) continue;
      if (!this.#mayRunHere || performance.now() >= turnEnds) return;
      this.#work.runHere(this.#take(this.#countWithin(this.#work.stepCost)));
    }
  }

  /**
   * Sends as many jobs as fit into one message. If this thread runs jobs too, keeps a share of the last jobs here, so that
   * all threads finish at the same time.
   * @param onlyWhole whether to send only full messages
   * @returns whether anything was sent
   */
  #sendShare(onlyWhole: boolean): boolean {
    const { pool, isLarge, perMessage, messageCost, alsoHere, jobCost } = this.#work;
    if ((onlyWhole && this.#waiting.length < perMessage) || !pool.hasCapacity(isLarge)) return false;
    const keepsShare = alsoHere && this.#mayRunHere;
    let left = this.#waitingCost + Math.max(0, this.#toCome) * jobCost;
    const share = left / (4 * (pool.threads + (alsoHere ? 1 : 0)));
    const most =
      messageCost === undefined
        ? perMessage
        : Math.min(
            perMessage,
            this.#countWithin(Math.min(messageCost.most, Math.max(messageCost.least, share))),
          );
    let sent = this.#poolCost;
    let count = 0;
    // Must not iterate over all waiting jobs, because `add` calls this method for every job.
    for (const { cost } of this.#waiting) {
      left -= cost;
      sent += cost;
      const isOurs = keepsShare && sent > left * pool.threads;
      if (count === most || isOurs) break;
      count++;
    }
    if (count === 0 || (onlyWhole && count < perMessage)) return false;
    this.#send(this.#take(count));
    return true;
  }

  /** Number of the first jobs whose costs together are at most `maxCost`; at least one. */
  #countWithin(maxCost: number): number {
    let sum = 0;
    let count = 0;
    for (const { cost } of this.#waiting) {
      sum += cost;
      if (sum > maxCost && count > 0) break;
      count++;
    }
    return count;
  }

  #take(count: number): J[] {
    const taken = this.#waiting.splice(0, count);
    for (const { cost } of taken) this.#waitingCost -= cost;
    return taken;
  }

  #send(jobs: readonly J[]): void {
    for (const job of jobs) {
      this.#inPool.add(job);
      this.#poolCost += job.cost;
    }
    let left = jobs.length;
    const message: Message<J> = { jobs, takeBack: () => false };
    this.#sent.add(message);
    const ended = (job: J): boolean => {
      this.#poolCost -= job.cost;
      const isExpected = this.#inPool.delete(job);
      if (--left === 0) this.#sent.delete(message);
      this.#rest();
      return isExpected;
    };
    try {
      message.takeBack = this.#work.send(jobs, ended);
    } catch (error) {
      // There may be no memory for the results. The read would otherwise wait forever for these jobs.
      for (const job of jobs) if (ended(job)) this.#work.reject(job, asError(error), false);
    }
  }

  /** Takes back the newest message that no thread has begun. @returns false if there is none */
  #takeBack(): boolean {
    if (!this.#work.takesBack || !this.#work.alsoHere || !this.#mayRunHere) return false;
    for (const message of [...this.#sent].toReversed())
      if (this.#hasTakenBack(message)) {
        this.#waiting = [...message.jobs];
        for (const { cost } of message.jobs) this.#waitingCost += cost;
        return true;
      }
    return false;
  }

  #hasTakenBack(message: Message<J>): boolean {
    if (!message.takeBack()) return false;
    this.#sent.delete(message);
    for (const job of message.jobs) {
      this.#inPool.delete(job);
      this.#poolCost -= job.cost;
    }
    return true;
  }

  readonly #cancel = (): void => {
    const error = new AbortedError('the request was cancelled');
    for (const message of this.#sent) {
      const { jobs } = message;
      const isSent = !this.#hasTakenBack(message);
      // Some may have ended, which is impossible for those that were taken back.
      for (const job of jobs)
        if (!isSent || (this.#work.abandons && this.#inPool.delete(job)))
          this.#work.reject(job, error, isSent);
    }
    this.#rejectAll(error);
    this.#rest();
  };

  #rejectAll(error: Error): void {
    this.#isRunning = false;
    for (const job of this.#take(this.#waiting.length)) this.#work.reject(job, error, false);
  }
}
