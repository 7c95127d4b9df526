/**
 * GET and HEAD over persistent connections. Each request has one timer and no separate signal, because every object and
 * promise matters in reads of many small parts.
 */
import * as http from 'node:http';
import * as https from 'node:https';
import { allocateUninitialised } from '#platform';
import { AbortedError } from '../../errors.js';
import { brokenConnection } from '../http/deadline.js';
import { TransientFailure, type Sent, type Timeouts } from '../http/exchange.js';

export interface TransportRequest {
  readonly method: 'GET' | 'HEAD';
  readonly address: URL;
  /** With `host`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeouts: Timeouts;
  readonly signal: AbortSignal | undefined;
}

export interface TransportResponse {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  /**
   * The next piece of the body; undefined at its end.
   * @throws TransientFailure for network errors and timeouts; AbortedError
   */
  nextPiece(): Promise<Uint8Array | undefined>;
  /** See `Sent.collect`. */
  collect: NonNullable<Sent['collect']>;
  /** Releases the connection; closes it unless the body has been read or is empty. */
  discard(): void;
}

export interface Transport {
  /** @throws TransientFailure for network errors and timeouts; AbortedError */
  send(request: TransportRequest): Promise<TransportResponse>;
  close(): void;
}

/** @param maxSockets maximum open connections */
export function createTransport(maxSockets: number): Transport {
  const options = { keepAlive: true, maxSockets };
  const [plain, secure] = [new http.Agent(options), new https.Agent(options)];
  return {
    send({ method, address, headers, timeouts, signal }) {
      return new Promise((resolve, reject) => {
        const isSecure = address.protocol === 'https:';
        const { hostname, port, pathname: path } = address;
        // Node expects an IPv6 address without brackets.
        const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
        const target = { method, host, path, headers, ...(port === '' ? {} : { port }) };
        const request = isSecure
          ? https.request({ ...target, agent: secure })
          : http.request({ ...target, agent: plain });
        const watch = new RequestWatch(request, signal, reject);
        request.on('error', (error: Error) => watch.fail(error));
        request.on('response', (response) => resolve(responseOf(response, watch, timeouts.stallMs, method)));
        watch.start(timeouts.firstByteMs, 'the server did not respond');
        request.end();
      });
    },
    close() {
      plain.destroy();
      secure.destroy();
    },
  };
}

/** Ends a request that timed out or whose caller has aborted. */
class RequestWatch {
  readonly #request: http.ClientRequest;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort: () => void;
  #reject: ((error: unknown) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(
    request: http.ClientRequest,
    signal: AbortSignal | undefined,
    reject: (error: unknown) => void,
  ) {
    this.#request = request;
    this.#signal = signal;
    this.#reject = reject;
    this.#onAbort = () => this.end(new AbortedError('the request was cancelled', { cause: signal?.reason }));
    signal?.addEventListener('abort', this.#onAbort, { once: true });
    if (signal?.aborted === true) this.#onAbort();
  }

  /** Starts to wait. @param what describes the failure after a timeout */
  start(ms: number, what: string): void {
    clearTimeout(this.#timer);
    if (this.#failure !== undefined) return;
    this.#timer = setTimeout(() => this.end(new TransientFailure(`${what} within ${ms} ms`)), ms);
  }

  /** Restarts the timer. */
  moved(): void {
    this.#timer?.refresh();
  }

  /** The new waiter. */
  waits(reject: (error: unknown) => void): void {
    this.#reject = reject;
    if (this.#failure !== undefined) reject(this.#failure.error);
  }

  /** The connection failed. */
  fail(cause: unknown): void {
    if (this.#failure !== undefined) return;
    try {
      brokenConnection(cause);
    } catch (error) {
      this.end(error);
    }
  }

  end(error: unknown): void {
    this.release();
    this.#failure ??= { error };
    this.#request.destroy();
    this.#reject?.(this.#failure.error);
  }

  /** Ends the wait. */
  rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#reject = undefined;
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }

  destroy(): void {
    this.release();
    this.#request.destroy();
  }
}

/** Longer bodies are collected piece by piece: their memory grows with received, not with declared bytes. */
const MAX_PREPARED_BYTES = 32 * 2 ** 20;

function responseOf(
  response: http.IncomingMessage,
  watch: RequestWatch,
  stallMs: number,
  method: string,
): TransportResponse {
  const stalled = 'the server stopped sending';
  const { statusCode: status = 0, headers } = response;
  let isRead = false;
  watch.rest();
  // The error of a broken connection; without a listener, it would end the process.
  response.on('error', (error: Error) => watch.fail(error));
  response.once('end', () => {
    isRead = true;
    watch.release();
  });
  /** Waits with the time limit of the body. */
  function waiting<T>(
    start: (resolve: (value: T) => void, reject: (error: unknown) => void) => void,
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      watch.waits(reject);
      watch.start(stallMs, stalled);
      start((value) => {
        watch.rest();
        resolve(value);
      }, reject);
    });
  }
  return {
    status,
    headers,
    nextPiece() {
      if (isRead) return Promise.resolve(undefined);
      return waiting((resolve) => {
        const look = (): void => {
          const piece: unknown = response.read();
          if (piece instanceof Uint8Array) {
            response.off('readable', look);
            response.off('end', end);
            resolve(piece);
          }
        };
        const end = (): void => {
          response.off('readable', look);
          resolve(undefined);
        };
        response.on('readable', look);
        response.once('end', end);
        look();
      });
    },
    collect(expected, progress, taken = []) {
      return waiting((resolve) => {
        let bytes: Uint8Array | undefined;
        let length = 0;
        const pieces: Uint8Array[] = [];
        const isPrepared = expected <= MAX_PREPARED_BYTES;
        const take = (piece: Uint8Array): void => {
          progress(piece.length);
          const end = length + piece.length;
          if (isPrepared && end <= expected) (bytes ??= allocateUninitialised(expected)).set(piece, length);
          else pieces.push(piece);
          length = end;
        };
        for (const piece of taken) take(piece);
        response.on('data', (piece: Uint8Array) => {
          watch.moved();
          try {
            take(piece);
          } catch (error) {
            watch.end(error);
          }
        });
        const finish = (): void => {
          const placed = bytes?.subarray(0, Math.min(length, expected)) ?? new Uint8Array(0);
          if (pieces.length === 0) return resolve(length === expected ? (bytes ?? placed) : placed);
          const before = length - pieces.reduce((sum, piece) => sum + piece.length, 0);
          resolve(new Uint8Array(Buffer.concat([placed.subarray(0, before), ...pieces])));
        };
        if (isRead) finish();
        else response.once('end', finish);
      });
    },
    discard() {
      if (isRead) return;
      isRead = true;
      // Without a body, the connection can be reused.
      if (method === 'HEAD' || status === 304 || headers['content-length'] === '0') {
        watch.release();
        response.resume();
      } else watch.destroy();
    },
  };
}
