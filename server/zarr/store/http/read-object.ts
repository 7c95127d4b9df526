/** Reads one object or a part of it over HTTP, and believes nothing that does not fit (RFC 9110). */
import { ConflictError, isZarrError, StoreDeniedError, StoreUnavailableError } from '../../errors.js';
import { assertVersion } from '../conditions.js';
import { assertWithin, resolveRange } from '../range.js';
import type { ByteRange, ReadAnswer, ReadRequest } from '../store.js';
import { parseContentRange } from './content-range.js';
import { TransientFailure } from './exchange.js';
import type { AnswerHead, Exchange, Sent } from './exchange.js';
import { takeBody } from './body.js';
import { retryAfterMs } from './retry-after.js';
import { isStrong, versionOf } from './version.js';

export interface ReadSettings {
  readonly exchange: Exchange;
  /** Whether 403 means that there is no such object (S3 says so to those who may not list). */
  readonly forbiddenMeansAbsent: boolean;
  readonly maxBytes: number | undefined;
  /** Told of the bytes that arrive, and of the heads of answers (0 bytes). */
  readonly progress?: ((bytes: number) => void) | undefined;
}

/** One try. @throws TransientFailure where another one may succeed */
export async function readObject(
  address: URL,
  request: ReadRequest,
  settings: ReadSettings,
  signal: AbortSignal | undefined,
): Promise<ReadAnswer> {
  const { ifNoneMatch } = request;
  if (ifNoneMatch !== undefined && !isTag(ifNoneMatch)) {
    // Dates compare by "not later", so that an older object put back would pass for unchanged: compare here.
    const head = await settings.exchange.send('HEAD', address, {}, signal);
    head.discard();
    if (head.response.status === 200 && versionOf(head.response) === ifNoneMatch) return 'unchanged';
  }
  const sent = await settings.exchange.send('GET', address, headersOf(request), signal);
  settings.progress?.(0);
  try {
    return await readAnswer(watched(sent, settings.progress), address, request, settings, signal);
  } finally {
    sent.discard();
  }
}

function watched(sent: Sent, progress: ReadSettings['progress']): Sent {
  if (progress === undefined) return sent;
  return {
    ...sent,
    async nextPiece() {
      const piece = await sent.nextPiece();
      if (piece !== undefined) progress(piece.length);
      return piece;
    },
  };
}

const isTag = (version: string): boolean => version.endsWith('"');

const isAskedIfChanged = ({ ifNoneMatch }: ReadRequest): boolean =>
  ifNoneMatch !== undefined && isTag(ifNoneMatch);

function headersOf(request: ReadRequest): Record<string, string> {
  const { ifMatch, ifNoneMatch } = request;
  return {
    ...(request.range === undefined ? {} : { range: rangeHeader(request.range) }),
    ...(ifMatch !== undefined && isTag(ifMatch) && isStrong(ifMatch) ? { 'if-match': ifMatch } : {}),
    ...(ifNoneMatch !== undefined && isAskedIfChanged(request) ? { 'if-none-match': ifNoneMatch } : {}),
  };
}

/** A range of no bytes cannot be asked for: one byte is, and dropped. */
function rangeHeader(range: ByteRange): string {
  if ('suffix' in range) return `bytes=-${Math.max(1, range.suffix)}`;
  return `bytes=${range.offset}-${range.offset + Math.max(1, range.length) - 1}`;
}

