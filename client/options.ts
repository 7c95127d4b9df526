import { InputError, shownUrl } from './errors.js';
import { isRecord } from './json/json.js';

/** The part of `fetch` that the client uses, so that any implementation is compatible. */
export type FetchLike = (url: string, init: FetchInit) => Promise<FetchResponse>;

export interface FetchInit {
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  /** Body of a POST request. */
  body?: string | Uint8Array<ArrayBuffer>;
  /**
   * `manual`: the client follows redirects itself, so that headers and bodies stay within the gateway's
   * origin.
   */
  redirect: 'manual';
  signal: AbortSignal;
}

export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** If present, the body is read in chunks, so that stalled responses are detected. */
  readonly body?: { getReader(): BodyReader } | null | undefined;
  arrayBuffer(): Promise<ArrayBuffer>;
}

export interface BodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<unknown>;
}

/**
 * A gateway in the same process: the result of `gateway.as(caller)` of the package zarrql, or a request handler. With
 * `execute`, values are passed without serialisation.
 */
export interface GatewayLike {
  execute?(request: {
    readonly document: string;
    readonly variables?: Readonly<Record<string, unknown>> | undefined;
    readonly signal?: AbortSignal | undefined;
  }): Promise<{ readonly data?: unknown; readonly errors?: readonly unknown[] | undefined }>;
  fetch?(request: Request): Response | Promise<Response>;
  /** The generated schema of a store, for `client.store(name).request`. */
  forStore?(name: string): Pick<GatewayLike, 'execute' | 'fetch'>;
}

/** Headers by name, or the platform's `Headers`. Undefined values are omitted. */
export type HeaderFields =
  Readonly<Record<string, string | undefined>> | Iterable<readonly [name: string, value: string]>;

export type HeaderSource = HeaderFields | (() => HeaderFields | Promise<HeaderFields>);

/** Where a client sends its requests: at least one is required. A `fetch` without the others has a fixed destination. */
export type ClientTarget =
  | { readonly url: string | URL | undefined }
  | { readonly gateway: GatewayLike | undefined }
  | { readonly fetch: FetchLike | undefined };

export type ClientOptions = ClientSettings & ClientTarget;

/** All options of a client. */
export interface ClientSettings {
  /** URL of the gateway, for example `http://127.0.0.1:4000/graphql`; in browsers also `/graphql`. */
  readonly url?: string | URL | undefined;
  /** A gateway in this process, instead of `url`. */
  readonly gateway?: GatewayLike | undefined;
  /** Sends the requests. @default the global fetch */
  readonly fetch?: FetchLike | undefined;
  /**
   * Transport of values: `cbor` sends typed arrays without conversion, `json` sends base64; `auto` uses CBOR until the
   * gateway responds in JSON.
   * @default 'auto'
   */
  readonly format?: WireFormat | undefined;
  /**
   * Sends the hash of a document instead of its text, and reads by GET if the URL is short enough, so that browsers and
   * proxies can cache responses. `auto` sends the text of mutations, and of reads if the gateway does not know the
   * hash; `true` never sends it, for gateways that accept listed documents only. Subscriptions are always sent as text.
   * @default false
   */
  readonly persisted?: boolean | 'auto' | undefined;
  /** Headers of each request. A function is called for each attempt, for tokens that expire. @default none */
  readonly headers?: HeaderSource | undefined;
  /** Time limit of a call including retries, in ms; 0 for no limit. @default 60000 */
  readonly timeoutMs?: number | undefined;
  /**
   * Maximum time without data while waiting for a response, in ms; 0 for no limit. Then a read is retried,
   * and any other request fails with STALLED. Subscriptions use at least 30 s.
   * @default 20000
   */
  readonly stallMs?: number | undefined;
  /**
   * Number of retries of a read after a network failure, a stall or the statuses 429, 502, 503, 504. Mutations are
   * never repeated.
   * @default 2
   */
  readonly retries?: number | undefined;
  /**
   * Wait before the first retry, in ms; doubles with each retry, with jitter. `Retry-After` takes
   * precedence.
   * @default 200
   */
  readonly retryDelayMs?: number | undefined;
  /** Maximum wait in ms. If the server requests more, the call fails immediately. @default 10000 */
  readonly maxRetryDelayMs?: number | undefined;
  /**
   * Maximum slices per request. Slices requested at the same time, for example for `Promise.all`, are sent together.
   * 1 sends each slice separately.
   * @default 64
   */
  readonly maxBatch?: number | undefined;
  /**
   * Size limit of a response and of an event of a subscription, in bytes after decompression. Larger responses fail
   * with TOO_LARGE before they are in memory, as do responses that would take more than eight times this size after
   * parsing.
   * @default 134217728 (128 MiB)
   */
  readonly maxResponseBytes?: number | undefined;
}

