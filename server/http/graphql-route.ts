/** The GraphQL endpoint: admits a request, reads its body within limits, and passes it to the gateway. */
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

  /**
   * The body; undefined if it was rejected or the client has disconnected. Never buffers more than `maxBodyBytes`,
   * regardless of what the client declares or sends.
   */
  async function receiveBody(
    exchange: Exchange,
    signal: AbortSignal,
  ): Promise<Buffer<ArrayBuffer> | undefined> {
    const { incoming, memory } = exchange;
    const { maxBodyBytes } = config;
    const received: AsyncIterable<Buffer> = incoming.iterator({ destroyOnReturn: false });
    const parts: Buffer[] = [];
    let length = 0;
    try {
      const coding = incoming.headers['content-encoding'];
      if (coding !== undefined && coding.trim().toLowerCase() !== 'identity') {
        respondWithProblem(exchange, encodedBody(coding));
        return undefined;
      }
      const announced = Number(incoming.headers['content-length'] ?? 0);
      if (announced > maxBodyBytes) {
        respondWithProblem(exchange, bodyTooLarge(maxBodyBytes, announced));
        return undefined;
      }
      for await (const part of received) {
        length += part.length;
        if (length > maxBodyBytes) {
          respondWithProblem(exchange, bodyTooLarge(maxBodyBytes, undefined));
          return undefined;
        }
        parts.push(part);
        // A slow sender must not use the reserve.
        await memory.take(part.length * BODY_FACTOR, { signal, reserve: false });
      }
    } catch (error) {
      if (incoming.destroyed) return undefined;
      throw error;
    } finally {
      // Discards the rest as it arrives, until the server's time limit for requests.
      incoming.on('error', () => {}).resume();
    }
    if (length > SMALL_BODY_BYTES) await memory.take(length * PARSED_BODY_FACTOR, { signal });
    return Buffer.concat(parts, length);
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
