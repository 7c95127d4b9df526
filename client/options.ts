import { InputError } from './errors.js';
import { isRecord } from './json/json.js';
import { placeOf } from './transport/network-error.js';

/** The part of `fetch` that is used, so that any implementation fits. */
export type FetchLike = (url: string, init: FetchInit) => Promise<FetchResponse>;

export interface FetchInit {
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  /** Of POST. */
  body?: string | Uint8Array<ArrayBuffer>;
  /** Redirects are not to be followed: the client decides where its headers and bodies go. */
  redirect: 'manual';
  signal: AbortSignal;
}

export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** Where there is one, it is read piece by piece, so that an answer that stops coming is noticed. */
  readonly body?: { getReader(): BodyReader } | null | undefined;
  arrayBuffer(): Promise<ArrayBuffer>;
}

export interface BodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<unknown>;
}

/**
 * A gateway in the same process: what `gateway.as(caller)` of the package zarrql gives, or a handler of requests. Values
 * of one that executes come as they are, without being written and read.
 */
export interface GatewayLike {
  execute?(request: {
    readonly document: string;
    readonly variables?: Readonly<Record<string, unknown>> | undefined;
    readonly signal?: AbortSignal | undefined;
  }): Promise<{ readonly data?: unknown; readonly errors?: readonly unknown[] | undefined }>;
  fetch?(request: Request): Response | Promise<Response>;
}

/** By name; those that are undefined are left out. The platform's `Headers` will do as well. */
export type HeaderFields =
  Readonly<Record<string, string | undefined>> | Iterable<readonly [name: string, value: string]>;

export type HeaderSource = HeaderFields | (() => HeaderFields | Promise<HeaderFields>);

/** `url`, or `gateway`, or a `fetch` that knows where to go. */
export interface ClientOptions {
  /** The gateway's GraphQL address, for example `http://127.0.0.1:4000/graphql`; in browsers also `/graphql`. */
  readonly url?: string | URL | undefined;
  /** A gateway in this process, instead of an address. */
  readonly gateway?: GatewayLike | undefined;
  /** What sends requests. @default the global fetch */
  readonly fetch?: FetchLike | undefined;
  /**
   * How values travel: `cbor` are typed arrays as they lie in memory, `json` is base64 in JSON; `auto` is CBOR until the
   * gateway answers in JSON. @default 'auto'
   */
  readonly format?: WireFormat | undefined;
  /**
   * Documents by their hash, reads by GET, so that browsers and proxies can keep answers. `auto` sends the text of what
   * the gateway does not know yet; true never does, for gateways that answer listed documents alone. @default false
   */
  readonly persisted?: boolean | 'auto' | undefined;
  /** Added to each request; a function is called for each attempt (tokens that expire). @default none */
  readonly headers?: HeaderSource | undefined;
  /** How long a call may take, retries included, in ms; 0 is without end. @default 60000 */
  readonly timeoutMs?: number | undefined;
  /**
   * How long nothing may come while an answer is waited for, in ms; then a read is sent again, and anything else is the
   * error STALLED. 0 is without end. @default 20000
   */
  readonly stallMs?: number | undefined;
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
   * most so many; 1 sends each on its own. @default 64
   */
  readonly maxBatch?: number | undefined;
  /**
   * Bytes of one response, and of one event of a subscription, after decompression. What is larger fails with TOO_LARGE
   * before it is held in memory; so does what would take more than eight times as much once it is parsed.
   * @default 134217728 (128 MiB)
   */
  readonly maxResponseBytes?: number | undefined;
}

/** The same, complete and checked. */
export interface ResolvedOptions {
  readonly url: string;
  readonly execute: GatewayLike['execute'];
  readonly fetch: FetchLike;
  readonly format: WireFormat;
  readonly persisted: boolean | 'auto';
  readonly headers: HeaderSource;
  readonly timeoutMs: number;
  readonly stallMs: number;
  readonly retries: number;
  readonly retryDelayMs: number;
  readonly maxRetryDelayMs: number;
  readonly maxBatch: number;
  readonly maxResponseBytes: number;
}

/** @throws InputError for an option that is none, before anything is sent */
export function resolveOptions(options: ClientOptions): ResolvedOptions {
  const { gateway, fetch = fetchOf(gateway) } = options;
  return {
    url: addressOf(options),
    execute: gateway?.execute?.bind(gateway),
    fetch,
    format: formatOf(options.format ?? 'auto'),
    persisted: persistedOf(options.persisted ?? false),
    headers: options.headers ?? {},
    timeoutMs: count('timeoutMs', options.timeoutMs ?? 60_000, 0),
    stallMs: count('stallMs', options.stallMs ?? 20_000, 0),
    retries: count('retries', options.retries ?? 2, 0, 20),
    retryDelayMs: count('retryDelayMs', options.retryDelayMs ?? 200, 0),
    maxRetryDelayMs: count('maxRetryDelayMs', options.maxRetryDelayMs ?? 10_000, 0),
    maxBatch: count('maxBatch', options.maxBatch ?? 64, 1, 1000),
    maxResponseBytes: count(
      'maxResponseBytes',
      options.maxResponseBytes ?? 128 * 2 ** 20,
      1,
      Number.MAX_SAFE_INTEGER,
    ),
  };
}

function addressOf({ url, gateway, fetch }: ClientOptions): string {
  if (url !== undefined && String(url) !== '') {
    if (gateway === undefined && fetch === undefined) assertFetchable(String(url));
    return String(url);
  }
  // Handlers look at the path alone.
  if (url === undefined && (gateway !== undefined || fetch !== undefined)) return 'http://localhost/graphql';
  throw new InputError(
    'BAD_INPUT',
    'url is empty; expected the address of a gateway, such as http://127.0.0.1:4000/graphql',
  );
}

/** Relative ones are for pages, which have an address themselves. `localhost:4000` has the scheme "localhost". */
function assertFetchable(url: string): void {
  const base: unknown = Reflect.get(globalThis, 'location');
  if (isRecord(base) && !/^[\w.-]+:/.test(url)) return;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return;
  throw new InputError(
    'BAD_INPUT',
    `url is ${placeOf(url)}; expected an address that begins with http:// or https://, such as http://127.0.0.1:4000/graphql`,
  );
}

function persistedOf(persisted: unknown): boolean | 'auto' {
  if (typeof persisted === 'boolean' || persisted === 'auto') return persisted;
  throw new InputError('BAD_INPUT', `persisted is ${String(persisted)}; expected true, false or auto`);
}

function formatOf(format: string): WireFormat {
  const known = wireFormats.find((name) => name === format);
  if (known !== undefined) return known;
  throw new InputError('BAD_INPUT', `format is ${format}; expected ${wireFormats.join(', ')}`);
}

const wireFormats = ['auto', 'cbor', 'json'] as const;
export type WireFormat = (typeof wireFormats)[number];

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

/** The gateway's own, or the global one: called late and unbound, so that a replaced global counts. */
function fetchOf(gateway: GatewayLike | undefined): FetchLike {
  const handle = gateway?.fetch?.bind(gateway);
  if (handle !== undefined) return async (url, init) => handle(new Request(url, init));
  if (gateway?.execute !== undefined) return unreachable;
  if (typeof globalThis.fetch !== 'function')
    throw new InputError('BAD_INPUT', 'there is no global fetch here; give one in the option fetch');
  return (url, init) => globalThis.fetch(url, init);
}

const unreachable: FetchLike = () =>
  Promise.reject(new InputError('BAD_INPUT', 'the gateway in this process has no fetch, which this needs'));
