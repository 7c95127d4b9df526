/** Reads an object or a part of it over HTTP, and verifies every response against the request (RFC 9110). */
import { ConflictError, isZarrError, StoreDeniedError, StoreUnavailableError } from '../../core/errors.js';
import { assertVersion, assertObjectSize, resolveRange } from '../checks.js';
import type { BufferPool } from '../../core/bytes/buffer-pool.js';
import type { ByteRange, ReadResult, ReadRequest } from '../store.js';
import { TransientFailure, type ResponseHead, type StoreExchange, type Sent } from './exchange.js';
import { takeBody, watched } from './body.js';
import { isStrong, parseHttpDate, responseVersion, parseContentRange, retryAfterMs } from './headers.js';

interface ReadSettings {
  readonly exchange: StoreExchange;
  /** Whether 403 means that the object does not exist, as S3 responds to callers that may not list. */
  readonly forbiddenMeansAbsent: boolean;
  readonly maxBytes: number | undefined;
  /** Memory for the bytes. @default new memory */
  readonly pool?: BufferPool | undefined;
  /** Receives the number of bytes that have arrived since the last call; 0 for the head of a response. */
  readonly progress?: ((bytes: number) => void) | undefined;
}

/** Makes one attempt to read. @throws TransientFailure if a retry may succeed */
export async function readObject(
  address: URL,
  request: ReadRequest,
  settings: ReadSettings,
  signal: AbortSignal | undefined,
): Promise<ReadResult> {
  const { ifNoneMatch } = request;
  if (ifNoneMatch !== undefined && !isTag(ifNoneMatch)) {
    // Dates are compared by the client, because servers would report an older, restored object as unchanged.
    const head = await settings.exchange.send('HEAD', address, {}, signal);
    head.discard();
    if (head.response.status === 200 && responseVersion(head.response) === ifNoneMatch) return 'unchanged';
  }
  const sent = await settings.exchange.send('GET', address, headersOf(request), signal);
  settings.progress?.(0);
  try {
    return await readResponse(watched(sent, settings.progress), address, request, settings, signal);
  } finally {
    sent.discard();
  }
}

const isTag = (version: string): boolean => version.endsWith('"');

const isConditional = ({ ifNoneMatch }: ReadRequest): boolean =>
  ifNoneMatch !== undefined && isTag(ifNoneMatch);

function headersOf(request: ReadRequest): Record<string, string> {
  const { ifMatch, ifNoneMatch } = request;
  const headers: Record<string, string> = {};
  if (request.range !== undefined) headers['range'] = rangeHeader(request.range);
  if (ifMatch !== undefined && isTag(ifMatch) && isStrong(ifMatch)) headers['if-match'] = ifMatch;
  if (ifNoneMatch !== undefined && isConditional(request)) headers['if-none-match'] = ifNoneMatch;
  return headers;
}

/**
 * Formats a range as a header. HTTP cannot request an empty range, so one byte is requested and then dropped.
 */
function rangeHeader(range: ByteRange): string {
  if ('suffix' in range) return `bytes=-${Math.max(1, range.suffix)}`;
  return `bytes=${range.offset}-${range.offset + Math.max(1, range.length) - 1}`;
}

async function readResponse(
  sent: Sent,
  address: URL,
  request: ReadRequest,
  settings: ReadSettings,
  signal: AbortSignal | undefined,
): Promise<ReadResult> {
  const { response } = sent;
  switch (response.status) {
    case 200:
      return readWhole(sent, request, settings);
    case 206:
      // Content-Range cannot express an empty part, but some servers send one anyway.
      if (contentLength(response) === 0) return readNothing(sent, address, request, settings, signal);
      return readPart(sent, request, settings);
    case 304:
      return unchanged(request);
    case 404:
    case 410:
      return absent(request);
    case 412:
      throw new ConflictError('another writer has changed the object; read it again');
    case 416:
      return readNothing(sent, address, request, settings, signal);
    case 403:
      if (settings.forbiddenMeansAbsent) return absent(request);
      throw new StoreDeniedError(
        'the server denied access (403); if it does so for absent objects, set forbiddenMeansAbsent',
      );
    case 401:
      throw new StoreDeniedError('the server requires credentials (401)');
    default:
      throw failureOf(response);
  }
}

