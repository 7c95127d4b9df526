/** The jobs of one thread in execution order. */
import { allowManyListeners } from '#platform';
import type { JobReply } from './protocol.js';

/** Maximum time, in milliseconds, for which a thread continues with a cancelled job. */
const ABANDONED_MS = 1000;

export interface ThreadEvents {
  /** Called when the thread has started, may have capacity again, or has ended. */
  onAvailable(): void;
  /**
   * Called when the thread accepts no more jobs and should be replaced.
   * @param hasStarted whether the thread has ever run
   */
  onEnd(hasStarted: boolean): void;
}

export interface NewJob {
  readonly isLarge: boolean;
  readonly signal: AbortSignal | undefined;
  finish(reply: JobReply): void;
  fail(error: Error): void;
}

interface Job extends NewJob {
  /** The abort listener on `signal`, kept so that it can be removed. */
  readonly watch: () => void;
}

export class Jobs {
  readonly #jobs = new Map<number, Job>();
  #posted: number[] = [];
  readonly #onStuck: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** @param onStuck called when the thread does not finish a cancelled job */
  constructor(onStuck: () => void) {
    this.#onStuck = onStuck;
  }

  get size(): number {
    return this.#jobs.size;
  }

  get hasLarge(): boolean {
    for (const job of this.#jobs.values()) if (job.isLarge) return true;
    return false;
  }

  has(id: number): boolean {
    return this.#jobs.has(id);
  }

  add(id: number, job: NewJob): void {
    const watch = (): void => this.watchFirst();
    this.#jobs.set(id, { watch, ...job });
    if (job.signal === undefined) return;
    // A read has one job per thread, and each job adds listeners to the signal of the read.
    allowManyListeners(job.signal);
    job.signal.addEventListener('abort', watch, { once: true });
  }

  /** Records that the job was sent to the thread. */
  posted(id: number): void {
    this.#posted.push(id);
    this.watchFirst();
  }

  /** @returns undefined for a job that has already ended */
  end(id: number): NewJob | undefined {
    const job = this.#jobs.get(id);
    this.#jobs.delete(id);
    this.#posted = this.#posted.filter((posted) => posted !== id);
    job?.signal?.removeEventListener('abort', job.watch);
    return job;
  }

  endAll(): NewJob[] {
    clearTimeout(this.#timer);
    return [...this.#jobs.keys()].flatMap((id) => this.end(id) ?? []);
  }

  /** Starts the timer of the job in progress if its request was cancelled. */
  watchFirst(): void {
    clearTimeout(this.#timer);
    const [first] = this.#posted;
    const job = first === undefined ? undefined : this.#jobs.get(first);
    if (job?.signal?.aborted !== true) return;
    this.#timer = setTimeout(() => {
      if (this.#posted[0] === first) this.#onStuck();
    }, ABANDONED_MS);
    this.#timer.unref();
  }
}
