import { type Logger, pino } from 'pino';
import type { Config } from '../config.js';
import { createLogOutput, createStderrSender } from './log-output.js';

/** Logs JSON lines on stderr; stdout is reserved for the endpoint's URL. */
export interface ProcessLog {
  readonly logger: Logger;
  /** Resolves when all lines are written or have failed. Await it last before the process exits. */
  flush(): Promise<void>;
}

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

/** Time for a slow reader of stderr at exit. */
const FLUSH_TIMEOUT_MS = 1000;

/** @param send writes to stderr; replaceable for tests */
export function createProcessLog(level: Config['logLevel'], send = createStderrSender()): ProcessLog {
  const output = createLogOutput(send, {
    // Keep serving, and stop queueing lines that cannot be written.
    gone() {
      logger.level = 'silent';
    },
    dropped(lines) {
      logger.warn({ lines }, 'log lines were dropped because the reader of stderr was too slow');
    },
  });
  // pino's own destination hangs in its exit handler when the reader is gone.
  const logger = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    // Names, token subjects, paths and messages are untrusted. Every line is escaped here, for all callers.
    { write: (line: string) => output.write(escapeLine(line)) },
  );
  return {
    logger,
    async flush() {
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, FLUSH_TIMEOUT_MS);
      });
      await Promise.race([output.drained(), timeout]);
      clearTimeout(timer);
    },
  };
}
