import { answerOfResponse } from '../gateway/answer.js';
import type { CallerOptions } from '../gateway/options.js';
import { isForPage } from '../gateway/page-or-operation.js';
import type { MemoryLease } from '../memory/lease.js';
import { BODY_FACTOR, PARSED_BODY_FACTOR, REQUEST_BYTES } from '../memory/sizes.js';
import type { Gatekeeper } from './admission.js';
import { type AskGateway, begin, createGatewaySender, type Running } from './ask-gateway.js';
import { readBody } from './body.js';
import { createEncodingMemory } from './compression.js';
import { answerProblem, type Exchange } from './exchange.js';
import type { HttpServerParts } from './options.js';
import { bodyTooLarge, encodedBody } from './problem.js';
import { graphqlPath } from './routes.js';

/** What parsing makes of a smaller one is a part of every request's memory. */
const SMALL_BODY_BYTES = 2 ** 13;

/** Memory for a body as it arrives. A slow sender must not use the reserve. */
function reserver(memory: MemoryLease, signal: AbortSignal): (bytes: number) => Promise<void> | undefined {
  return (bytes) => memory.take(bytes * BODY_FACTOR, { signal, reserve: false });
}

/** Hands operations to the gateway with their whole body, bounded, and serves GraphiQL's page. */
export function createGraphqlRoute(
  { config, gateway }: Pick<HttpServerParts, 'config' | 'gateway'>,
  gatekeeper: Gatekeeper,
  running: Running,
): (exchange: Exchange) => Promise<void> {
  const send = createGatewaySender({ config, gateway });
  const pages = createEncodingMemory();
  const origin = config.publicUrl === undefined ? 'http://localhost' : new URL(config.publicUrl).origin;

  async function sendPage(exchange: Exchange): Promise<void> {
    const caller = gatekeeper.admitToPage(exchange);
    if (caller === undefined) return;
    const query = queryOf(exchange);
    const ask: AskGateway = async ({ headers }) => {
      const page = gateway.answerPage({ query, ifNoneMatch: headers['if-none-match'] }, caller);
      if (page === undefined) throw new TypeError('the gateway has no page, though its option is on');
      return page;
    };
    await send(exchange, begin(exchange, running), ask, pages);
  }

  function askOperation(
    exchange: Exchange,
    body: Buffer<ArrayBuffer> | null,
    caller: CallerOptions,
  ): AskGateway {
    const query = queryOf(exchange);
    return async ({ signal, headers }) => {
      // Parameters of the address may be a part of the request.
      if (body !== null && query === '') {
        const { 'content-type': contentType, accept } = headers;
        const known = gateway.answerKnown({ contentType, accept, body, signal }, caller);
        if (known !== undefined) return known;
      }
      const address = `${origin}${graphqlPath}${query === '' ? '' : `?${query}`}`;
      // For HEAD the body is left out when it is sent; what GraphQL makes of it is the same.
      const method = exchange.method === 'HEAD' ? 'GET' : exchange.method;
      const request = new gateway.Request(address, { method, headers, body, signal });
      return answerOfResponse(await gateway.fetchOperation(request, caller));
    };
  }

  return async (exchange) => {
    const { incoming, method } = exchange;
    if (config.graphiql && isForPage(method, incoming.headers.accept)) return sendPage(exchange);
    const controller = begin(exchange, running);
    const caller = await gatekeeper.admitOperation(exchange);
    if (caller === undefined) return;
    const { memory } = exchange;
    await memory.take(REQUEST_BYTES, { signal: controller.signal });
    let body: Buffer<ArrayBuffer> | null = null;
    if (method === 'POST') {
      const coding = incoming.headers['content-encoding'];
      if (coding !== undefined && coding.trim().toLowerCase() !== 'identity') {
        incoming.resume();
        answerProblem(exchange, encodedBody(coding));
        return;
      }
      const result = await readBody(incoming, config.maxBodyBytes, reserver(memory, controller.signal));
      if (result.kind === 'gone') return;
      if (result.kind === 'tooLarge') {
        answerProblem(exchange, bodyTooLarge(config.maxBodyBytes, result.needed));
        return;
      }
      body = result.bytes;
      if (body.length > SMALL_BODY_BYTES)
        await memory.take(body.length * PARSED_BODY_FACTOR, { signal: controller.signal });
    }
    await send(exchange, controller, askOperation(exchange, body, caller));
  };
}

function queryOf({ target }: Exchange): string {
  return 'query' in target ? target.query : '';
}
