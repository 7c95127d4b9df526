/** Waits for the network with deadlines and cancellation. */
import { allowManyListeners } from '#platform';
import { AbortedError } from '../../core/errors.js';
import { TransientFailure } from './exchange.js';

/** The waits of one request. */
interface Watch {
  /** Fires when the caller aborts or a deadline has expired. The work must then stop. */
  readonly signal: AbortSignal;
  /**
   * Waits for work.
   * @param problem start of the message of the failure: "the server did not respond"
   * @throws TransientFailure if the work takes longer than `ms` milliseconds; AbortedError as soon as the caller
   * aborts; errors from the work
   */
  bounded<T>(work: Promise<T>, ms: number, problem: string): Promise<T>;
  /** Detaches `signal` from the caller's. Call this after the last wait. */
  release(): void;
  /** Like `release`, but fires `signal` first. */
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
  if (caller !== undefined) allowManyListeners(caller);
  caller?.addEventListener('abort', onAbort, { once: true });
  const release = (): void => caller?.removeEventListener('abort', onAbort);
  return {
    signal: controller.signal,
    async bounded(work, ms, problem) {
      let timer: NodeJS.Timeout | undefined;
      const tooLong = new Promise<never>((_, reject) => {
        giveUp = reject;
        timer = setTimeout(() => {
          const error = new TransientFailure(`${problem} within ${ms} ms`);
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

/** Converts a rejection caused by the network. @throws TransientFailure in every case */
export function brokenConnection(cause: unknown): never {
  throw new TransientFailure(`the connection failed (${codeOf(cause)})`, { cause });
}

/** Error codes of name resolution, whose message suggests no action by itself. */
const unknownHost: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN']);

function codeOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (inner instanceof Error && 'code' in inner && typeof inner.code === 'string')
    return unknownHost.has(inner.code)
      ? `${inner.code}: unknown host; check the address and the network`
      : inner.code;
  // Ports that browsers block for security reasons; fetch does so too.
  return inner instanceof Error && inner.message === 'bad port' ? 'fetch does not allow this port' : 'reset';
}
