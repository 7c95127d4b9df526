import { type Logger, pino } from 'pino';
import type { Config } from '../config.js';
import { createLogOutput, createStderrSender } from './log-output.js';

/** A log of JSON lines on stderr; stdout is for the one line that programs wait for. */
export interface ProcessLog {
  readonly logger: Logger;
  /** Resolves when what was logged is written, or cannot be: the last thing to wait for before the process ends. */
  flush(): Promise<void>;
}

/**
 * Characters that a terminal acts on or that reorder text: control characters (C1 too), format characters such as
 * bidirectional overrides, private ones and lone surrogates. JSON escapes those below U+0020 already; the line end is none
 * of the text.
 */
const unsafe = /(?!\n)[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A line of JSON that means the same, with everything escaped that would not be shown as it is. */
export function escapeLine(line: string): string {
  return line.replace(unsafe, (character) =>
    Array.from(
      { length: character.length },
      (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

/** Time that a slow reader of stderr has at the end. */
const flushTimeoutMs = 1000;

/** @param send writes to stderr; tests pass their own */
export function createProcessLog(level: Config['logLevel'], send = createStderrSender()): ProcessLog {
  const output = createLogOutput(send, {
    // That is no reason to stop serving, nor to make lines that cannot leave.
    gone() {
      logger.level = 'silent';
    },
    dropped(lines) {
      logger.warn({ lines }, 'log lines were dropped because the reader of stderr was too slow');
    },
  });
  // Not pino's own destination: when the reader is gone, its handler at the exit of the process never returns.
  const logger = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    // Names, tokens' subjects, paths and messages come from outside; every line is escaped here, for all callers.
    { write: (line: string) => output.write(escapeLine(line)) },
  );
  return {
    logger,
    async flush() {
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, flushTimeoutMs);
      });
      await Promise.race([output.drained(), timeout]);
      clearTimeout(timer);
    },
  };
}
