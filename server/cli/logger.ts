import { once } from 'node:events';
import { destination, type Logger, pino } from 'pino';
import type { Config } from '../config.js';

/** A log of JSON lines on stderr; stdout is for the one line that programs wait for. */
export interface ProcessLog {
  readonly logger: Logger;
  /** Resolves when what was logged is written, or cannot be: the last thing to wait for before the process ends. */
  flush(): Promise<void>;
}

/** Time that a slow reader of stderr has at the end. */
const flushTimeoutMs = 1000;

export function createProcessLog(level: Config['logLevel']): ProcessLog {
  const stderr = destination({ fd: 2, sync: false });
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stderr);
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
