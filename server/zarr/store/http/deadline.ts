/** Waiting for the network, but not for ever and not past the caller's signal. */
import { AbortedError } from '../../errors.js';
import { TransientFailure } from './exchange.js';

/** What one request waits for. */
export interface Watch {
  /** Fires when the caller gives up or a deadline has passed: whoever does the work stops then. */
  readonly signal: AbortSignal;
  /** @throws TransientFailure, `what` being late; AbortedError at once when the caller gives up; what the work throws */
  bounded<T>(work: Promise<T>, ms: number, what: string): Promise<T>;
  /** Nothing is waited for any more; `signal` fires no more. */
  release(): void;
  /** As `release`, after making `signal` fire. */
  stop(): void;
}

export function createWatch(caller: AbortSignal | undefined): Watch {
  const controller = new AbortController();
  let giveUp: ((error: Error) => void) | undefined;
  const onAbort = (): void => {
    controller.abort(caller?.reason);
    giveUp?.(new AbortedError('the request was cancelled', { cause: caller?.reason }));
  };
  if (caller?.aborted === true) onAbort();
  caller?.addEventListener('abort', onAbort, { once: true });
  const release = (): void => caller?.removeEventListener('abort', onAbort);
  return {
    signal: controller.signal,
    async bounded(work, ms, what) {
      let timer: NodeJS.Timeout | undefined;
      const tooLong = new Promise<never>((_, reject) => {
        giveUp = reject;
        timer = setTimeout(() => {
          const error = new TransientFailure(`${what} within ${ms} ms`);
          controller.abort(error);
          reject(error);
        }, ms);
        if (caller?.aborted === true) onAbort();
      });
      try {
        return await Promise.race([work, tooLong]);
      } catch (error) {
        release();
        throw error;
      } finally {
        clearTimeout(timer);
        giveUp = undefined;
      }
    },
    release,
    stop() {
      release();
      controller.abort();
    },
  };
}

/** Waits for work that goes on without this caller. @throws AbortedError at once when the caller gives up */
export async function untilAborted<T>(caller: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (caller === undefined) return work;
  let giveUp = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    giveUp = () => reject(new AbortedError('the request was cancelled', { cause: caller.reason }));
    if (caller.aborted) giveUp();
    caller.addEventListener('abort', giveUp, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    caller.removeEventListener('abort', giveUp);
  }
}

/** For the end of a promise that only the network can break. @throws TransientFailure */
export function brokenConnection(cause: unknown): never {
  throw new TransientFailure(`the connection failed (${codeOf(cause)})`, { cause });
}

function codeOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (inner instanceof Error && 'code' in inner && typeof inner.code === 'string') return inner.code;
  // Ports that browsers block for safety; fetch does so, too.
  return inner instanceof Error && inner.message === 'bad port' ? 'a port that fetch refuses' : 'reset';
}
