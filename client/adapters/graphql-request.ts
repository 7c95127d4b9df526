/**
 * graphql-request over this package's client: `new GraphQLClient(url, graphqlRequestOptions(client))`. That library
 * reads an answer's text and parses it; here the text is a ticket, for which its serializer hands out the answer.
 */
import { errorsOf } from './graphql-errors.js';
import type { GraphQLSender } from './graphql-errors.js';
import { isRecord } from '../json/json.js';
import { toExactVariables } from '../ndarray/values-input.js';
import { writeJson } from '../transport/request-body.js';

/** What graphql-request takes as options; its own `url` only labels errors. */
export interface GraphQLRequestOptions {
  readonly fetch: (url: unknown, init?: { body?: unknown; signal?: AbortSignal | null }) => Promise<Response>;
  readonly jsonSerializer: {
    parse(text: string): unknown;
    stringify(value: unknown): string;
  };
}

/** Values come as NDArrays over CBOR; reads are sent again where that helps. */
export function graphqlRequestOptions(client: Pick<GraphQLSender, 'query'>): GraphQLRequestOptions {
  const answers = new Map<string, unknown>();
  let tickets = 0;
  return {
    async fetch(_url, init = {}) {
      if (typeof init.body !== 'string')
        throw new TypeError('leave out the method GET: what travels how is up to the client (persisted)');
      const request: unknown = JSON.parse(init.body);
      if (!isRecord(request)) throw new TypeError('batches of documents are not sent as one: ask for each');
      const { query, variables } = request;
      const { data, errors } = await client.query(String(query), variables, {
        signal: init.signal ?? undefined,
      });
      const ticket = `zarrql answer ${(tickets += 1)}`;
      answers.set(ticket, { data: data ?? null, ...errorsOf(errors) });
      return new Response(ticket, { headers: { 'content-type': 'application/json' } });
    },
    jsonSerializer: {
      parse(text) {
        const answer = answers.get(text);
        if (answer === undefined) return JSON.parse(text) as unknown;
        answers.delete(text);
        return answer;
      },
      stringify: (value) => writeJson(toExactVariables(value)),
    },
  };
}
