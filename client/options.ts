import { InputError } from './errors.js';

/** The part of `fetch` that is used, so that any implementation fits. */
export type FetchLike = (
  url: string,
  init: {
    method: 'POST';
    headers: Record<string, string>;
    body: string;
    signal: AbortSignal;
  },
) => Promise<FetchResponse>;

export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

export type HeaderSource =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

export interface ClientOptions {
  /** The gateway's GraphQL address, for example `http://127.0.0.1:4000/graphql`; in browsers also `/graphql`. */
  readonly url: string | URL;
  /** What sends requests. @default the global fetch */
  readonly fetch?: FetchLike | undefined;
  /** Added to each request; a function is called for each attempt (tokens that expire). @default none */
  readonly headers?: HeaderSource | undefined;
  /** How long a call may take, retries included, in ms; 0 is without end. @default 60000 */
  readonly timeoutMs?: number | undefined;
  /**
   * How often a read is sent again after a network failure or the statuses 429, 502, 503, 504. Mutations are never
   * sent twice. @default 2
   */
  readonly retries?: number | undefined;
  /** Wait before the first retry, in ms; doubled each time, with jitter. `Retry-After` goes first. @default 200 */
  readonly retryDelayMs?: number | undefined;
  /** No wait is longer, in ms; if the server asks for more, the call fails at once. @default 10000 */
  readonly maxRetryDelayMs?: number | undefined;
  /**
   * Slices that are asked for at the same time (before control returns to the event loop) travel as one request of at
   * most so many; 1 sends each on its own. @default 20
   */
  readonly maxBatch?: number | undefined;
}

/** The same, complete and checked. */
export interface ResolvedOptions {
  readonly url: string;
  readonly fetch: FetchLike;
  readonly headers: HeaderSource;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly retryDelayMs: number;
  readonly maxRetryDelayMs: number;
  readonly maxBatch: number;
}

/** @throws InputError for an option that is none, before anything is sent */
export function resolveOptions(options: ClientOptions): ResolvedOptions {
  const url = String(options.url);
  if (options.url === undefined || url === '')
    throw new InputError(
      'BAD_INPUT',
      'url is empty; expected the address of a gateway, such as http://127.0.0.1:4000/graphql',
    );
  return {
    url,
    fetch: options.fetch ?? globalFetch(),
    headers: options.headers ?? {},
    timeoutMs: count('timeoutMs', options.timeoutMs ?? 60_000, 0),
    retries: count('retries', options.retries ?? 2, 0, 20),
    retryDelayMs: count('retryDelayMs', options.retryDelayMs ?? 200, 0),
    maxRetryDelayMs: count('maxRetryDelayMs', options.maxRetryDelayMs ?? 10_000, 0),
    maxBatch: count('maxBatch', options.maxBatch ?? 20, 1, 1000),
  };
}

/** Timers count in 32 bits: a longer one would fire at once. */
const maxTimerMs = 2 ** 31 - 1;

/** @throws InputError unless it is a whole number within the bounds */
export function count(name: string, value: number, min: number, max: number = maxTimerMs): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new InputError(
    'BAD_INPUT',
    `${name} is ${String(value)}; expected a whole number from ${min} to ${max}`,
  );
}

/** Called late and unbound, so that a replaced global counts (tests, instrumentation). */
function globalFetch(): FetchLike {
  if (typeof globalThis.fetch !== 'function')
    throw new InputError('BAD_INPUT', 'there is no global fetch here; give one in the option fetch');
  return (url, init) => globalThis.fetch(url, init);
}
