/** The progress of a job for one subscriber. */
import type { JobService, JobStatus } from '../../jobs/job-service.js';
import { LimitError } from '../../zarr/index.js';

/** Minimum time between two states, in ms. */
const EVERY_MS = 200;
/** Maximum number of subscribers of the jobs of a process. */
const MAX_SUBSCRIBERS = 1000;

const subscribers = new WeakMap<JobService, number>();

type Next = IteratorResult<JobStatus, undefined>;

/** The newest state whenever the reader is ready for one; ends with the job. */
class JobFeed implements AsyncIterableIterator<JobStatus, undefined> {
  #latest: JobStatus | undefined;
  #reader: ((next: Next) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #shownAt = -Infinity;
  #isOver = false;
  readonly #close: () => void;

  /** @param close called once, at the end */
  constructor(first: JobStatus, close: () => void) {
    this.#latest = first;
    this.#close = close;
  }

  put(status: JobStatus): void {
    if (this.#isOver) return;
    this.#latest = status;
    this.#deliver();
  }

  next(): Promise<Next> {
    if (this.#isOver) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => {
      this.#reader = resolve;
      this.#deliver();
    });
  }

  return(): Promise<Next> {
    this.end();
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#reader?.({ value: undefined, done: true });
    this.#reader = undefined;
    this.#close();
  }

  #deliver(): void {
    if (this.#reader === undefined || this.#latest === undefined) return;
    const early = EVERY_MS - (performance.now() - this.#shownAt);
    const isLast = this.#latest.endedAtMs !== undefined;
    if (early > 0 && !isLast) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#deliver();
      }, early);
      return;
    }
    const [reader, value] = [this.#reader, this.#latest];
    this.#reader = undefined;
    this.#latest = undefined;
    this.#shownAt = performance.now();
    reader({ value, done: false });
    if (isLast) this.end();
  }
}

/** @throws LimitError for too many subscribers */
export function watchJob(
  jobs: JobService,
  status: JobStatus,
  signal: AbortSignal | undefined,
): AsyncIterableIterator<JobStatus, undefined> {
  const count = subscribers.get(jobs) ?? 0;
  if (count >= MAX_SUBSCRIBERS)
    throw new LimitError(`${count} subscribers watch jobs; try again later`, {
      excess: [{ limit: 'subscribers of jobs', allowed: MAX_SUBSCRIBERS, needed: count + 1 }],
    });
  subscribers.set(jobs, count + 1);
  const onAbort = (): void => feed.end();
  const unlisten = jobs.follow(
    status.id,
    (changed) => feed.put(changed),
    () => feed.end(),
  );
  const feed = new JobFeed(status, () => {
    unlisten();
    signal?.removeEventListener('abort', onAbort);
    subscribers.set(jobs, (subscribers.get(jobs) ?? 1) - 1);
  });
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted === true) feed.end();
  return feed;
}
