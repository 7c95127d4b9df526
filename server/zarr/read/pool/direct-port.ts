/** The interface of a pool thread for direct reads: opens the read there, then runs windows of tasks. */
import type { CodecChain } from '../../codec/codec.js';
import type { OpenMessage, SharedWindow, WindowReply } from '../direct/protocol.js';
import type { NewJob } from './jobs.js';
import type { ToWorker } from './protocol.js';

export interface DirectPort {
  /** Whether the thread accepts windows, now or after it has started. */
  readonly isOpen: boolean;
  /**
   * Opens a read on the thread. Idempotent.
   * @param onWake called when the thread has filled a slot while the owner of the read slept
   */
  open(message: Omit<OpenMessage, 'kind' | 'chain'>, chain: CodecChain, onWake: () => void): void;
  /**
   * Runs the thread's share of a window.
   * @param signal when it fires and the thread does not reply soon, the thread is replaced
   * @returns undefined if the thread was lost; it has exited by then and writes nothing any more
   */
  run(read: number, window: SharedWindow, signal: AbortSignal): Promise<WindowReply | undefined>;
  /** Closes a read. */
  close(read: number): void;
}

/** The functions of the thread that the port needs. */
export interface PortThread {
  readonly isOpen: () => boolean;
  readonly exited: Promise<void>;
  chainId(chain: CodecChain): number;
  send(message: ToWorker): void;
  begin(job: NewJob): number;
  post(id: number, message: ToWorker): void;
}

/** @returns the port, and a function to call when the thread requests to wake the owner of a read */
export function createDirectPort(thread: PortThread): {
  readonly port: DirectPort;
  readonly wake: (read: number) => void;
} {
  const opened = new Map<number, () => void>();
  const port: DirectPort = {
    get isOpen() {
      return thread.isOpen();
    },
    open(message, chain, onWake) {
      if (opened.has(message.read)) return;
      opened.set(message.read, onWake);
      thread.send({ kind: 'direct-open', chain: thread.chainId(chain), ...message });
    },
    run: (read, window, signal) =>
      new Promise((resolve) => {
        const lost = (): void => resolve(undefined);
        const id = thread.begin({
          isLarge: false,
          signal,
          finish: (reply) => resolve('versions' in reply ? reply : undefined),
          fail: () => void thread.exited.then(lost, lost),
        });
        thread.post(id, { kind: 'direct-window', id, read, window });
      }),
    close(read) {
      if (opened.delete(read) && thread.isOpen()) thread.send({ kind: 'direct-close', read });
    },
  };
  return { port, wake: (read) => opened.get(read)?.() };
}
