/** Waits for the network with deadlines and cancellation. */
import { allowManyListeners } from '#platform';
import { AbortedError } from '../../core/errors.js';
import { TransientFailure } from './exchange.js';

/** The waits of one request. */
export class NetworkWait {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  #giveUp: ((error: Error) => void) | undefined;
  /** Fires when the caller aborts or a deadline has expired. The work must then stop. */
  readonly signal: AbortSignal = this.#controller.signal;

  constructor(caller: AbortSignal | undefined) {
    this.#caller = caller;
    if (caller === undefined) return;
    if (caller.aborted) this.#onAbort();
    allowManyListeners(caller);
    caller.addEventListener('abort', this.#onAbort, { once: true });
  }

  readonly #onAbort = (): void => {
    const cause: unknown = this.#caller?.reason;
    this.#controller.abort(cause);
    this.#giveUp?.(new AbortedError('the request was cancelled', { cause }));
  };

  /**
   * Waits for work.
   * @param problem start of the message of the failure: "the server did not respond"
   * @throws TransientFailure if the work takes longer than `ms` milliseconds; AbortedError as soon as the caller
   * aborts; errors from the work
   */
  async bounded<T>(work: Promise<T>, ms: number, problem: string): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<never>((_, reject) => {
      this.#giveUp = reject;
      timer = setTimeout(() => {
        const error = new TransientFailure(`${problem} within ${ms} ms`);
        this.#controller.abort(error);
        reject(error);
      }, ms);
      if (this.#caller?.aborted === true) this.#onAbort();
    });
    try {
      return await Promise.race([work, tooLong]);
    } catch (error) {
      this.release();
      throw error;
    } finally {
      clearTimeout(timer);
      this.#giveUp = undefined;
    }
  }

  /** Detaches `signal` from the caller's. Call this after the last wait. */
  release(): void {
    this.#caller?.removeEventListener('abort', this.#onAbort);
  }

  /** Like `release`, but fires `signal` first. */
  stop(): void {
    this.release();
    this.#controller.abort();
  }
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
