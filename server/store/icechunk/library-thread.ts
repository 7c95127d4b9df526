/** Owns the thread that runs Icechunk's library for one repository: calls with a deadline, and a new thread after one was lost. */
import { Worker } from 'node:worker_threads';
import {
  AlreadyExistsError,
  ConflictError,
  InputError,
  isZarrError,
  LimitError,
  MetadataError,
  NotFoundError,
  StoreUnavailableError,
  throwIfAborted,
  UnsupportedError,
} from '../../core/errors.js';
import { untilAborted } from '../retries.js';
import { withinDeadline } from '../deadline.js';
import type {
  Answer,
  Question,
  FromThread,
  OpenQuestion,
  StorageCall,
  StorageReply,
  ThreadStart,
  ToThread,
} from './protocol.js';
import { NO_REPOSITORY } from './address.js';
import { ThreadSlots } from './thread-slots.js';

export interface LibraryThreadOptions {
  /** Answers what the library asks of the storage of the repository. May throw store errors. */
  readonly storage: (call: StorageCall) => Promise<StorageReply>;
  /** The first call of each thread. */
  readonly open: OpenQuestion;
  /** Whether the library may change the repository. @default false */
  readonly isWriter?: boolean | undefined;
  readonly deadlineMs: number;
  /** Maximum memory of the library in bytes. */
  readonly maxBytes: number;
}

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

interface Running {
  /** Undefined while the thread waits for a slot. */
  worker: Worker | undefined;
  readonly waiting: Map<number, Waiting>;
  readonly opened: Promise<Answer>;
}

/** An idle thread ends after this time, in ms. The next call starts a new one. */
const IDLE_MS = 300_000;
/** Time for which a repository that is absent or damaged is not opened again, in ms: starting a thread takes 0.3 s. */
const RETRY_OPEN_MS = 1000;
/** Maximum number of threads of all repositories. */
const MAX_THREADS = 16;
const slots = new ThreadSlots(MAX_THREADS);
/** Id of the first call of a thread. */
const OPENING = 0;
const MAX_HEAP_MB = 512;
const PAGE_BYTES = 65_536;
/**
 * Failures of WebAssembly itself while bytes are passed to the library, about once in 200 runs of the tests of damaged
 * repositories, also of undamaged files. Nothing that this instance says can be relied on.
 */
const brokenLibrary =
  /GenericFailure, (?:(?:memory access|offset|table index)(?: is)? out of bounds|unreachable|null function)/;
/** Errors of the storage that wait for the error of their call. More are forgotten, and then have a general message. */
const MAX_CAUSES = 100;

export class LibraryThread {
  readonly #options: LibraryThreadOptions;
  #running: Running | undefined;
  #idle: NodeJS.Timeout | undefined;
  #calls = OPENING + 1;
  #isClosed = false;
  #holds = 0;
  #failed: { readonly error: Error; readonly until: number } | undefined;
  /** Errors of calls that were lost with their thread, and may be repeated. */
  readonly #lost = new WeakSet<Error>();
  /** Errors of the storage, by the mark that the library repeats in its message. */
  readonly #causes = new Map<string, Error>();

  constructor(options: LibraryThreadOptions) {
    this.#options = options;
  }

