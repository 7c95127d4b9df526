import { constants, fstatSync, openSync, write } from 'node:fs';
import { pino } from 'pino';
import type { Config } from '../config.js';
import { readableLine } from './readable-line.js';

/** Logs on stderr: text on a terminal, otherwise JSON lines. stdout is reserved for addresses. */
export type ProcessLog = ReturnType<typeof createProcessLog>;

/**
 * Characters that terminals interpret or that reorder text: control characters (including C1), format
 * characters such as bidirectional overrides, private use characters and lone surrogates. JSON already
 * escapes those below U+0020; line breaks are kept.
 */
const unsafe = /(?!\n)[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Escapes unsafe characters in a line of JSON without changing its meaning. */
export function escapeLine(line: string): string {
  return line.replace(unsafe, (character) =>
    Array.from(
      { length: character.length },
      (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

/** Maximum time to wait for a slow reader of stderr at exit. */
const FLUSH_TIMEOUT_MS = 1000;

/**
 * @param send writes to stderr; tests pass another function
 * @param form of the lines
 */
export function createProcessLog(
  level: Config['logLevel'],
  send = createStderrSender(),
  form: 'json' | 'readable' = process.stderr.isTTY ? 'readable' : 'json',
) {
  const output = createLogOutput(send, form === 'readable' ? readableLine : (line) => line, {
    // Stops queueing lines that cannot be written. The server keeps running.
    gone() {
      logger.level = 'silent';
    },
    dropped(lines) {
      logger.warn({ lines }, 'log lines were dropped because the reader of stderr was too slow');
    },
  });
  // pino's own destination hangs in its exit handler when the reader is gone.
  const formatters = { level: (label: string) => ({ level: label }) };
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters }, output);
  return {
    logger,
    /** Resolves when all lines are written or have failed, or after a second. Await it last before the process exits. */
    async flush(): Promise<void> {
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, FLUSH_TIMEOUT_MS);
      });
      await Promise.race([output.drained(), timeout]);
      clearTimeout(timer);
    },
  };
}

/** Writes text, then calls back with success or failure. Never blocks, even if the reader is slow. */
export type SendText = (text: string, done: (error?: Error | null) => void) => void;

export interface LogOutputEvents {
  /** The reader has disconnected: further lines are discarded. */
  readonly gone: () => void;
  /** Number of lines dropped because the reader was slow; called when it reads again. */
  readonly dropped: (lines: number) => void;
}

/** Maximum characters queued for a slow reader. Further lines are dropped and counted. */
const MAX_WAITING = 4 * 2 ** 20;

/** Time, in milliseconds, in which lines are collected for one write, because a write takes as long as a small request. */
const COLLECT_MS = 10;

/** Interval, in milliseconds, between attempts to write to a terminal that accepts nothing. */
const RETRY_MS = 100;

/**
 * A queue of log lines, whose reader may be slow, stopped or disconnected. Passes lines to `send` one batch at a time,
 * which preserves their order and bounds memory.
 */
function createLogOutput(
  send: SendText,
  formOf: (line: string) => string,
  { gone, dropped }: LogOutputEvents,
) {
  let lines: string[] = [];
  let waiting = 0;
  let missed = 0;
  let isSending = false;
  let isGone = false;
  let isCollecting = false;
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
      // Lines that arrived meanwhile are few, unless the writes are slow.
      if (waiters.length > 0) sendNext();
      else if (lines.length > 0) collect();
    });
  }

  function collect(): void {
    if (isCollecting || isSending) return;
    isCollecting = true;
    setTimeout(() => {
      isCollecting = false;
      sendNext();
    }, COLLECT_MS);
  }

  return {
    write(text: string): void {
      if (isGone) return;
      // Names, token subjects, paths and messages are untrusted. Every line is escaped here, for all callers.
      const line = escapeLine(formOf(text));
      if ((isSending || isCollecting) && waiting + line.length > MAX_WAITING) {
        missed++;
        return;
      }
      lines.push(line);
      waiting += line.length;
      collect();
    },
    /** Resolves when no line is pending. Never rejects; stays pending while the reader is stopped. */
    drained: (): Promise<void> =>
      new Promise((resolve) => {
        waiters.push(resolve);
        sendNext();
      }),
  };
}

/**
 * Writes to stderr without blocking. `fs.write` to a full pipe would leave a thread waiting in write(2)
 * and keep the process from exiting. Pipes therefore go through the event loop, and terminals, where /proc exists,
 * through a separate non-blocking descriptor. Files never block.
 */
function createStderrSender(): SendText {
  const kind = fstatSync(2);
  if (kind.isFIFO() || kind.isSocket()) {
    // The callback receives failures; without a listener, they would also be uncaught errors.
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

/**
 * Opens a separate descriptor, because the flags of `fd` are shared with other processes on the same
 * terminal.
 */
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
    if (error?.code === 'EAGAIN') setTimeout(() => writeAll(fd, bytes, done), RETRY_MS).unref();
    else if (error !== null) done(error);
    else if (written < bytes.length) writeAll(fd, bytes.subarray(written), done);
    else done();
  });
}