async function readAnswer(
  sent: Sent,
  address: URL,
  request: ReadRequest,
  settings: ReadSettings,
  signal: AbortSignal | undefined,
): Promise<ReadAnswer> {
  const { response } = sent;
  switch (response.status) {
    case 200:
      return readWhole(sent, request, settings.maxBytes);
    case 206:
      // A part of nothing has no name in Content-Range; some servers send one all the same.
      if (contentLength(response) === 0) return readNothing(sent, address, request, settings, signal);
      return readPart(sent, request, settings.maxBytes);
    case 304:
      return unchanged(request);
    case 404:
    case 410:
      return absent(request);
    case 412:
      throw new ConflictError('the object was changed by somebody else in between; read it anew');
    case 416:
      return readNothing(sent, address, request, settings, signal);
    case 403:
      if (settings.forbiddenMeansAbsent) return absent(request);
      throw new StoreDeniedError(
        'the server forbids reading it (403); if it says so of objects that are absent, set forbiddenMeansAbsent',
      );
    case 401:
      throw new StoreDeniedError('the server asks for credentials (401)');
    default:
      throw failureOf(response);
  }
}

/** An answer without bytes to who asked for bytes must not pass for one: what is missing would become the fill value. */
function unchanged(request: ReadRequest): 'unchanged' {
  if (isAskedIfChanged(request)) return 'unchanged';
  throw new StoreUnavailableError('the server says "not modified" (304) to who did not ask that');
}

function absent(request: ReadRequest): undefined {
  assertVersion(undefined, request.ifMatch);
  return undefined;
}

const transient = new Set([408, 425, 429]);

function failureOf(response: AnswerHead): Error {
  const { status } = response;
  const message = `the server answered with status ${status}`;
  if (status < 500 && !transient.has(status)) return new StoreUnavailableError(message);
  return new TransientFailure(message, { afterMs: retryAfterMs(response) });
}

/** The whole object; where a part was asked for, the server does not know ranges, and the part is cut out here. */
async function readWhole(
  sent: Sent,
  request: ReadRequest,
  maxBytes: number | undefined,
): Promise<ReadAnswer> {
  const version = checkedVersion(sent.response, request);
  const total = contentLength(sent.response);
  const { range } = request;
  if (range === undefined) {
    if (total !== undefined) assertWithin(total, maxBytes);
    const bytes = await takeBody(sent, { expected: total, maxBytes });
    sent.assertIntact?.(bytes);
    return answerOf(bytes, total ?? bytes.length, version);
  }
  if (total !== undefined && total > maxCutBytes) throw rangesIgnored(`the object has ${total} bytes`);
  if (total !== undefined) assertWithin(resolveRange(range, total).length, maxBytes);
  const whole = await takeBody(sent, { expected: total, maxBytes: maxCutBytes }).catch((error: unknown) => {
    if (!isZarrError(error, 'LIMIT_EXCEEDED')) throw error;
    throw rangesIgnored('without saying how large it is (no Content-Length), and more arrived');
  });
  sent.assertIntact?.(whole);
  const { offset, length } = resolveRange(range, whole.length);
  assertWithin(length, maxBytes);
  return answerOf(whole.slice(offset, offset + length), whole.length, version);
}

/** A server that ignores ranges sends at most this much for a part. */
const maxCutBytes = 64 * 2 ** 20;

function rangesIgnored(why: string): StoreUnavailableError {
  return new StoreUnavailableError(
    `the server answers a range with the whole object (200), ${why}; at most ${maxCutBytes} bytes are read for a part`,
  );
}

async function readPart(sent: Sent, request: ReadRequest, maxBytes: number | undefined): Promise<ReadAnswer> {
  const version = checkedVersion(sent.response, request);
  const header = sent.response.headers.get('content-range');
  const { range } = request;
  if (header === null && range !== undefined && sent.response.hidesHeaders === true)
    return readUnnamedPart(sent, range, version, maxBytes);
  const got = parseContentRange(header);
  if (range === undefined || got?.first === undefined || got.last === undefined)
    throw new StoreUnavailableError('the server sent a part that was not asked for, or did not say which');
  const { first, last, total } = got;
  if (!isPartAskedFor(range, first, last, total))
    throw new StoreUnavailableError(
      `the server sent bytes ${first} to ${last} of ${total ?? 'an unknown number'} for the range ${rangeHeader(range)}`,
    );
  const isDropped = ('suffix' in range ? range.suffix : range.length) === 0;
  const expected = last - first + 1;
  if (!isDropped) assertWithin(expected, maxBytes);
  const bytes = await takeBody(sent, { expected, maxBytes: undefined });
  return answerOf(isDropped ? bytes.subarray(0, 0) : bytes, total, version);
}

