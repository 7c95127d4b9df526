/** Parses HTTP responses as GraphQL results (GraphQL over HTTP, section 6.4), and slices in any encoding. */
import { defined } from '../../wire/guards.js';
import { errorCodes } from '../../wire/error-codes.js';
import { GatewayError, type GatewayErrorCode, TransportError, type TransportErrorCode } from '../errors.js';
import { isList, isRecord } from '../json/json.js';
import { decodeCborBody, tooLarge } from './body.js';

export interface GraphQLResult {
  /** Undefined if nothing was executed. */
  readonly data: Readonly<Record<string, unknown>> | null | undefined;
  readonly errors: readonly GatewayError[];
  /** Whether values are binary, from CBOR or from this process. */
  readonly native: boolean;
}

export interface ResponseHead {
  readonly status: number;
  readonly contentType: string;
  readonly retryAfterMs: number | undefined;
}

/** Limit on the memory of a parsed response, as a multiple of `maxResponseBytes`. */
const HEAP_FACTOR = 8;

/**
 * @throws TransportError HTTP or BAD_RESPONSE unless the response is a GraphQL result, TOO_LARGE if its values would
 * take too much memory or it has too many errors
 */
export function parseResponse(
  bytes: Uint8Array<ArrayBuffer>,
  head: ResponseHead,
  maxBytes: number,
): GraphQLResult {
  const succeeded = head.status >= 200 && head.status < 300;
  const native = /^application\/(vnd\.zarrql\+)?cbor\s*(;|$)/i.test(head.contentType);
  if (!native && jsonHeapBytes(bytes) > HEAP_FACTOR * maxBytes)
    throw tooLarge("the gateway's response, once parsed,", HEAP_FACTOR * maxBytes);
  const text = native ? '' : new TextDecoder().decode(bytes);
  const body = native ? decodeCborBody(bytes, HEAP_FACTOR * maxBytes) : parseJson(text);
  if (!isRecord(body) || (!isList(body['errors']) && !isRecord(body['data']))) {
    if (!succeeded) throw failure('HTTP', `HTTP status ${head.status}`, text, head);
    const contentType = head.contentType === '' ? 'no content type' : head.contentType;
    throw failure(
      'BAD_RESPONSE',
      `the response is not a GraphQL result (${contentType}); check the URL`,
      text,
      head,
    );
  }
  const errors = parseErrors(body['errors'], head.status);
  const { data } = body;
  if (data !== undefined && data !== null && !isRecord(data))
    throw failure('BAD_RESPONSE', 'malformed response: data is not an object', text, head);
  if (errors.length === 0 && !succeeded) throw failure('HTTP', `HTTP status ${head.status}`, text, head);
  return { data, errors, native };
}

/** Smaller responses, in bytes, are not checked. */
const MIN_CHECKED_BYTES = 2 ** 20;
/** Minimum memory of a value in bytes, by the character that starts or separates it. */
const heapCosts = new Uint8Array(256);
heapCosts[0x2c] = 16; // ,
heapCosts[0x3a] = 64; // :
heapCosts[0x5b] = 64; // [
heapCosts[0x7b] = 64; // {

/** Estimates the memory of parsed JSON, because three characters may be an object. */
function jsonHeapBytes(bytes: Uint8Array): number {
  if (bytes.length < MIN_CHECKED_BYTES) return 0;
  let sum = 0;
  for (const byte of bytes) sum += defined(heapCosts[byte]);
  return sum;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Maximum number of errors, because each becomes an Error with a stack of about 1 kB. */
const MAX_ERRORS = 10_000;

function parseErrors(errors: unknown, status: number): GatewayError[] {
  if (!isList(errors)) return [];
  if (errors.length > MAX_ERRORS)
    throw new TransportError(
      'TOO_LARGE',
      `the response has ${errors.length} errors; at most ${MAX_ERRORS} are supported; request fewer fields per call`,
      { status },
    );
  return errors.map((error) => parseError(error, status));
}

/** Parses a GraphQL error (section 7.1.2), from an HTTP response or from a gateway in this process. */
export function parseError(error: unknown, status: number | undefined): GatewayError {
  const fields = isRecord(error) ? error : {};
  const extensions = isRecord(fields['extensions']) ? fields['extensions'] : {};
  const message =
    typeof fields['message'] === 'string' ? fields['message'] : 'no error message in the response';
  return new GatewayError(message, {
    code: parseCode(extensions['code'], status),
    fieldPath: isList(fields['path']) ? fields['path'].filter(isPathPart) : undefined,
    extensions,
    status,
  });
}

function parseCode(code: unknown, status: number | undefined): GatewayErrorCode {
  const known = errorCodes.find((name) => name === code);
  if (known !== undefined) return known;
  if (status === 401) return 'UNAUTHENTICATED';
  if (status === 403) return 'FORBIDDEN';
  if (status === 413) return 'LIMIT_EXCEEDED';
  return status === 400 ? 'BAD_INPUT' : 'UNKNOWN';
}

function isPathPart(part: unknown): part is string | number {
  return typeof part === 'string' || typeof part === 'number';
}

function failure(
  code: TransportErrorCode,
  message: string,
  text: string,
  head: ResponseHead,
): TransportError {
  const start = text.slice(0, 120).replace(/\s+/g, ' ').trim();
  return new TransportError(code, start === '' ? message : `${message}: ${start}`, {
    status: head.status,
    retryAfterMs: head.retryAfterMs,
  });
}
