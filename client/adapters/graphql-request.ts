/**
 * Runs graphql-request on this package's client: `new GraphQLClient(url, graphqlRequestOptions(client))`.
 * graphql-request parses the text of a response with its serializer. The text is therefore a key, by which our
 * serializer looks up the result.
 */
import { errorsOf } from './graphql-errors.js';
import type { GraphQLSender } from './graphql-errors.js';
import { isRecord } from '../json/json.js';
import { toExactVariables } from '../ndarray/values-input.js';
import { writeJson } from '../transport/request-body.js';

/** Options for graphql-request. The library uses its `url` only in error messages. */
export interface GraphQLRequestOptions {
  readonly fetch: (url: unknown, init?: { body?: unknown; signal?: AbortSignal | null }) => Promise<Response>;
  readonly jsonSerializer: {
    parse(text: string): unknown;
    stringify(value: unknown): string;
  };
}

/**
 * Values arrive as NDArrays if the gateway supports CBOR, and reads are retried. Each document of a batch is sent
 * separately, at the same time.
 */
export function graphqlRequestOptions(client: Pick<GraphQLSender, 'query'>): GraphQLRequestOptions {
  const responses = new Map<string, unknown>();
  let tickets = 0;
  const run = async (request: unknown, signal: AbortSignal | undefined): Promise<unknown> => {
    if (!isRecord(request)) throw new TypeError('a request must be an object with a query');
    const { data, errors } = await client.query(String(request['query']), request['variables'], { signal });
    return { data: data ?? null, ...errorsOf(errors) };
  };
  return {
    async fetch(_url, init = {}) {
      if (typeof init.body !== 'string')
        throw new TypeError('the method GET is not supported; use the client option persisted');
      const request: unknown = JSON.parse(init.body);
      const signal = init.signal ?? undefined;
      const response = Array.isArray(request)
        ? await Promise.all(request.map((each: unknown) => run(each, signal)))
        : await run(request, signal);
      const ticket = `zarrql result ${(tickets += 1)}`;
      responses.set(ticket, response);
      return new Response(ticket, { headers: { 'content-type': 'application/json' } });
    },
    jsonSerializer: {
      parse(text) {
        const response = responses.get(text);
        if (response === undefined) return JSON.parse(text) as unknown;
        responses.delete(text);
        return response;
      },
      stringify: (value) => writeJson(toExactVariables(value)),
    },
  };
}
