/** The GraphQL endpoint: admits a request, reads its body within limits, and passes it to the gateway. */
import type { CallerOptions } from '../gateway/options.js';
import { isForPage } from '../gateway/pipeline/write.js';
import type { MemoryLease } from '../memory/lease.js';
import { BODY_FACTOR, PARSED_BODY_FACTOR, REQUEST_BYTES } from '../memory/sizes.js';
import type { AccessControl } from './access-control.js';
import { readBody } from './body.js';
import { createEncodingCache } from './compression.js';
import { answerProblem, type Exchange } from './exchange.js';
import { begin, createHandlerRunner, type Handler, type Running } from './gateway-handler.js';
import { createServerResults, whileLent } from './lend-results.js';
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
  const results = createServerResults();

  async function sendPage(exchange: Exchange): Promise<void> {
    const caller = access.admitToPage(exchange);
    if (caller === undefined) return;
    const query = queryOf(exchange);
    const handler: Handler = async ({ headers }) => {
      const page = gateway.handlePage({ query, ifNoneMatch: headers['if-none-match'] }, caller);
      if (page === undefined) throw new TypeError('GraphiQL is enabled, but its page is not loaded');
      return page;
    };
    await runHandler(exchange, begin(exchange, running), handler, pages);
  }

  async function handleOperation(
    exchange: Exchange,
    controller: AbortController,
    caller: CallerOptions,
  ): Promise<void> {
    const body = exchange.method === 'POST' ? await receiveBody(exchange, controller.signal) : null;
    if (body === undefined) return;
    const query = queryOf(exchange);
    // HEAD runs like GET; its response is sent without the body.
    const method = body === null ? 'GET' : 'POST';
    await whileLent(results, exchange.outgoing, (loans) =>
      runHandler(exchange, controller, (request) =>
        gateway.handleOperation({ method, query, body, ...request }, { ...caller, loans }),
      ),
    );
  }

  /** The body; undefined if it was refused or the client has disconnected. */
  async function receiveBody(
    exchange: Exchange,
    signal: AbortSignal,
  ): Promise<Buffer<ArrayBuffer> | undefined> {
    const { incoming, memory } = exchange;
    const coding = incoming.headers['content-encoding'];
    if (coding !== undefined && coding.trim().toLowerCase() !== 'identity') {
      incoming.resume();
      answerProblem(exchange, encodedBody(coding));
      return undefined;
    }
    const result = await readBody(incoming, config.maxBodyBytes, reserver(memory, signal));
    if (result.kind === 'gone') return undefined;
    if (result.kind === 'tooLarge') {
      answerProblem(exchange, bodyTooLarge(config.maxBodyBytes, result.needed));
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
    const caller = await access.admitOperation(exchange);
    if (caller === undefined) return;
    await exchange.memory.take(REQUEST_BYTES, { signal: controller.signal });
    await handleOperation(exchange, controller, caller);
  };
}

/** Reserves memory for a body as it arrives. A slow sender must not use the reserve. */
function reserver(memory: MemoryLease, signal: AbortSignal): (bytes: number) => Promise<void> | undefined {
  return (bytes) => memory.take(bytes * BODY_FACTOR, { signal, reserve: false });
}

function queryOf({ target }: Exchange): string {
  return 'query' in target ? target.query : '';
}
