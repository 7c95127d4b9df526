/** The GraphQL endpoint: admits a request and passes it to the gateway. */
import { isForPage } from '../gateway/pipeline/write.js';
import { storeTargetOf } from '../gateway/typed-endpoint.js';
import { REQUEST_BYTES } from '../memory/sizes.js';
import type { AccessControl } from './access-control.js';
import { createEncodingCache } from './compression.js';
import { type Exchange, respondWithProblem } from './exchange.js';
import { begin, type Handler, type HandlerParts, type Running } from './gateway-handler.js';
import type { HttpServerParts } from './options.js';
import { unknownPath, wrongMethod } from './problem.js';
import { createBodyReceiver } from './receive-body.js';
import { GRAPHQL_PATH } from './routes.js';

export function createGraphqlRoute(
  { config, gateway, runHandler }: HandlerParts & Pick<HttpServerParts, 'config'>,
  access: AccessControl,
  running: Running,
): (exchange: Exchange) => Promise<void> {
  const receiveBody = createBodyReceiver(config);
  const pages = createEncodingCache();
  const texts = createEncodingCache();

  async function sendPage(exchange: Exchange, store: string | undefined): Promise<void> {
    const caller = await access.admitToPage(exchange);
    if (caller === undefined) return;
    const handler: Handler = async ({ headers }) => {
      const page = gateway.handlePage(
        { store, query: exchange.query, ifNoneMatch: headers['if-none-match'] },
        caller,
      );
      if (page === undefined) throw new TypeError('GraphiQL is enabled, but its page is not loaded');
      return page;
    };
    await runHandler(exchange, begin(exchange, running), handler, pages);
  }

  async function sendSchema(exchange: Exchange, store: string): Promise<void> {
    const controller = begin(exchange, running);
    const caller = await access.admitOperation(exchange);
    if (caller === undefined) return;
    if (exchange.method !== 'GET' && exchange.method !== 'HEAD') {
      respondWithProblem(exchange, wrongMethod(exchange.method, exchange.path, ['GET', 'HEAD', 'OPTIONS']));
      return;
    }
    const handler: Handler = ({ headers }) =>
      gateway.handleSchema({ store, ifNoneMatch: headers['if-none-match'] }, caller);
    await runHandler(exchange, controller, handler, texts);
  }

  return async (exchange) => {
    const isGeneric = exchange.path === GRAPHQL_PATH;
    const target = isGeneric ? undefined : storeTargetOf(exchange.path, GRAPHQL_PATH);
    if (target === undefined && !isGeneric) {
      respondWithProblem(exchange, unknownPath(exchange.path, [GRAPHQL_PATH, `${GRAPHQL_PATH}/STORE`]));
      return;
    }
    const store = target?.store;
    if (target?.isSchema === true) return sendSchema(exchange, target.store);
    if (config.graphiql && isForPage(exchange.method, exchange.incoming.headers.accept))
      return sendPage(exchange, store);
    const controller = begin(exchange, running);
    const { signal } = controller;
    const caller = await access.admitOperation(exchange);
    if (caller === undefined) return;
    const { query } = exchange;
    await exchange.memory.take(REQUEST_BYTES, { signal });
    const body = exchange.method === 'POST' ? await receiveBody(exchange, exchange.memory, signal) : null;
    if (body === undefined) return;
    // HEAD runs like GET; its response is sent without the body.
    const method = body === null ? 'GET' : 'POST';
    await runHandler(exchange, controller, ({ loans, ...request }) =>
      gateway.handleOperation({ store, method, query, body, ...request }, { loans, ...caller }),
    );
  };
}
