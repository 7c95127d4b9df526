/** Objects behind a web server, read-only. */
import { createGuardedFetch } from '#guarded-fetch';
import { addressOf, parseBaseUrl } from './http/address.js';
import { createFetchExchange } from './http/fetch-exchange.js';
import { createGetMany } from './http/object-reader.js';
import type { NetworkPolicy } from './http/object-reader.js';
import { readObject } from './http/read-object.js';
import { defaultDeadlineMs } from './deadline.js';
import { defineStore } from './define-store.js';
import { createPlaces } from './places.js';
import type { KeyStore } from './store.js';

export interface HttpStoreOptions {
  /** The configured name, safe to show. */
  readonly label: string;
  /** The folder's address, http: or https:. A query is sent with every request. */
  readonly url: string;
  /** Sent with every request to this server, and to no other (authorization, say). */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether 403 means that there is no such object, as S3 says to those who may not list. @default false */
  readonly forbiddenMeansAbsent?: boolean;
  /** Requests under way at a time. @default 32 */
  readonly concurrency?: number;
  /** Time of one request over all its tries, in milliseconds; each MiB that arrives adds a second. @default 15000 */
  readonly deadlineMs?: number;
  /** Time from sending a request to the head of its answer, in milliseconds. @default a third of `deadlineMs` */
  readonly firstByteMs?: number;
  /** Time between two pieces of a body, in milliseconds. @default a third of `deadlineMs` */
  readonly stallMs?: number;
  /** Redirects that are followed for one request; 0 for none. @default 5 */
  readonly maxRedirects?: number;
  /** Tries of one request in all, where the server is busy or the connection fails. @default 4 */
  readonly attempts?: number;
  /** The wait after the first failed try, in milliseconds; it doubles with each. @default 100 */
  readonly retryBaseMs?: number;
  /** Called for each try that failed and is followed by another one. */
  readonly onRetry?: NetworkPolicy['onRetry'];
  /**
   * Sends the requests. It must not follow redirects itself, and it is responsible for the addresses that it connects to:
   * the check that redirects stay out of private networks then sees names only.
   * @default on Node a fetch that checks every address that it connects to, else the global fetch
   */
  readonly fetch?: typeof fetch;
}

const defaults = {
  concurrency: 32,
  deadlineMs: defaultDeadlineMs,
  maxRedirects: 5,
  attempts: 4,
  retryBaseMs: 100,
  retryMaxMs: 10_000,
};

/**
 * A read-only store below an HTTP address. Web servers cannot list: what an archive holds must be known from its
 * consolidated metadata. 404 and 410 are absence, 401 and 403 are refusals; what is busy or breaks off is tried again.
 * Every answer is held against what was asked: a server that ignores ranges or cuts bodies short is found out.
 * @throws InputError for an address that is none
 */
export function createHttpStore(options: HttpStoreOptions): KeyStore {
  const { label, fetch: own } = options;
  const settings = { ...defaults, ...options };
  const { deadlineMs, concurrency } = settings;
  const { firstByteMs = deadlineMs / 3, stallMs = deadlineMs / 3 } = options;
  const base = parseBaseUrl(options.url);
  const exchange = createFetchExchange({
    fetch: own === undefined ? createGuardedFetch() : (address, init) => own(address, init),
    headers: options.headers ?? {},
    timeouts: { firstByteMs, stallMs },
    maxRedirects: settings.maxRedirects,
  });
  const forbiddenMeansAbsent = options.forbiddenMeansAbsent === true;
  const getMany = createGetMany({
    label,
    readOnce: (request, { maxBytes, progress, signal }) =>
      readObject(
        addressOf(base, request.key),
        request,
        { exchange, maxBytes, forbiddenMeansAbsent, progress },
        signal,
      ),
    policy: {
      attempts: settings.attempts,
      baseMs: settings.retryBaseMs,
      maxMs: defaults.retryMaxMs,
      deadlineMs,
      onRetry: options.onRetry,
    },
    places: createPlaces(Math.max(1, concurrency)),
    width: concurrency,
  });

  return defineStore({
    ...{ kind: 'HTTP', label, getMany },
    readOnlyReason: 'web servers accept no writes',
    unlistableReason: 'a web server cannot list; without consolidated metadata give the path of a node',
  });
}