/** Validated options with defaults applied. */
export interface ResolvedOptions {
  readonly url: string;
  readonly execute: GatewayLike['execute'];
  readonly forStore: GatewayLike['forStore'];
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

/** @throws InputError for an invalid option */
export function resolveOptions(options: ClientSettings): ResolvedOptions {
  const { gateway, fetch = fetchOf(gateway) } = options;
  return {
    url: addressOf(options),
    execute: gateway?.execute?.bind(gateway),
    forStore: gateway?.forStore?.bind(gateway),
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

function addressOf({ url, gateway, fetch }: ClientSettings): string {
  if (url !== undefined && String(url) !== '') {
    if (gateway === undefined && fetch === undefined) assertFetchable(String(url));
    return String(url);
  }
  // The origin is arbitrary, because request handlers use only the path.
  if (url === undefined && (gateway !== undefined || fetch !== undefined)) return 'http://localhost/graphql';
  throw new InputError(
    'BAD_INPUT',
    `url is ${url === undefined ? 'missing' : 'empty'}; expected the URL of a gateway, such as http://127.0.0.1:4000/graphql`,
  );
}

/** The options for the endpoint of a store's generated schema. @throws InputError if the gateway in the process has none */
export function optionsForStore(options: ResolvedOptions, name: string): ResolvedOptions {
  const { url, execute, forStore } = options;
  // URLs without such a segment would be those of another endpoint.
  if (name.split('/').some((part) => ['', '.', '..'].includes(part)))
    throw new InputError(
      'BAD_INPUT',
      `a store cannot be named ${JSON.stringify(name)}; pass its name in the gateway`,
    );
  const [, path = '', query = ''] = /^([^?#]*)(.*)$/s.exec(url) ?? [];
  const at = {
    ...options,
    url: `${path.replace(/\/$/, '')}/${name.split('/').map(encodeURIComponent).join('/')}${query}`,
  };
  if (execute === undefined) return at;
  const own = forStore?.(name);
  if (own?.execute === undefined)
    throw new InputError(
      'BAD_INPUT',
      'the gateway in this process has no method forStore; pass gateway.as(caller)',
    );
  return { ...at, execute: own.execute.bind(own), fetch: fetchOf(own) };
}

/** Rejects relative URLs outside pages, and URLs without http or https: `localhost:4000` has the scheme "localhost". */
function assertFetchable(url: string): void {
  const base: unknown = Reflect.get(globalThis, 'location');
  if (isRecord(base) && !/^[\w.-]+:/.test(url)) return;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return;
  throw new InputError(
    'BAD_INPUT',
    `url is ${shownUrl(url)}; expected a URL that begins with http:// or https://, such as http://127.0.0.1:4000/graphql`,
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

/** Maximum delay of a timer; a longer one would fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** @throws InputError unless the value is an integer within the bounds */
export function count(name: string, value: number, min: number, max: number = MAX_TIMER_MS): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new InputError('BAD_INPUT', `${name} is ${String(value)}; expected an integer from ${min} to ${max}`);
}

/**
 * The `fetch` of the gateway, or the global one, which is looked up per call so that a replacement takes
 * effect.
 */
function fetchOf(gateway: GatewayLike | undefined): FetchLike {
  const handle = gateway?.fetch?.bind(gateway);
  if (handle !== undefined) return async (url, init) => handle(new Request(url, init));
  if (gateway?.execute !== undefined) return unreachable;
  if (typeof globalThis.fetch !== 'function')
    throw new InputError('BAD_INPUT', 'no global fetch; pass the option fetch');
  return (url, init) => globalThis.fetch(url, init);
}

const unreachable: FetchLike = () =>
  Promise.reject(
    new InputError(
      'BAD_INPUT',
      'the gateway in this process has no fetch method, which subscriptions require',
    ),
  );
