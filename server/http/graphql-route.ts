/** The GraphQL endpoint: admits a request and passes it to the gateway. */
import { isForPage } from '../gateway/pipeline/write.js';
import { createLentResults } from '../memory/lent-results.js';
import { REQUEST_BYTES } from '../memory/sizes.js';
import type { AccessControl } from './access-control.js';
import { createEncodingCache } from './compression.js';
import type { Exchange } from './exchange.js';
import { begin, createHandlerRunner, type Handler, type Running } from './gateway-handler.js';
import type { HttpServerParts } from './options.js';
import { createBodyReceiver } from './receive-body.js';

export function createGraphqlRoute(
  { config, gateway }: Pick<HttpServerParts, 'config' | 'gateway'>,
  access: AccessControl,
  running: Running,
): (exchange: Exchange) => Promise<void> {
  const runHandler = createHandlerRunner({ config, gateway });
  const receiveBody = createBodyReceiver(config);
  const pages = createEncodingCache();
  const results = createLentResults();

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

  return async (exchange) => {
    if (config.graphiql && isForPage(exchange.method, exchange.incoming.headers.accept))
      return sendPage(exchange);
    const controller = begin(exchange, running);
    const { signal } = controller;
    const caller = await access.admitOperation(exchange);
    if (caller === undefined) return;
    const { outgoing, query } = exchange;
    await exchange.memory.take(REQUEST_BYTES, { signal });
    const body = exchange.method === 'POST' ? await receiveBody(exchange, exchange.memory, signal) : null;
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
