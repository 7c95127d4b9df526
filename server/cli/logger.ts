import { destination, type Logger, pino } from 'pino';
import type { Config } from '../config.js';

/** A log of JSON lines on stderr; stdout is for the one line that programs wait for. */
export interface ProcessLog {
  readonly logger: Logger;
  /** Writes what is still in memory: the last act before the process ends. */
  flush(): void;
}

export function createProcessLog(level: Config['logLevel']): ProcessLog {
  const stderr = destination({ fd: 2, sync: false });
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stderr);
  return {
    logger,
    flush() {
      try {
        stderr.flushSync();
      } catch {
        // Nobody reads stderr any more, or it has not been opened yet: nothing is left to tell.
      }
    },
  };
}
