import { once } from 'node:events';
import { destination, type Logger, pino } from 'pino';
import type { Config } from '../config.js';

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

export function createProcessLog(level: Config['logLevel']): ProcessLog {
  const stderr = destination({ fd: 2, sync: false });
  // Names, tokens' subjects, paths and messages come from outside; every line is escaped here, whoever logs it.
  const escaped = {
    write(line: string) {
      stderr.write(escapeLine(line));
    },
  };
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, escaped);
  let broken = false;
  // Nobody reads stderr any more. That is no reason to stop serving, nor to collect lines that cannot leave.
  stderr.on('error', () => {
    broken = true;
    logger.level = 'silent';
  });
  return {
    logger,
    // Not `flushSync`: on a pipe that is closed it never returns.
    async flush() {
      if (broken) return;
      const timeout = AbortSignal.timeout(flushTimeoutMs);
      const written = new Promise<void>((resolve) => {
        stderr.flush(() => {
          resolve();
        });
      });
      const failed = once(stderr, 'error', { signal: timeout }).then(
        () => {},
        () => {},
      );
      await Promise.race([written, failed]);
    },
  };
}
