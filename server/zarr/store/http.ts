/** Objects behind a web server, read-only. */
import { isZarrError, ReadOnlyError, StoreUnavailableError, UnsupportedError } from '../errors.js';
import { assertRequest } from './conditions.js';
import { addressOf, parseBaseUrl } from './http/address.js';
import { TransientFailure } from './http/exchange.js';
import type { Exchange } from './http/exchange.js';
import { readObject } from './http/read-object.js';
import { assertPrefix } from './keys.js';
import { runWithRetry } from './retry.js';
import type { RetryHint } from './retry.js';
import { runRequests } from './run-requests.js';
import { createSemaphore } from './semaphore.js';
import type { KeyStore, ReadAnswer, ReadOptions, ReadRequest } from './store.js';
import { createVersionMemory } from './version-memory.js';

export interface HttpStoreOptions {
  /** The configured name, safe to show. */
  readonly label: string;
  /** The folder's address, http: or https:. A query is sent with every request. */
  readonly url: string;
  /** Sent with every request to this server, and to no other (authorization, say). */
  readonly headers?: Readonly<Record<string, string>>;
  /** How long a version that the server told is trusted without asking again, in milliseconds. @default 10000 */
  readonly maxAgeMs?: number;
  /** Whether 403 means that there is no such object, as S3 says to those who may not list. @default false */
  readonly forbiddenMeansAbsent?: boolean;
  /** Requests under way at a time. @default 32 */
  readonly concurrency?: number;
  /** Time from sending a request to the head of its answer, in milliseconds. @default 30000 */
  readonly firstByteMs?: number;
  /** Time between two pieces of a body, in milliseconds. @default 30000 */
  readonly stallMs?: number;
  /** Tries of one request in all, where the server is busy or the connection fails. @default 4 */
  readonly attempts?: number;
  /** The wait after the first failed try, in milliseconds; it doubles with each. @default 100 */
  readonly retryBaseMs?: number;
  /** @default the global fetch */
  readonly fetch?: typeof fetch;
}

const defaults = {
  maxAgeMs: 10_000,
  concurrency: 32,
  firstByteMs: 30_000,
  stallMs: 30_000,
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
  const { label } = options;
  const settings = { ...defaults, ...options };
  const base = parseBaseUrl(options.url);
  const exchange: Exchange = {
    fetch: options.fetch ?? fetch,
    headers: options.headers ?? {},
    timeouts: { firstByteMs: settings.firstByteMs, stallMs: settings.stallMs },
  };
  const policy = {
    attempts: settings.attempts,
    baseMs: settings.retryBaseMs,
    maxMs: defaults.retryMaxMs,
  };
  const places = createSemaphore(Math.max(1, settings.concurrency));
  const versions = createVersionMemory(settings.maxAgeMs);

  async function readOne(
    request: ReadRequest,
    maxBytes: number | undefined,
    signal: AbortSignal | undefined,
  ): Promise<ReadAnswer> {
    const { key, ifNoneMatch } = request;
    if (ifNoneMatch !== undefined && versions.isTrusted(key, ifNoneMatch)) return 'unchanged';
    const reading = {
      exchange,
      maxBytes,
      forbiddenMeansAbsent: options.forbiddenMeansAbsent === true,
    };
    try {
      const address = addressOf(base, key);
      const attempt = (): Promise<ReadAnswer> => readObject(address, request, reading, signal);
      const answer = await runWithRetry(policy, attempt, hintOf, signal);
      const version = answer === 'unchanged' ? ifNoneMatch : answer?.version;
      if (version === undefined) versions.forget(key);
      else versions.remember(key, version);
      return answer;
    } catch (error) {
      if (isZarrError(error, 'CONFLICT')) versions.forget(key);
      if (!(error instanceof TransientFailure)) throw error;
      throw new StoreUnavailableError(`${error.message}, ${policy.attempts} times`, { cause: error });
    }
  }

  function refuseWrite(): never {
    throw new ReadOnlyError('a store behind a web server is read-only', { where: { store: label } });
  }

  function refuseList(prefix: string): never {
    assertPrefix(prefix);
    throw new UnsupportedError(
      'a web server cannot list; without consolidated metadata give the path of a node',
      {
        where: { store: label },
      },
    );
  }

  return {
    kind: 'HTTP',
    label,
    can: { range: true, suffix: true, list: false, write: false, conditionalWrite: false },
    describe: (key) => key,

    async getMany(requests: readonly ReadRequest[], each, readOptions?: ReadOptions) {
      for (const request of requests) assertRequest(request);
      await runRequests(requests, each, {
        places,
        width: settings.concurrency,
        signal: readOptions?.signal,
        readOne: (request, stop) => readOne(request, readOptions?.maxBytes, stop),
        placeOf: (request) => ({ store: label, key: request.key }),
      });
    },

    list: async (prefix) => refuseList(prefix),
    walk: (prefix) => refuseList(prefix),
    set: async () => refuseWrite(),
    delete: async () => refuseWrite(),
    deletePrefix: async () => refuseWrite(),
    async close() {},
  };
}

function hintOf(error: unknown): RetryHint {
  return error instanceof TransientFailure
    ? { isWorthwhile: true, afterMs: error.afterMs }
    : { isWorthwhile: false };
}
