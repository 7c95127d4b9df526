/** Interface to a pool thread for direct reads: opens reads on the thread, runs windows of tasks, and reduces boxes. */
import type { CodecChain } from '../format/codec/codec.js';
import type {
  BoxInputMessage,
  BoxReply,
  BoxRule,
  OpenMessage,
  SharedWindow,
  WindowReply,
} from './direct/protocol.js';
import type { NewJob } from './jobs.js';
import type { ToWorker } from './protocol.js';

/** Parameters of a read for a thread. */
export interface Opening {
  readonly message: Omit<OpenMessage, 'chain'>;
  readonly chain: CodecChain;
  /** Called when the thread has filled a slot while the owner of the read was asleep. */
  readonly onWake: () => void;
}

/** An input of a box for a thread. */
export interface BoxInput extends Omit<BoxInputMessage, 'chain'> {
  readonly chain: CodecChain;
}

export interface DirectPort {
  /** Whether the thread accepts windows, now or after it has started. */
  readonly isOpen: boolean;
  /** Whether the thread has opened a read, or will open it with a message that was sent. */
  hasOpened(read: number): boolean;
  /**
   * Runs the thread's share of a window.
   * @param opening parameters to open the read first, if it is not open
   * @param signal cancels the work; a thread that does not reply soon is then replaced
   * @returns undefined if the thread was lost; it has then exited and no longer accesses memory
   */
  run(
    read: number,
    opening: Opening | undefined,
    window: SharedWindow,
    signal: AbortSignal,
  ): Promise<WindowReply | undefined>;
  /**
   * Reduces a box. Resolves to undefined if the thread failed, or was lost and has exited.
   * @param slot memory for the result, which the thread may write to until the promise resolves
   * @param signal see `run`
   */
  reduceBox(
    inputs: readonly BoxInput[],
    rule: BoxRule,
    slot: SharedArrayBuffer,
    signal: AbortSignal | undefined,
  ): Promise<BoxReply['box']>;
  /** Closes a read: immediately if the thread has shared memory for it, otherwise with the next message. */
  close(read: number, atOnce: boolean): void;
}

/** The functions of the thread that the port uses. */
export interface PortThread {
  readonly isOpen: () => boolean;
  readonly exited: Promise<void>;
  chainId(chain: CodecChain): number;
  send(message: ToWorker): void;
  begin(job: NewJob): number;
  post(id: number, message: ToWorker): void;
}

/** @returns the port, and a function to call when the thread wakes the owner of a read */
export function createDirectPort(thread: PortThread): {
  readonly port: DirectPort;
  readonly wake: (read: number) => void;
} {
  const opened = new Map<number, () => void>();
  let closed: number[] = [];
  const takeClosed = (): number[] => {
    const all = closed;
    closed = [];
    return all;
  };
  const port: DirectPort = {
    get isOpen() {
      return thread.isOpen();
    },
    hasOpened: (read) => opened.has(read),
    run: (read, opening, window, signal) =>
      new Promise((resolve) => {
        if (opening !== undefined) opened.set(read, opening.onWake);
        const open =
          opening === undefined ? undefined : { chain: thread.chainId(opening.chain), ...opening.message };
        const lost = (): void => resolve(undefined);
        const id = thread.begin({
          isLarge: false,
          signal,
          finish: (reply) => resolve('versions' in reply ? reply : undefined),
          fail: () => void thread.exited.then(lost, lost),
        });
        thread.post(id, { kind: 'direct-window', id, read, open, window, closed: takeClosed() });
      }),
    reduceBox: (inputs, rule, slot, signal) =>
      new Promise((resolve) => {
        const sent = inputs.map((input) => ({ ...input, chain: thread.chainId(input.chain) }));
        const lost = (): void => resolve(undefined);
        const id = thread.begin({
          isLarge: false,
          signal,
          finish: (reply) => resolve('box' in reply ? reply.box : undefined),
          fail: () => void thread.exited.then(lost, lost),
        });
        thread.post(id, { kind: 'direct-box', id, inputs: sent, rule, slot });
      }),
    close(read, atOnce) {
      if (!opened.delete(read) || !thread.isOpen()) return;
      closed.push(read);
      if (atOnce) thread.send({ kind: 'direct-close', reads: takeClosed() });
    },
  };
  return { port, wake: (read) => opened.get(read)?.() };
}
