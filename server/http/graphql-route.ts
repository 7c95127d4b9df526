/** The GraphQL endpoint: admits a request, reads its body within limits, and passes it to the gateway. */
import type { IncomingMessage } from 'node:http';
import { isForPage } from '../gateway/pipeline/write.js';
import { createLentResults } from '../memory/lent-results.js';
import { BODY_FACTOR, PARSED_BODY_FACTOR, REQUEST_BYTES } from '../memory/sizes.js';
import type { AccessControl } from './access-control.js';
import { createEncodingCache } from './compression.js';
import { respondWithProblem, type Exchange } from './exchange.js';
import { begin, createHandlerRunner, type Handler, type Running } from './gateway-handler.js';
import type { HttpServerParts } from './options.js';
import { bodyTooLarge, encodedBody } from './problem.js';

/** Maximum body size whose parsing is covered by the base memory of a request. */
const SMALL_BODY_BYTES = 2 ** 13;

export function createGraphqlRoute(
  { config, gateway }: Pick<HttpServerParts, 'config' | 'gateway'>,
  access: AccessControl,
  running: Running,
): (exchange: Exchange) => Promise<void> {
  const runHandler = createHandlerRunner({ config, gateway });
  const pages = createEncodingCache();
  // `ZARRQL_LENT_RESULTS=overwrite` (for tests) overwrites memory before and after each loan, which reveals any
  // other use of it.
  const results = createLentResults({ overwrites: process.env['ZARRQL_LENT_RESULTS'] === 'overwrite' });

  async function sendPage(exchange: Exchange): Promise<void> {
    const caller = access.admitToPage(exchange);
    if (caller === undefined) return;
    const handler: Handler = async ({ headers }) => {
      const page = gateway.handlePage(
        { query: exchange.query, ifNoneMatch: headers['if-none-match'] },
        caller,
      );
      if (page === undefined) throw new TypeError('GraphiQL is enabled, but its page is not loaded');
      return page;
    };
    await runHandler(exchange, begin(exchange, running), handler, pages);
  }

  /** The body; undefined if it was rejected or the client has disconnected. */
  async function receiveBody(
    exchange: Exchange,
    signal: AbortSignal,
  ): Promise<Buffer<ArrayBuffer> | undefined> {
    const { incoming, memory } = exchange;
    const coding = incoming.headers['content-encoding'];
    if (coding !== undefined && coding.trim().toLowerCase() !== 'identity') {
      incoming.resume();
      respondWithProblem(exchange, encodedBody(coding));
      return undefined;
    }
    // A slow sender must not use the reserve.
    const result = await readBody(incoming, config.maxBodyBytes, (bytes) =>
      memory.take(bytes * BODY_FACTOR, { signal, reserve: false }),
    );
    if (result.kind === 'gone') return undefined;
    if (result.kind === 'tooLarge') {
      respondWithProblem(exchange, bodyTooLarge(config.maxBodyBytes, result.needed));
      return undefined;
    }
    const { bytes } = result;
    if (bytes.length > SMALL_BODY_BYTES) await memory.take(bytes.length * PARSED_BODY_FACTOR, { signal });
    return bytes;
  }

  return async (exchange) => {
    if (config.graphiql && isForPage(exchange.method, exchange.incoming.headers.accept))
      return sendPage(exchange);
    const controller = begin(exchange, running);
    const { signal } = controller;
    const caller = await access.admitOperation(exchange);
    if (caller === undefined) return;
    const { outgoing, query } = exchange;
    await exchange.memory.take(REQUEST_BYTES, { signal });
    const body = exchange.method === 'POST' ? await receiveBody(exchange, signal) : null;
    if (body === undefined) return;
    // HEAD runs like GET; its response is sent without the body.
    const method = body === null ? 'GET' : 'POST';
    const loans = results.open();
    const finished = new Promise((resolve) => outgoing.once('finish', resolve));
    const isSent = await runHandler(exchange, controller, (request) =>
      gateway.handleOperation({ method, query, body, ...request }, { ...caller, loans }),
    );
    // The response refers to lent memory, which is therefore reused only after the last byte has been sent.
    if (!isSent) return;
    await finished;
    loans.giveBack();
  };
}

/** Result of reading a body: its bytes, too large, or cut off by the client. */
type BodyResult =
  | { readonly kind: 'whole'; readonly bytes: Buffer<ArrayBuffer> }
  | { readonly kind: 'tooLarge'; readonly needed: number | undefined }
  | { readonly kind: 'gone' };

/**
 * Reads a whole request body. Never buffers more than `maxBytes`, regardless of what the client declares or
 * sends. An oversized body is discarded as it arrives, until the server's time limit for requests.
 * @param reserve reserves memory for bytes that have arrived; the socket is not read until it resolves
 * @throws errors from `reserve`
 */
function readBody(
  request: IncomingMessage,
  maxBytes: number,
  reserve: (bytes: number) => Promise<void> | undefined,
): Promise<BodyResult> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > maxBytes) {
    request.resume();
    return Promise.resolve({ kind: 'tooLarge', needed: announced });
  }
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let length = 0;
    const settle = (result: BodyResult): void => {
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      resolve(result);
    };
    const onData = (part: Buffer): void => {
      length += part.length;
      if (length > maxBytes) {
        settle({ kind: 'tooLarge', needed: undefined });
        request.on('error', () => {}).resume();
        return;
      }
      parts.push(part);
      let granted: Promise<void> | undefined;
      try {
        granted = reserve(part.length);
      } catch (error) {
        granted = Promise.reject(asError(error));
      }
      if (granted === undefined) return;
      request.pause();
      granted.then(
        () => request.resume(),
        (error: unknown) => {
          request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
          request.on('error', () => {}).resume();
          reject(asError(error));
        },
      );
    };
    const onEnd = (): void => {
      settle({ kind: 'whole', bytes: Buffer.concat(parts, length) });
    };
    const onGone = (): void => {
      settle({ kind: 'gone' });
    };
    request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error), { cause: error });
}
