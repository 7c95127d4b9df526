/** One response. undici calls its `on...` methods, and the caller waits for its head and its body. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { allocateUninitialised, allowManyListeners } from '#platform';
import { AbortedError } from '../../core/errors.js';
import { brokenConnection } from './network-wait.js';
import { TransientFailure, type Timeouts } from './exchange.js';

/** Maximum length, in bytes, for which memory is allocated before bytes arrive. */
const MAX_PREPARED_BYTES = 32 * 2 ** 20;
/** Maximum number of unread bytes, above which receiving pauses. */
const MAX_WAITING_BYTES = 2 ** 20;
/** Maximum number of informational responses (1xx) before the response. */
const MAX_INFORMATIONAL = 4;
/** Headers whose values must not be combined. */
const single = ['content-length', 'content-range', 'content-encoding', 'etag', 'last-modified'];

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export class Reply implements Dispatcher.DispatchHandler {
  status = 0;
  readonly #timeouts: Timeouts;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort = (): void =>
    this.#fail(new AbortedError('the request was cancelled', { cause: this.#signal?.reason }));
  #headers: IncomingHttpHeaders | undefined;
  #informational = 0;
  /** Set once the request is sent. */
  #controller: Dispatcher.DispatchController | undefined;
  /** Bytes that have arrived and that `nextPiece` has not returned. */
  #pieces: Uint8Array[] = [];
  #waitingBytes = 0;
  /**
   * Memory of the whole body and its filled bytes, if the body is collected and its length is known and at
   * most `MAX_PREPARED_BYTES`.
   */
  #whole: { readonly bytes: Uint8Array; filled: number } | undefined;
  #progress: ((bytes: number) => void) | undefined;
  #waiter: Waiter | undefined;
  #failure: { readonly error: unknown } | undefined;
  #isOver = false;

  constructor(timeouts: Timeouts, signal: AbortSignal | undefined) {
    this.#timeouts = timeouts;
    this.#signal = signal;
    if (signal !== undefined) allowManyListeners(signal);
    signal?.addEventListener('abort', this.#onAbort, { once: true });
    if (signal?.aborted === true) this.#onAbort();
  }

  /** Whether the response is complete, has failed or was discarded. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Value of a header; several values as a list. @param name in lower case */
  header(name: string): string | undefined {
    const value = this.#headers?.[name];
    return Array.isArray(value) ? [...new Set(value)].join(', ') : value;
  }

  /**
   * Waits for the head.
   * @throws TransientFailure for network errors and timeouts; AbortedError if the signal fires
   */
  async started(): Promise<this> {
    if (this.#headers === undefined) await this.#wait();
    return this;
  }

  /** Returns the next piece of the body; undefined at its end. @throws errors from `started` */
  async nextPiece(): Promise<Uint8Array | undefined> {
    for (;;) {
      const piece = this.#pieces.shift();
      this.#waitingBytes -= piece?.length ?? 0;
      if (piece !== undefined || (this.#isOver && this.#failure === undefined)) return piece;
      await this.#wait();
    }
  }

  /** See `Sent.collect`. */
  async collect(
    progress: (bytes: number) => void,
    taken: readonly Uint8Array[] = [],
    acquire: (length: number) => Uint8Array = allocateUninitialised,
  ): Promise<Uint8Array> {
    const arrived = [...taken, ...this.#pieces];
    progress(arrived.reduce((sum, { length }) => sum + length, 0));
    this.#pieces = [];
    this.#waitingBytes = 0;
    const length = Number(this.header('content-length') ?? Number.NaN);
    if (length <= MAX_PREPARED_BYTES) this.#whole = { bytes: acquire(length), filled: 0 };
    this.#progress = progress;
    for (const piece of arrived) this.#keep(piece);
    while (!this.#isOver || this.#failure !== undefined) await this.#wait();
    const whole = this.#whole;
    return whole === undefined
      ? new Uint8Array(Buffer.concat(this.#pieces))
      : whole.bytes.subarray(0, whole.filled);
  }

  /** Ends the reply; closes the connection unless the body is complete. */
  discard(): void {
    if (this.#isOver) return;
    this.#release();
    this.#close();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) this.#close();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    received: IncomingHttpHeaders,
  ): void {
    // An informational response precedes the actual one. Each restarts the time limit.
    if (status < 200) {
      if (++this.#informational > MAX_INFORMATIONAL)
        this.#fail(
          new TransientFailure(`the server sent more than ${MAX_INFORMATIONAL} informational responses`),
        );
      return;
    }
    if (single.some((name) => isAmbiguous(received[name]))) {
      this.#fail(new TransientFailure('the response has different values of a header that must be unique'));
      return;
    }
    this.status = status;
    this.#headers = received;
    this.#wake();
  }

  onResponseData(controller: Dispatcher.DispatchController, bytes: Buffer): void {
    if (this.#isOver) return;
    try {
      this.#progress?.(bytes.length);
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#keep(bytes);
    if (this.#progress !== undefined) return;
    this.#wake();
    if (this.#waitingBytes > MAX_WAITING_BYTES) controller.pause();
  }

  onResponseEnd(): void {
    if (this.#isOver) return;
    this.#release();
    this.#wake();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#isOver) return;
    this.#fail(this.#failureOf(error));
  }

  #keep(piece: Uint8Array): void {
    const whole = this.#whole;
    if (whole === undefined) {
      this.#pieces.push(piece);
      this.#waitingBytes += piece.length;
    } else {
      whole.bytes.set(piece, whole.filled);
      whole.filled += piece.length;
    }
  }

  #failureOf(error: Error): unknown {
    const code = 'code' in error ? error.code : undefined;
    const { firstByteMs, stallMs } = this.#timeouts;
    if (code === 'UND_ERR_HEADERS_TIMEOUT')
      return new TransientFailure(`the server did not respond within ${firstByteMs} ms`);
    if (code === 'UND_ERR_BODY_TIMEOUT')
      return new TransientFailure(`the server sent no further data within ${stallMs} ms`);
    if (error.name === 'HTTPParserError')
      return new TransientFailure(`the server sent a response that is not valid HTTP (${String(code)})`);
    try {
      return brokenConnection(error);
    } catch (broken) {
      return broken;
    }
  }

  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.#release();
    this.#failure = { error };
    this.#close();
    this.#waiter?.reject(error);
    this.#waiter = undefined;
  }

  #close(): void {
    this.#controller?.abort(new AbortedError('the response was discarded'));
  }

  #release(): void {
    this.#isOver = true;
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }

  #wake(): void {
    this.#waiter?.resolve();
    this.#waiter = undefined;
  }

  async #wait(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure.error;
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject };
      if (this.#controller?.paused === true) this.#controller.resume();
    });
  }
}

/** Whether a header has several values that differ. */
function isAmbiguous(value: string | string[] | undefined): boolean {
  return Array.isArray(value) && value.some((other) => other !== value[0]);
}
