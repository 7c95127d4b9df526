/** What a direct read uses of one thread: it opens the read there, then runs windows of tasks. */
import type { CodecChain } from '../../codec/codec.js';
import type { OpenMessage, SharedWindow, WindowReply } from '../direct/protocol.js';
import type { NewJob } from './jobs.js';
import type { ToWorker } from './protocol.js';

export interface DirectPort {
  /** Whether the thread takes windows, now or once it has started. */
  readonly isOpen: boolean;
  /**
   * Announces a read. Idempotent for a read and this thread.
   * @param onWake called when the thread has filled a slot while the owner of the read slept
   */
  open(message: Omit<OpenMessage, 'kind' | 'chain'>, chain: CodecChain, onWake: () => void): void;
  /**
   * Runs the thread's share of a window.
   * @param signal where it fires and the thread does not reply soon, the thread is replaced
   * @returns undefined where the thread was lost; it has exited by then, and writes nowhere any more
   */
  run(read: number, window: SharedWindow, signal: AbortSignal): Promise<WindowReply | undefined>;
  /** Ends a read that was announced. */
  close(read: number): void;
}

/** What the port uses of the thread. */
export interface PortThread {
  readonly isOpen: () => boolean;
  readonly exited: Promise<void>;
  chainId(chain: CodecChain): number;
  send(message: ToWorker): void;
  begin(job: NewJob): number;
  post(id: number, message: ToWorker): void;
}

/** @returns the port, and what is to be called when the thread asks to wake the owner of a read */
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
