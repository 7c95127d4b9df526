/** One request and its response, as seen by the caller that waits for it. */
import { AbortedError } from '../../errors.js';
import { brokenConnection } from '../http/deadline.js';
import { TransientFailure, type Timeouts } from '../http/exchange.js';
import { Body } from './body.js';
import type { ResponseHead } from './response-head.js';

export interface ReplyOptions {
  readonly method: 'GET' | 'HEAD';
  /** The head of the request, with its empty line. */
  readonly text: string;
  readonly timeouts: Timeouts;
  readonly signal: AbortSignal | undefined;
}

/** Stops or resumes receiving on the connection that carries a reply. */
export interface Carrier {
  destroy(): void;
  resume(): void;
}

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export class Reply {
  readonly method: ReplyOptions['method'];
  readonly text: string;
  carrier: Carrier | undefined;
  readonly #timeouts: Timeouts;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort = (): void =>
    this.fail(new AbortedError('the request was cancelled', { cause: this.#signal?.reason }));
  #timer: NodeJS.Timeout | undefined;
  #head: ResponseHead | undefined;
  #body: Body | undefined;
  #progress: ((bytes: number) => void) | undefined;
  #waiter: Waiter | undefined;
  #failure: { readonly error: unknown } | undefined;
  #isOver = false;

  constructor({ method, text, timeouts, signal }: ReplyOptions) {
    this.method = method;
    this.text = text;
    this.#timeouts = timeouts;
    this.#signal = signal;
    signal?.addEventListener('abort', this.#onAbort, { once: true });
    this.#timer = this.#timeout('the server did not respond', timeouts.firstByteMs);
    if (signal?.aborted === true) this.#onAbort();
  }

  /** Whether the response is complete or has failed. */
  get isOver(): boolean {
    return this.#isOver;
  }

  get status(): number {
    return this.#head?.status ?? 0;
  }

  header(name: string): string | undefined {
    return this.#head?.headers.get(name);
  }

  /** Waits for the head. @throws TransientFailure for network errors and timeouts; AbortedError */
  async started(): Promise<this> {
    if (this.#head === undefined) await this.#wait();
    return this;
  }

  /** The next piece of the body; undefined at its end. @throws like `started` */
  async nextPiece(): Promise<Uint8Array | undefined> {
    for (;;) {
      const piece = this.#body?.next();
      if (piece !== undefined || this.#body?.isComplete === true) return piece;
      this.carrier?.resume();
      await this.#wait();
    }
  }

  /**
   * The whole body, with the pieces that `nextPiece` has returned.
   * @param progress receives the number of bytes that have arrived since the last call; if it throws, the body is given up
   */
  async collect(progress: (bytes: number) => void, taken: readonly Uint8Array[] = []): Promise<Uint8Array> {
    const body = this.#body;
    if (body === undefined) throw new TypeError('the head has not arrived');
    progress(body.arrived);
    this.#progress = progress;
    const pieces = [...taken];
    for (;;) {
      for (let piece = body.next(); piece !== undefined; piece = body.next()) pieces.push(piece);
      if (body.isComplete) return body.whole(pieces);
      this.carrier?.resume();
      await this.#wait();
    }
  }

  /** Ends the reply; closes the connection unless the body is complete. */
  discard(): void {
    if (this.#isOver) return;
    this.#release();
    this.carrier?.destroy();
  }

  /** The head has arrived. @returns the body to receive */
  start(head: ResponseHead): Body {
    this.#head = head;
    this.#body = new Body(head.framing);
    clearTimeout(this.#timer);
    this.#timer = this.#timeout('the server stopped sending', this.#timeouts.stallMs);
    if (!this.#body.isComplete) this.#wake();
    return this.#body;
  }

  /** Bytes of the body have arrived. */
  moved(bytes: number): void {
    if (this.#isOver) return;
    this.#timer?.refresh();
    try {
      this.#progress?.(bytes);
    } catch (error) {
      return this.fail(error);
    }
    // A caller that collects a prepared body needs to know only its end.
    if (this.#progress === undefined || this.#body?.isPrepared !== true) this.#wake();
  }

  /** The reader is slower than the server. */
  paused(): void {
    clearTimeout(this.#timer);
  }

  /** Receiving continues. */
  resumed(): void {
    this.#timer = this.#timeout('the server stopped sending', this.#timeouts.stallMs);
  }

  /** The body is complete. */
  finish(): void {
    if (this.#isOver) return;
    this.#release();
    this.#wake();
  }

  /** The connection failed. */
  break(cause: unknown): void {
    try {
      brokenConnection(cause);
    } catch (error) {
      this.fail(error);
    }
  }

  fail(error: unknown): void {
    if (this.#isOver) return;
    this.#release();
    this.#failure = { error };
    this.carrier?.destroy();
    this.#waiter?.reject(error);
    this.#waiter = undefined;
  }

  #release(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }

  #timeout(what: string, ms: number): NodeJS.Timeout {
    return setTimeout(() => this.fail(new TransientFailure(`${what} within ${ms} ms`)), ms);
  }

  #wake(): void {
    this.#waiter?.resolve();
    this.#waiter = undefined;
  }

  async #wait(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure.error;
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject };
    });
  }
}