/**
 * A part whose Content-Range the browser hides. It must be as long as the range: a shorter one could be any part of it.
 */
async function readUnnamedPart(
  sent: Sent,
  range: ByteRange,
  version: string | undefined,
  maxBytes: number | undefined,
): Promise<ReadAnswer> {
  const length = 'suffix' in range ? range.suffix : range.length;
  if (length > 0) assertWithin(length, maxBytes);
  const expected = Math.max(1, length);
  const refuse = (sent: string): never => {
    throw new StoreUnavailableError(
      `the server sent ${sent} bytes for the range ${rangeHeader(range)} of ${expected}, and the browser hides which: ` +
        'the server must expose Content-Range (Access-Control-Expose-Headers)',
    );
  };
  const bytes = await takeBody(sent, { expected: undefined, maxBytes: expected }).catch((error: unknown) => {
    if (isZarrError(error, 'LIMIT_EXCEEDED')) return refuse('more');
    throw error;
  });
  if (bytes.length !== expected) return refuse(String(bytes.length));
  return answerOf(length === 0 ? bytes.subarray(0, 0) : bytes, undefined, version);
}

/** Exactly the part, or up to the object's end where the range reaches past that. */
function isPartAskedFor(range: ByteRange, first: number, last: number, total: number | undefined): boolean {
  if ('suffix' in range) {
    if (total === undefined) return last - first + 1 === Math.max(1, range.suffix);
    return last === total - 1 && first === Math.max(0, total - Math.max(1, range.suffix));
  }
  const end = range.offset + Math.max(1, range.length);
  return first === range.offset && last === Math.min(end, total ?? end) - 1;
}

/** 416: none of the range is there. True of an empty object; else perhaps the server does not know suffixes. */
async function readNothing(
  sent: Sent,
  address: URL,
  request: ReadRequest,
  settings: ReadSettings,
  signal: AbortSignal | undefined,
): Promise<ReadAnswer> {
  const { range } = request;
  const head = await settings.exchange.send('HEAD', address, {}, signal);
  head.discard();
  const total = head.response.status === 200 ? contentLength(head.response) : undefined;
  if (range === undefined || total === undefined)
    throw new StoreUnavailableError(
      'the server refused the range (416) and does not tell the size of the object',
    );
  const version = checkedVersion(head.response, request);
  const part = resolveRange(range, total);
  if (part.length === 0) return answerOf(new Uint8Array(0), total, version);
  if (!('suffix' in range))
    throw new TransientFailure('the server refused a range that lies in the object (416)', {
      isOutage: false,
    });
  return readObject(address, { ...request, range: part }, settings, signal);
}

function answerOf(bytes: Uint8Array, total: number | undefined, version: string | undefined): ReadAnswer {
  return { bytes, ...(total === undefined ? {} : { total }), ...(version === undefined ? {} : { version }) };
}

/** @throws ConflictError if the object is another one than that of `ifMatch`, whether the server looked at it or not */
function checkedVersion(response: AnswerHead, request: ReadRequest): string | undefined {
  const version = versionOf(response);
  if (request.ifMatch !== undefined && version !== request.ifMatch)
    throw new ConflictError('the object was changed by somebody else in between; read it anew');
  return version;
}

/** undefined where the body is compressed on the way, or may be: its length is another one. */
function contentLength(response: AnswerHead): number | undefined {
  if (response.hidesHeaders === true) return undefined;
  const encoding = response.headers.get('content-encoding');
  if (encoding !== null && encoding !== 'identity') return undefined;
  const length = response.headers.get('content-length');
  return length !== null && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}
