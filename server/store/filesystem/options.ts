/**
 * Options of a filesystem store, and its use of the threads of the system. Limits a store's use of Node's thread
 * pool, which all stores share (with name resolution and compression). A hanging disk blocks its threads, so no
 * store may use all of them, and callers stop waiting at the deadline.
 */
import { type Effort, withinDeadline } from '../deadline.js';
import { acquireUnlessAborted, createSemaphore } from '../semaphore.js';

export interface FilesystemStoreOptions {
  /** Configured name of the store, which users may see. */
  readonly label: string;
  /**
   * Path of the folder. If the folder existed before, its absence is an outage, and it is not created again.
   */
  readonly root: string;
  /** Whether the first write may create the folder if it never existed. @default true */
  readonly create?: boolean;
  /** Whether the store rejects writes. @default false */
  readonly readonly?: boolean;
  /**
   * Maximum number of concurrently open files.
   * @default 16; a higher number does not help, because Node reads with four threads
   */
  readonly concurrency?: number;
  /** Whether writes wait until the data is on disk, which takes milliseconds. @default false */
  readonly fsync?: boolean;
  /**
   * Whether to lock the folder against writers of other processes that also use this option. Conditions then
   * apply to all of them, and resizing and appending are serialised. Without the lock, use only one process,
   * because changes would be lost. The lock takes a few tenths of a millisecond per write.
   * @default true
   */
  readonly lock?: boolean;
  /** Called, at most once a minute, when a program without the lock has changed an object during a write. */
  readonly onForeignWrite?: (key: string) => void;
  /** Time limit of one operation, in milliseconds; each MiB transferred adds a second. @default 15000 */
  readonly deadlineMs?: number;
  /**
   * Whether symbolic links may lead out of the folder. Anyone who can write to the folder can then make the
   * store read any file.
   * @default false
   */
  readonly followLinks?: boolean;
  /** Whether the file system treats "A" and "a" as one name. @default detected */
  readonly foldsCase?: boolean;
  /**
   * Whether the folder is on a local disk. Other disks may hang, and are read only by Node's threads.
   * @default detected
   */
  readonly isLocal?: boolean;
}

export type Threads = ReturnType<typeof createThreads>;

/** Default number of threads in libuv. */
const STANDARD_POOL_SIZE = 4;

/** @param poolSize number of threads of this process; if there are several, one of them stays free */
export function createThreads(
  deadlineMs: number,
  concurrency: number,
  poolSize: number = Number(process.env['UV_THREADPOOL_SIZE']) || STANDARD_POOL_SIZE,
) {
  const count = Math.max(1, Math.min(concurrency, poolSize - 1));
  const permits = createSemaphore(count);
  return {
    /** Maximum number of concurrent operations. */
    count,
    /**
     * Runs an operation that uses one thread at a time. Its permit is kept until the operation has ended, even
     * after the deadline.
     * @param bytes number of bytes that the operation writes, which extend its deadline
     * @throws StoreUnavailableError after the deadline; AbortedError if the signal fires; errors from `work`
     */
    run: <T>(
      signal: AbortSignal | undefined,
      work: (effort: Effort) => Promise<T>,
      bytes?: number,
    ): Promise<T> =>
      withinDeadline({ deadlineMs, signal, bytes }, async (effort) => {
        const waiting = acquireUnlessAborted(permits, effort.signal);
        if (waiting !== undefined) await waiting;
        try {
          return await work(effort);
        } finally {
          permits.release();
        }
      }),
  };
}
