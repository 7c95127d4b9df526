/**
 * Runs the pipeline within GraphQL Yoga, which routes requests, checks methods and converts failures to
 * results. The steps of the pipeline replace Yoga's. Options that are off: CORS (its default allows every
 * origin with credentials), the body limit (it copies every body; the server in front has one), the health
 * check and landing page (the gateway has one endpoint), GraphiQL (Yoga's page sends no
 * Content-Security-Policy and ignores the rights of callers: see graphiql.ts).
 *
 * Yoga's CSRF plugin is not used, because it also requires a header for GET, which GraphQL over HTTP
 * forbids.
 */
import { randomUUID } from 'node:crypto';
import type { GraphQLError, GraphQLSchema } from 'graphql';
import { createYoga, isAsyncIterable, type Plugin } from 'graphql-yoga';
import {
  createResponseConversion,
  type RawResponse,
  type ResponseConversion,
} from '../transport/response.js';
import type { SingleResult } from '../transport/graphql-response.js';
import { batchRefusal, createBatchRunner, writeBatch } from './batch.js';
import type { OperationHttpRequest } from './options.js';
import { notAcceptable, unsupportedBody } from './http-errors.js';
import { bodyParserFor, mediaTypeOf, parseUrlParameters } from './pipeline/parameters.js';
import type { CallerScope, Pipeline } from './pipeline/pipeline.js';
import { isResultStream } from './pipeline/subscribe.js';
import { acceptedBy, acceptsResponse, writeResult } from './pipeline/write.js';
import { nextTurn } from '../zarr/index.js';

/** A caller, and the pipeline of the schema that it requests. */
interface YogaScope extends CallerScope {
  readonly pipeline: Pipeline;
}

export function createYogaServer(
  schema: GraphQLSchema,
  { endpoint, maxBatchOperations }: { readonly endpoint: string; readonly maxBatchOperations: number },
  show: (error: unknown) => GraphQLError,
) {
  const conversion = (): ResponseConversion => responses;
  const yoga = createYoga<YogaScope>({
    schema,
    graphqlEndpoint: endpoint,
    plugins: [
      useAcceptCheck(conversion),
      usePipeline(maxBatchOperations, conversion),
      useCsrfGuard(conversion),
    ],
    maskedErrors: { maskError: show },
    cors: false,
    graphiql: false,
    // Larger batches are rejected when the body has been parsed.
    batching: { limit: Math.max(1, maxBatchOperations) },
    landingPage: false,
    // Yoga's health check responds to every URL that ends with its path, and cannot be disabled.
    healthCheckEndpoint: `/${randomUUID()}`,
    maxRequestBodySize: false,
    logging: false,
  });
  const responses = createResponseConversion(yoga.fetchAPI.Response);
  const fetch = async (request: Request, caller: YogaScope): Promise<RawResponse> =>
    responses.toRaw(await yoga.fetch(request, caller));
  return {
    /** Handles a request. Rejects if the request's signal fires. */
    fetch,
    /** Like `fetch`, for a request as plain data. */
    handle(
      { method, query, headers, body, signal }: OperationHttpRequest,
      caller: YogaScope,
    ): Promise<RawResponse> {
      const url = `http://localhost${endpoint}${query === '' ? '' : `?${query}`}`;
      return fetch(new yoga.fetchAPI.Request(url, { method, headers, body, signal }), caller);
    },
    Request: yoga.fetchAPI.Request,
    close: async (): Promise<void> => yoga.dispose(),
  };
}

/** Size in bytes above which bodies are parsed one per turn of the event loop. */
const LONG_BODY_BYTES = 2 ** 16;

/** A Yoga plugin that calls the steps of the pipeline. */
function usePipeline(
  maxBatchOperations: number,
  responses: () => ResponseConversion,
): Plugin<object, YogaScope> {
  const batches = new WeakMap<Request, ReturnType<typeof createBatchRunner>>();
  return {
    onRequestParse({ request, serverContext, setRequestParser }) {
      if (request.method === 'GET') setRequestParser(({ url }) => parseUrlParameters(url));
      const parseBody = bodyParserFor(request.headers.get('content-type'));
      if (request.method === 'POST' && parseBody !== undefined)
        setRequestParser(async (incoming) => {
          const bytes = Buffer.from(await incoming.arrayBuffer());
          // Parsing takes milliseconds per megabyte: each long body has a turn of the event loop, with its validation.
          if (bytes.length > LONG_BODY_BYTES) await nextTurn();
          const body = parseBody(bytes);
          if (!Array.isArray(body)) return body;
          const refusal = batchRefusal(body, request.headers.get('accept'), maxBatchOperations);
          if (refusal !== undefined) return responses().toResponse(refusal);
          batches.set(request, createBatchRunner(serverContext.pipeline, serverContext));
          return body;
        });
    },
    async onParams({ params, request, context, setParams, setParamsHandler }) {
      const runInBatch = batches.get(request);
      if (runInBatch !== undefined) {
        // Yoga checks that there is a query. The pipeline reports invalid parameters.
        setParams({ query: '' });
        setParamsHandler(() => runInBatch(params, request.signal));
        return;
      }
      const { pipeline } = context;
      await pipeline.prepare(params);
      const resolved = pipeline.resolve(params);
      // Yoga checks that there is a query.
      setParams({ query: resolved.document.text });
      const transport = request.method === 'GET' ? 'GET' : 'POST';
      const inParts = acceptedBy(request.headers.get('accept')).parts !== undefined;
      setParamsHandler(() =>
        pipeline.run(resolved, { ...context, transport, inParts, signal: request.signal }),
      );
    },
    onResultProcess(payload) {
      const { request, result } = payload;
      const { method, headers } = request;
      const accept = headers.get('accept');
      if (Array.isArray(result)) {
        const results: readonly SingleResult[] = result;
        payload.setResultProcessor(
          async () => responses().toResponse(await writeBatch(results, accept)),
          '*/*',
        );
        return;
      }
      // Yoga passes the pipeline's results through; no other result is a stream.
      if (isAsyncIterable(result) && !isResultStream(result)) return;
      const ifNoneMatch = headers.get('if-none-match');
      payload.setResultProcessor(
        async () =>
          responses().toResponse(
            await writeResult(result, { method, accepted: acceptedBy(accept), ifNoneMatch }),
          ),
        '*/*',
      );
    },
  };
}

/** Rejects requests that accept no supported media type, before they run. */
function useAcceptCheck(responses: () => ResponseConversion): Plugin {
  return {
    onRequestParse({ request, endResponse }) {
      if (!acceptsResponse(acceptedBy(request.headers.get('accept'))))
        endResponse(responses().toResponse(notAcceptable()));
    },
  };
}

/** Media types that web pages can post to other origins without a CORS preflight request. */
const simpleTypes = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'];

/** Prevents cross-site request forgery. Bodies without a parser get the same response. */
function useCsrfGuard(responses: () => ResponseConversion): Plugin {
  return {
    onRequestParse({ request, requestParser, endResponse }) {
      if (request.method !== 'POST') return;
      const isSimple = simpleTypes.includes(mediaTypeOf(request.headers.get('content-type')));
      if (isSimple || requestParser === undefined) endResponse(responses().toResponse(unsupportedBody()));
    },
  };
}
