/** Owns the thread that runs Icechunk's library for one repository: calls with a deadline, and a new thread after one was lost. */
import { Worker } from 'node:worker_threads';
import { isZarrError, MetadataError, NotFoundError, StoreUnavailableError } from '../../core/errors.js';
import { withinDeadline } from '../deadline.js';
import type {
  Answer,
  Question,
  FromThread,
  StorageCall,
  StorageReply,
  ThreadStart,
  ToThread,
} from './protocol.js';

export interface LibraryThreadOptions {
  /** Answers what the library asks of the storage of the repository. May throw store errors. */
  readonly storage: (call: StorageCall) => Promise<StorageReply>;
  /** The first call of each thread. */
  readonly open: Extract<Question, { name: 'open' }>;
  readonly deadlineMs: number;
  /** Maximum memory of the library in bytes. */
  readonly maxBytes: number;
}

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

interface Running {
  readonly worker: Worker;
  readonly waiting: Map<number, Waiting>;
  readonly opened: Promise<Answer>;
}

/** An idle thread ends after this time, in ms. The next call starts a new one. */
const IDLE_MS = 300_000;
const PAGE_BYTES = 65_536;
/** Errors of the storage that wait for the error of their call. More are forgotten, and then have a general message. */
const MAX_CAUSES = 100;

export const NO_REPOSITORY =
  'no Icechunk repository is at this address; it would have an object named repo, or a folder named refs';

export class LibraryThread {
  readonly #options: LibraryThreadOptions;
  #running: Running | undefined;
  #idle: NodeJS.Timeout | undefined;
  #calls = 0;
  #isClosed = false;
  /** Errors of the storage, by the mark that the library repeats in its message. */
  readonly #causes = new Map<string, Error>();

  constructor(options: LibraryThreadOptions) {
    this.#options = options;
  }

  /**
   * @throws StoreUnavailableError after the deadline or if the thread was lost; AbortedError; errors of the storage;
   * NotFoundError for an absent repository, branch, tag or snapshot; MetadataError for other errors of the library
   */
  async call(call: Question, signal: AbortSignal | undefined): Promise<Answer> {
    if (this.#isClosed) throw new StoreUnavailableError('the store is closed');
    const running = this.#running ?? this.#start();
    try {
      return await withinDeadline({ deadlineMs: this.#options.deadlineMs, signal }, async () => {
        await running.opened;
        return this.#send(running, call);
      });
    } catch (error) {
      // The library may be in an endless loop. A caller that leaves does not end a call that others may need too.
      if (isZarrError(error, 'STORE_UNAVAILABLE') && running.waiting.size > 0)
        this.#end(running, new StoreUnavailableError('the Icechunk library did not answer in time'));
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#running?.worker;
    if (this.#running !== undefined)
      this.#end(this.#running, new StoreUnavailableError('the store is closed'));
    await worker?.terminate();
  }

  #start(): Running {
    const isSource = import.meta.url.endsWith('.ts');
    const entry = new URL(isSource ? './thread-program.ts' : './thread-program.js', import.meta.url);
    const start: ThreadStart = { maxPages: Math.floor(this.#options.maxBytes / PAGE_BYTES) };
    const worker = new Worker(entry, {
      workerData: start,
      execArgv: [],
      env: {},
      stderr: true,
      stdout: true,
    });
    const waiting = new Map<number, Waiting>();
    const lost = (problem: string): void => {
      this.#end(running, new StoreUnavailableError(`the Icechunk library ended: ${problem}`));
    };
    worker.on('message', (message: FromThread) => this.#receive(running, message));
    worker.on('error', (error) => lost(error.message));
    worker.on('exit', () => lost('its thread exited'));
    const opened = new Promise<Answer>((resolve, reject) => {
      const id = this.#calls++;
      waiting.set(id, { resolve, reject });
      this.#post(worker, { kind: 'call', id, call: this.#options.open });
    });
    // A repository that cannot be opened is tried again by the next call.
    opened.catch(() => this.#end(running, new StoreUnavailableError('the repository cannot be opened')));
    const running: Running = { worker, waiting, opened };
    this.#running = running;
    return running;
  }

  #post(worker: Worker, message: ToThread): void {
    worker.postMessage(message);
  }

  #send(running: Running, call: Question): Promise<Answer> {
    const id = this.#calls++;
    running.worker.ref();
    clearTimeout(this.#idle);
    return new Promise((resolve, reject) => {
      running.waiting.set(id, { resolve, reject });
      this.#post(running.worker, { kind: 'call', id, call });
    });
  }

  #receive(running: Running, message: FromThread): void {
    if (message.kind === 'storage') {
      this.#store(running, message.id, message.call).catch((error: unknown) => {
        this.#end(running, new StoreUnavailableError('the Icechunk library has ended', { cause: error }));
      });
      return;
    }
    const waiting = running.waiting.get(message.id);
    running.waiting.delete(message.id);
    if (running.waiting.size === 0) this.#rest(running);
    if (message.kind === 'error') waiting?.reject(this.#errorOf(message.message));
    else waiting?.resolve(message.answer);
  }

  /** An idle thread does not keep a program alive. */
  #rest(running: Running): void {
    running.worker.unref();
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (running.waiting.size === 0) this.#end(running, new StoreUnavailableError('the thread was idle'));
    }, IDLE_MS);
    this.#idle.unref();
  }

  async #store(running: Running, id: number, call: StorageCall): Promise<void> {
    let reply: StorageReply;
    try {
      reply = await this.#options.storage(call);
    } catch (error) {
      reply = { kind: 'failed', mark: this.#markOf(error) };
    }
    if (this.#running === running) this.#post(running.worker, { kind: 'stored', id, reply });
  }

  #markOf(error: unknown): string {
    const mark = `zarrql-cause-${this.#calls++};`;
    this.#causes.set(mark, error instanceof Error ? error : new StoreUnavailableError(String(error)));
    for (const [oldest] of this.#causes) {
      if (this.#causes.size <= MAX_CAUSES) break;
      this.#causes.delete(oldest);
    }
    return mark;
  }

  #errorOf(message: string): Error {
    const mark = /zarrql-cause-\d+;/.exec(message)?.[0];
    const cause = mark === undefined ? undefined : this.#causes.get(mark);
    if (mark !== undefined) this.#causes.delete(mark);
    if (cause !== undefined) return cause;
    const problem = message.split('\n')[0] ?? message;
    if (problem.startsWith("the repository doesn't exist")) return new NotFoundError(NO_REPOSITORY);
    return /^(?:ref|snapshot id) not found/.test(problem)
      ? new NotFoundError(problem)
      : new MetadataError(`the Icechunk library reports: ${problem}`);
  }

  /** Ends a thread. Its calls fail. */
  #end(running: Running, error: Error): void {
    if (this.#running === running) this.#running = undefined;
    for (const { reject } of running.waiting.values()) reject(error);
    running.waiting.clear();
    running.worker.removeAllListeners();
    running.worker.on('error', () => {});
    running.worker.terminate().catch(() => {});
  }
}
