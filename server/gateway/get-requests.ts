/** Queries as the parameters of a URL: `documentId` too, and what is no JSON is the client's mistake. */
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { parseRequestJson } from './json-requests.js';

export function useGetRequests(): Plugin {
  return {
    onRequestParse({ request, setRequestParser }) {
      if (request.method === 'GET') setRequestParser(({ url }) => parseGetRequest(url));
    },
  };
}

/** @throws GraphQLError */
function parseGetRequest(url: string): GraphQLParams & { readonly documentId?: string } {
  const at = url.indexOf('?');
  const given = new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
  const text = (name: string) => given.get(name) || undefined;
  const params: Record<string, unknown> = {};
  for (const name of ['query', 'documentId', 'operationName'])
    if (text(name) !== undefined) params[name] = text(name);
  for (const name of ['variables', 'extensions']) {
    const json = text(name);
    if (json !== undefined) params[name] = parseRequestJson(json, `the parameter "${name}"`);
  }
  return params;
}
