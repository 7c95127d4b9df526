/** A read-only store of objects on a web server. */
import { createGuardedFetch } from '#guarded-fetch';
import { addressOf, parseBaseUrl } from './http/address.js';
import { createFetchExchange } from './http/fetch-exchange.js';
import { createGetMany, type NetworkPolicy } from './http/object-reader.js';
import { readObject } from './http/read-object.js';
import { DEFAULT_DEADLINE_MS } from './deadline.js';
import { defineStore } from './define-store.js';
import { createRequestPermits } from './request-permits.js';
import type { KeyStore } from './store.js';

export interface HttpStoreOptions {
  /** Configured name of the store, which users may see. */
  readonly label: string;
  /** URL of the folder, http: or https:. Its query is sent with every request. */
  readonly url: string;
  /**
   * Headers that are sent with every request to this server, and to no other (for example `authorization`).
   */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Whether 403 means that the object does not exist, as S3 responds to callers that may not list.
   * @default false
   */
  readonly forbiddenMeansAbsent?: boolean;
  /** Maximum number of concurrent requests. @default 32 */
  readonly concurrency?: number;
  /** See `StoreFacts.maxVersionChecks`. @default 256 */
  readonly maxVersionChecks?: number;
  /**
   * Time limit of one request including retries, in milliseconds; each MiB received adds a second.
   * @default 15000
   */
  readonly deadlineMs?: number;
  /**
   * Time from sending a request to the head of its response, in milliseconds.
   * @default a third of `deadlineMs`
   */
  readonly firstByteMs?: number;
  /** Maximum time between two pieces of a body, in milliseconds. @default a third of `deadlineMs` */
  readonly stallMs?: number;
  /** Maximum number of redirects per request; 0 for none. @default 5 */
  readonly maxRedirects?: number;
  /** Maximum number of attempts of one request, if the server is busy or the connection fails. @default 4 */
  readonly attempts?: number;
  /**
   * Longest delay before the first retry, in milliseconds; doubles with each retry, up to 10 s.
   * @default 100
   */
  readonly retryBaseMs?: number;
  /** Called for each failed attempt that is retried. */
  readonly onRetry?: NetworkPolicy['onRetry'];
  /**
   * Sends the requests. The function must not follow redirects, and is responsible for the addresses that it
   * connects to, because the store then checks only the names in redirects.
   * @default on Node, a fetch that checks every address it connects to; otherwise the global fetch
   */
  readonly fetch?: typeof fetch;
}

const defaults = {
  concurrency: 32,
  maxVersionChecks: 256,
  deadlineMs: DEFAULT_DEADLINE_MS,
  maxRedirects: 5,
  attempts: 4,
  retryBaseMs: 100,
  retryMaxMs: 10_000,
};

/**
 * Creates a read-only store below an HTTP URL. Web servers cannot list, so listing nodes requires
 * consolidated metadata. 404 and 410 mean absent, 401 and (unless `forbiddenMeansAbsent`) 403 mean denied;
 * transient failures are retried.
 * Every response is verified against the request, which detects servers that ignore ranges or truncate
 * bodies.
 * @throws InputError for an invalid URL
 */
export function createHttpStore(options: HttpStoreOptions): KeyStore {
  const { label, fetch: customFetch } = options;
  const settings = { ...defaults, ...options };
  const { deadlineMs, concurrency } = settings;
  const third = Math.ceil(deadlineMs / 3);
  const { firstByteMs = third, stallMs = third } = options;
  const base = parseBaseUrl(options.url);
  const exchange = createFetchExchange({
    fetch: customFetch === undefined ? createGuardedFetch() : (address, init) => customFetch(address, init),
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
    permits: createRequestPermits(Math.max(1, concurrency)),
    width: concurrency,
  });

  return defineStore({
    ...{ kind: 'HTTP', label, getMany, maxVersionChecks: settings.maxVersionChecks },
    readOnlyReason: 'HTTP stores do not support writes',
    unlistableReason:
      'HTTP stores do not support listing; without consolidated metadata, request a node by its path',
  });
}
