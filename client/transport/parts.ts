/** Requests whose results arrive one by one: documents with one deferred fragment per result, as CBOR sequences. */
import { createSequenceScanner } from '../../wire/cbor/sequence.js';
import { TransportError, networkError, rejectMalformed, type GatewayError } from '../errors.js';
import { isList, isRecord } from '../json/json.js';
import type { ResolvedOptions } from '../options.js';
import { createByteSink, decodeCborBody, readBody } from './body.js';
import { createStallGuard } from './stall-guard.js';
import { reasonOf, untilAborted } from './deadline.js';
import { MIN_STALL_MS, piecesOf } from './events.js';
import { headersOf } from './headers.js';
import { fetchWithinOrigin } from './redirects.js';
import { parseRetryAfter } from './retries.js';
import { writeBody } from './request-body.js';
import { type GraphQLResult, parseError, parseResponse } from './response.js';

/** One result of a document: a top-level field, with its errors. */
type ReceiveField = (alias: string, result: GraphQLResult) => void;

/**
 * Sends a document and passes on each top-level field as soon as it has arrived. A gateway may also send all at once.
 * @throws TransportError if the response is interrupted; errors of fields are in their results
 */
export type SendInParts = (
  request: { readonly query: string; readonly variables: unknown },
  signal: AbortSignal,
  receive: ReceiveField,
) => Promise<void>;

const accept =
  'application/cbor-seq, application/cbor;q=0.9, application/graphql-response+json;q=0.8, application/json;q=0.7';

export function createPartsTransport(options: ResolvedOptions): SendInParts {
  return async (request, signal, receive) => {
    const stallMs = options.stallMs === 0 ? 0 : Math.max(options.stallMs, MIN_STALL_MS);
    const guard = createStallGuard(signal, stallMs);
    try {
      if (guard.signal.aborted) throw reasonOf(guard.signal);
      const { type, body } = writeBody(request, false);
      const headers = await headersOf(options, { accept, 'content-type': type });
      const init = { method: 'POST', headers, body, signal: guard.signal } as const;
      const response = await untilAborted(fetchWithinOrigin(options, options.url, init), guard.signal).catch(
        (error: unknown) => {
          throw networkError(error, options.url);
        },
      );
      guard.touch();
      const contentType = response.headers.get('content-type') ?? '';
      if (response.status === 200 && contentType.startsWith('application/cbor-seq') && response.body) {
        await readParts(piecesOf(response, guard), options.maxResponseBytes, receive);
        return;
      }
      const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'));
      const head = { status: response.status, contentType, retryAfterMs };
      const bytes = await untilAborted(
        readBody(response, options.maxResponseBytes, guard.touch),
        guard.signal,
      );
      const result = rejectMalformed(() => parseResponse(bytes, head, options.maxResponseBytes));
      for (const alias of Object.keys(result.data ?? {})) receive(alias, fieldOf(alias, result));
    } finally {
      guard.abort();
      guard.close();
    }
  };
}

function fieldOf(alias: string, { data, errors, native }: GraphQLResult): GraphQLResult {
  const own = errors.filter(({ fieldPath }) => fieldPath?.[0] === alias);
  return { data: { [alias]: data?.[alias] }, errors: own, native };
}

/** Reads the items of a sequence, each of at most `maxBytes`. */
async function readParts(
  pieces: AsyncIterable<Uint8Array>,
  maxBytes: number,
  receive: ReceiveField,
): Promise<void> {
  const scanner = createSequenceScanner((why) => malformed(why));
  const sink = createByteSink(maxBytes, 'a part of the response');
  for await (const piece of pieces) {
    let from = 0;
    for (const end of scanner.scan(piece)) {
      sink.push(piece.subarray(from, end));
      from = end;
      const part = rejectMalformed(() => decodeCborBody(sink.take()));
      receivePart(part, receive);
      if (isRecord(part) && part['hasNext'] === false) return;
    }
    sink.push(piece.subarray(from));
  }
  throw new TransportError('NETWORK', 'the response ended before its last part');
}

/**
 * Passes on the fields of a part. Each deferred fragment has one top-level field and no deferred fragments, so its
 * data arrives in one piece.
 */
function receivePart(part: unknown, receive: ReceiveField): void {
  if (!isRecord(part)) throw malformed('a part is not an object');
  const results = [part, ...(isList(part['incremental']) ? part['incremental'] : [])];
  for (const result of results) {
    if (!isRecord(result)) throw malformed('a result is not an object');
    const { data } = result;
    const errors: GatewayError[] = isList(result['errors'])
      ? result['errors'].map((error) => parseError(error, undefined))
      : [];
    if (!isRecord(data)) continue;
    for (const alias of Object.keys(data)) receive(alias, fieldOf(alias, { data, errors, native: true }));
  }
}

function malformed(problem: string): TransportError {
  return new TransportError('BAD_RESPONSE', `malformed response: ${problem}`);
}
