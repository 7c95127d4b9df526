/** An HTTP answer as a GraphQL result (GraphQL over HTTP, section 6.4). */
import { decodeCbor } from '../cbor/decode.js';
import { GatewayError, gatewayErrorCodes, TransportError } from '../errors.js';
import type { GatewayErrorCode, TransportErrorCode } from '../errors.js';
import { isList, isRecord } from '../json.js';

export interface GraphQLResult {
  /** Undefined where nothing was executed. */
  readonly data: Readonly<Record<string, unknown>> | null | undefined;
  readonly errors: readonly GatewayError[];
  /** Whether values are there as they are: in CBOR, or from within the process. */
  readonly native: boolean;
}

export interface ResponseHead {
  readonly status: number;
  readonly contentType: string;
  readonly retryAfterMs: number | undefined;
}

/** @throws TransportError HTTP or BAD_RESPONSE where the answer is no GraphQL result */
export function parseResponse(bytes: Uint8Array<ArrayBuffer>, head: ResponseHead): GraphQLResult {
  const succeeded = head.status >= 200 && head.status < 300;
  const native = /^application\/cbor\s*(;|$)/i.test(head.contentType);
  const text = native ? '' : new TextDecoder().decode(bytes);
  const body = native ? decodeCbor(bytes) : parseJson(text);
  if (!isRecord(body) || (!isList(body['errors']) && !isRecord(body['data']))) {
    if (!succeeded) throw failure('HTTP', `the gateway answered with HTTP status ${head.status}`, text, head);
    const given = head.contentType === '' ? 'no content type' : head.contentType;
    throw failure(
      'BAD_RESPONSE',
      `the answer is no GraphQL result (${given}); is the address right?`,
      text,
      head,
    );
  }
  const errors = isList(body['errors']) ? body['errors'].map((error) => parseError(error, head.status)) : [];
  const { data } = body;
  if (data !== undefined && data !== null && !isRecord(data))
    throw failure('BAD_RESPONSE', 'the answer has data that is no object', text, head);
  if (errors.length === 0 && !succeeded)
    throw failure('HTTP', `the gateway answered with HTTP status ${head.status}`, text, head);
  return { data, errors, native };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An error as the specification has it (section 7.1.2), of an HTTP answer or from within the process. */
export function parseError(error: unknown, status: number | undefined): GatewayError {
  const fields = isRecord(error) ? error : {};
  const extensions = isRecord(fields['extensions']) ? fields['extensions'] : {};
  const message = typeof fields['message'] === 'string' ? fields['message'] : 'the gateway gave no reason';
  return new GatewayError(message, {
    code: parseCode(extensions['code'], status),
    fieldPath: isList(fields['path']) ? fields['path'].filter(isPathPart) : undefined,
    extensions,
    status,
  });
}

function parseCode(code: unknown, status: number | undefined): GatewayErrorCode {
  const known = gatewayErrorCodes.find((name) => name === code);
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