/** Rejects a response without bytes to an unconditional read. */
function unchanged(request: ReadRequest): 'unchanged' {
  if (isConditional(request)) return 'unchanged';
  throw new StoreUnavailableError('unexpected 304 (not modified) for an unconditional read');
}

function absent(request: ReadRequest): undefined {
  assertVersion(undefined, request.ifMatch);
  return undefined;
}

const transient = new Set([408, 425, 429]);

function failureOf(response: ResponseHead): Error {
  const { status } = response;
  const message = `the server responded with status ${status}`;
  if (status < 500 && !transient.has(status)) return new StoreUnavailableError(message);
  return new TransientFailure(message, { afterMs: retryAfterMs(response) });
}

/**
 * Reads the whole object. If a part was requested, the server does not support ranges, and the part is
 * extracted here.
 */
async function readWhole(
  sent: Sent,
  request: ReadRequest,
  { maxBytes, pool }: ReadSettings,
): Promise<ReadResult> {
  const version = checkedVersion(sent.response, request);
  const total = contentLength(sent.response);
  const { range } = request;
  if (range === undefined) {
    if (total !== undefined) assertObjectSize(total, maxBytes);
    const bytes = await takeBody(sent, { expected: total, maxBytes, pool });
    sent.assertIntact?.(bytes);
    return toResult(bytes, total ?? bytes.length, version, sent.response);
  }
  if (total !== undefined && total > MAX_CUT_BYTES) throw rangesIgnored(`which has ${total} bytes`);
  if (total !== undefined) assertObjectSize(resolveRange(range, total).length, maxBytes);
  const whole = await takeBody(sent, { expected: total, maxBytes: MAX_CUT_BYTES }).catch((error: unknown) => {
    if (!isZarrError(error, 'LIMIT_EXCEEDED')) throw error;
    throw rangesIgnored('which has no Content-Length and is longer');
  });
  sent.assertIntact?.(whole);
  const { offset, length } = resolveRange(range, whole.length);
  assertObjectSize(length, maxBytes);
  return toResult(whole.slice(offset, offset + length), whole.length, version, sent.response);
}

/** Maximum number of bytes to read from a server that ignores ranges. */
const MAX_CUT_BYTES = 64 * 2 ** 20;

function rangesIgnored(why: string): StoreUnavailableError {
  return new StoreUnavailableError(
    `the server ignored the range and sent the whole object (200), ${why}; at most ${MAX_CUT_BYTES} bytes are read`,
  );
}

async function readPart(
  sent: Sent,
  request: ReadRequest,
  { maxBytes, pool }: ReadSettings,
): Promise<ReadResult> {
  const version = checkedVersion(sent.response, request);
  const header = sent.response.headers.get('content-range');
  const { range } = request;
  if (header === null && range !== undefined && sent.response.hidesHeaders === true)
    return readUnnamedPart(sent, range, version, maxBytes);
  const sentRange = parseContentRange(header);
  if (range === undefined || sentRange?.first === undefined || sentRange.last === undefined)
    throw new StoreUnavailableError(
      'the server sent a range other than the requested one, or no Content-Range',
    );
  const { first, last, total } = sentRange;
  if (!isRequestedRange(range, first, last, total))
    throw new StoreUnavailableError(
      `the server sent bytes ${first} to ${last} of ${total ?? 'an unknown number'} for the range ${rangeHeader(range)}`,
    );
  const isDropped = ('suffix' in range ? range.suffix : range.length) === 0;
  const expected = last - first + 1;
  if (!isDropped) assertObjectSize(expected, maxBytes);
  const bytes = await takeBody(sent, { expected, maxBytes: undefined, pool });
  return toResult(isDropped ? bytes.subarray(0, 0) : bytes, total, version, sent.response);
}

/**
 * Reads a part whose Content-Range is hidden by the browser. The part must have the length of the range,
 * because a shorter one could be any part of it.
 */
