import { constants, fstatSync, openSync, write } from 'node:fs';

/** Writes text and calls back when it is written, or cannot be. Does not block, whatever the reader does. */
export type SendText = (text: string, done: (error?: Error | null) => void) => void;

/** Lines on their way to a reader that may be slow, stopped or gone. */
export interface LogOutput {
  write(line: string): void;
  /** Resolves when everything is written, or cannot be. Never rejects; a stopped reader can keep it pending. */
  drained(): Promise<void>;
}

export interface LogOutputEvents {
  /** The reader is gone: nothing will be written any more. */
  readonly gone: () => void;
  /** Lines that a slow reader has missed; called when it reads again. */
  readonly dropped: (lines: number) => void;
}

/** What waits for a slow reader at most, in characters. Further lines are dropped and counted. */
const maxWaiting = 4 * 2 ** 20;

/** Time until a terminal that takes nothing is tried again. */
const retryMs = 100;

/** Hands lines to `send` one batch at a time, so that order is kept and memory stays bounded. */
export function createLogOutput(send: SendText, { gone, dropped }: LogOutputEvents): LogOutput {
  let lines: string[] = [];
  let waiting = 0;
  let missed = 0;
  let isSending = false;
  let isGone = false;
  const waiters: (() => void)[] = [];

  function sendNext(): void {
    if (isSending) return;
    if (isGone || lines.length === 0) {
      for (const resolve of waiters.splice(0)) resolve();
      return;
    }
    const text = lines.join('');
    lines = [];
    waiting = 0;
    isSending = true;
    send(text, (error) => {
      isSending = false;
      if (error instanceof Error) {
        isGone = true;
        gone();
      } else if (missed > 0) {
        const count = missed;
        missed = 0;
        dropped(count);
      }
      sendNext();
    });
  }

  return {
    write(line) {
      if (isGone) return;
      if (isSending && waiting + line.length > maxWaiting) {
        missed++;
        return;
      }
      lines.push(line);
      waiting += line.length;
      sendNext();
    },
    drained: () =>
      new Promise((resolve) => {
        waiters.push(resolve);
        sendNext();
      }),
  };
}

/**
 * Writes to stderr without ever blocking on its reader. A thread that waits in write(2), as `fs.write` has it for a full
 * pipe, would keep the process from ending: pipes go through the event loop, and terminals through a descriptor of
 * their own that does not block. Files always take what is written.
 */
export function createStderrSender(): SendText {
  const kind = fstatSync(2);
  if (kind.isFIFO() || kind.isSocket()) {
    // Failures reach the callback; without a listener they would be uncaught errors as well.
    process.stderr.on('error', () => {});
    return (text, done) => {
      process.stderr.write(text, done);
    };
  }
  const fd = kind.isCharacterDevice() ? openWithoutBlocking(2) : 2;
  return (text, done) => {
    writeAll(fd, Buffer.from(text), done);
  };
}

/** Flags of `fd` itself are shared with other processes on the same terminal, so they are left alone. */
function openWithoutBlocking(fd: number): number {
  try {
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
    const own = openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
    return own;
  } catch {
    return fd;
  }
}

function writeAll(fd: number, bytes: Buffer, done: (error?: Error | null) => void): void {
  write(fd, bytes, (error, written) => {
    if (error?.code === 'EAGAIN') setTimeout(() => writeAll(fd, bytes, done), retryMs).unref();
    else if (error !== null) done(error);
    else if (written < bytes.length) writeAll(fd, bytes.subarray(written), done);
    else done();
  });
}