  /**
   * A caller that leaves does not end its call, which others may wait for and which ends at the deadline.
   * @throws StoreUnavailableError after the deadline or if the thread was lost; AbortedError; errors of the storage;
   * NotFoundError for an absent repository, branch, tag or snapshot; MetadataError for other errors of the library
   */
  async call(call: Question, signal: AbortSignal | undefined): Promise<Answer> {
    throwIfAborted(signal);
    return untilAborted(signal, this.#answer(call));
  }

  async #answer(call: Question): Promise<Answer> {
    let asked: Running | undefined;
    let deadline: AbortSignal | undefined;
    try {
      return await withinDeadline(this.#options, async (effort) => {
        deadline = effort.signal;
        for (let attempt = 1; ; attempt++) {
          if (this.#isClosed) throw new StoreUnavailableError('the store is closed');
          if (this.#failed !== undefined && this.#failed.until > performance.now()) throw this.#failed.error;
          const running = this.#running ?? this.#start();
          asked = running;
          try {
            await running.opened;
            return await this.#send(running, call);
          } catch (error) {
            // Another call took too long, or the library failed: its thread ended, with all calls.
            const isLost = error instanceof Error && this.#lost.has(error);
            if (!isLost || attempt > 1 || deadline.aborted) throw error;
          }
        }
      });
    } catch (error) {
      // The library may be in an endless loop.
      if (asked !== undefined && deadline?.reason === error)
        this.#end(asked, this.#lostError('the Icechunk library did not answer in time'));
      throw error;
    }
  }

  /** Keeps the thread, which has a state that callers need, until the returned function is called. */
  hold(): () => void {
    let isHeld = true;
    this.#holds += 1;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holds -= 1;
      if (this.#running?.waiting.size === 0) this.#rest(this.#running);
    };
  }

  /** The next call opens the repository again. Calls that are being answered are repeated. */
  restart(): void {
    if (this.#running !== undefined)
      this.#end(this.#running, this.#lostError('the repository is opened again'));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#running?.worker;
    if (this.#running !== undefined)
      this.#end(this.#running, new StoreUnavailableError('the store is closed'));
    await worker?.terminate();
  }

  #lostError(problem: string): StoreUnavailableError {
    const error = new StoreUnavailableError(problem);
    this.#lost.add(error);
    return error;
  }

  #start(): Running {
    const waiting = new Map<number, Waiting>();
    const opened = new Promise<Answer>((resolve, reject) => {
      waiting.set(OPENING, { resolve, reject });
    });
    const running: Running = { worker: undefined, waiting, opened };
    opened.catch((error: unknown) => {
      if (isZarrError(error) && (error.code === 'NOT_FOUND' || error.code === 'INVALID_METADATA'))
        this.#failed = { error, until: performance.now() + RETRY_OPEN_MS };
      this.#end(running, this.#lostError('the repository cannot be opened'));
    });
    this.#running = running;
    slots.take(running, () => {
      running.worker = this.#startWorker(running);
    });
    return running;
  }

  #startWorker(running: Running): Worker {
    const isSource = import.meta.url.endsWith('.ts');
    const entry = new URL(isSource ? './thread-program.ts' : './thread-program.js', import.meta.url);
    const { maxBytes, isWriter = false } = this.#options;
    const start: ThreadStart = { maxPages: Math.floor(maxBytes / PAGE_BYTES), isWriter };
    const worker = new Worker(entry, {
      workerData: start,
      // For what the thread remembers of snapshots; the memory of the library has its own limit.
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
      execArgv: [],
      env: {},
      stderr: true,
      stdout: true,
    });
    const lost = (problem: string): void =>
      this.#end(running, this.#lostError(`the Icechunk library ended: ${problem}`));
    worker.on('message', (message: FromThread) => this.#receive(running, message));
    worker.on('error', (error) => lost(error.message));
    worker.on('exit', () => lost('its thread exited'));
    this.#post(worker, { kind: 'call', id: OPENING, call: this.#options.open });
    return worker;
  }

  #post(worker: Worker, message: ToThread): void {
    worker.postMessage(message);
  }

  async #send(running: Running, call: Question): Promise<Answer> {
    const { worker } = running;
    if (this.#running !== running || worker === undefined) throw this.#lostError('the thread has ended');
    const id = this.#calls++;
    worker.ref();
    slots.work(running);
    clearTimeout(this.#idle);
    return new Promise((resolve, reject) => {
      running.waiting.set(id, { resolve, reject });
      this.#post(worker, { kind: 'call', id, call });
    });
  }

  #receive(running: Running, message: FromThread): void {
    if (message.kind === 'storage') {
      this.#store(running, message.id, message.call).catch((error: unknown) => {
        this.#end(running, new StoreUnavailableError('the Icechunk library has ended', { cause: error }));
      });
      return;
    }
    if (message.kind === 'error' && brokenLibrary.test(message.message)) {
      this.#end(running, this.#lostError('the memory of the Icechunk library is broken; try again'));
      return;
    }
    const waiting = running.waiting.get(message.id);
    running.waiting.delete(message.id);
    if (message.kind === 'error') waiting?.reject(this.#errorOf(message));
    else waiting?.resolve(message.answer);
    if (running.waiting.size === 0) this.#rest(running);
  }

  /** An idle thread does not keep a program alive. */
  #rest(running: Running): void {
    if (this.#holds > 0) return;
    running.worker?.unref();
    clearTimeout(this.#idle);
    const end = (): void => {
      if (running.waiting.size === 0) this.#end(running, this.#lostError('the thread was idle'));
    };
    this.#idle = setTimeout(end, IDLE_MS);
    this.#idle.unref();
    // Later, because calls that wait for the repository to be opened are sent after this turn.
    setImmediate(() => {
      if (this.#running === running && running.waiting.size === 0 && this.#holds === 0)
        slots.rest(running, end);
    });
  }

  async #store(running: Running, id: number, call: StorageCall): Promise<void> {
    let reply: StorageReply;
    try {
      reply = await this.#options.storage(call);
    } catch (error) {
      reply = { kind: 'failed', mark: this.#markOf(error) };
    }
    const { worker } = running;
    if (this.#running === running && worker !== undefined) this.#post(worker, { kind: 'stored', id, reply });
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

  #errorOf({ message, code }: Extract<FromThread, { kind: 'error' }>): Error {
    if (code === 'input') return new InputError(message);
    if (code === 'limit') return new LimitError(message);
    if (code === 'conflict') return new ConflictError(message);
    if (code === 'exists') return new AlreadyExistsError(message);
    if (code === 'unsupported') return new UnsupportedError(message);
    if (code === 'lost') return new StoreUnavailableError(message);
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
    const { worker } = running;
    worker?.removeAllListeners();
    worker?.on('error', () => {});
    worker?.terminate().catch(() => {});
    slots.release(running);
  }
}