async function readUnnamedPart(
  sent: Sent,
  range: ByteRange,
  version: string | undefined,
  maxBytes: number | undefined,
): Promise<ReadResult> {
  const length = 'suffix' in range ? range.suffix : range.length;
  if (length > 0) assertObjectSize(length, maxBytes);
  const expected = Math.max(1, length);
  const refuse = (sent: string): never => {
    throw new StoreUnavailableError(
      `the server sent ${sent} bytes for the range ${rangeHeader(range)}, expected ${expected}, and the browser hides Content-Range: ` +
        'the server must expose Content-Range (Access-Control-Expose-Headers)',
    );
  };
  const bytes = await takeBody(sent, { expected: undefined, maxBytes: expected }).catch((error: unknown) => {
    if (isZarrError(error, 'LIMIT_EXCEEDED')) return refuse('more');
    throw error;
  });
  if (bytes.length !== expected) return refuse(String(bytes.length));
  return toResult(length === 0 ? bytes.subarray(0, 0) : bytes, undefined, version, sent.response);
}

/**
 * Whether the Content-Range equals the requested part, or ends at the end of the object if the range extends
 * beyond it.
 */
function isRequestedRange(range: ByteRange, first: number, last: number, total: number | undefined): boolean {
  if ('suffix' in range) {
    if (total === undefined) return last - first + 1 === Math.max(1, range.suffix);
    return last === total - 1 && first === Math.max(0, total - Math.max(1, range.suffix));
  }
  const end = range.offset + Math.max(1, range.length);
  return first === range.offset && last === Math.min(end, total ?? end) - 1;
}

/**
 * Handles 416 (range not satisfiable) and empty parts. They are correct if the range is beyond the end of the
 * object; otherwise the server may not support suffixes.
 */
async function readNothing(
  sent: Sent,
  address: URL,
  request: ReadRequest,
  settings: ReadSettings,
  signal: AbortSignal | undefined,
): Promise<ReadResult> {
  const { range } = request;
  const head = await settings.exchange.send('HEAD', address, {}, signal);
  head.discard();
  const total = head.response.status === 200 ? contentLength(head.response) : undefined;
  if (range === undefined || total === undefined)
    throw new StoreUnavailableError(
      'the server sent nothing for the range (416 or an empty 206), and HEAD does not declare the size of the object',
    );
  const version = checkedVersion(head.response, request);
  const part = resolveRange(range, total);
  if (part.length === 0) return toResult(new Uint8Array(0), total, version, head.response);
  if (!('suffix' in range))
    throw new TransientFailure(
      'the server sent nothing for a range within the object (416 or an empty 206)',
      {
        isOutage: false,
      },
    );
  return readObject(address, { ...request, range: part }, settings, signal);
}

function toResult(
  bytes: Uint8Array,
  total: number | undefined,
  version: string | undefined,
  response: ResponseHead,
): ReadResult {
  const modifiedMs = parseHttpDate(response.headers.get('last-modified') ?? '');
  return {
    bytes,
    ...(total === undefined ? {} : { total }),
    ...(version === undefined ? {} : { version }),
    ...(modifiedMs === undefined ? {} : { modifiedMs }),
  };
}

/**
 * The version of the response.
 * @throws ConflictError if it differs from `ifMatch`, even if the server ignored that header
 */
function checkedVersion(response: ResponseHead, request: ReadRequest): string | undefined {
  const version = responseVersion(response);
  if (request.ifMatch !== undefined && version !== request.ifMatch)
    throw new ConflictError('another writer has changed the object; read it again');
  return version;
}

/**
 * The declared length; undefined if there is none, the browser hides it, or the body may be compressed in
 * transit, because its length then differs.
 */
function contentLength(response: ResponseHead): number | undefined {
  if (response.hidesHeaders === true) return undefined;
  const encoding = response.headers.get('content-encoding');
  if (encoding !== null && encoding !== 'identity') return undefined;
  const length = response.headers.get('content-length');
  return length !== null && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}
