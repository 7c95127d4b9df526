/** Error responses to requests for a link. */
import type { GraphQLError } from 'graphql';
import { rawResponse, type RawResponse } from '../transport/response.js';

/** The link has expired; its signature is valid. */
export class ExpiredError extends Error {
  override readonly name = 'ExpiredError';

  constructor() {
    super('the link has expired; request a new one');
  }
}

/** @param show converts an error to the form that clients may see */
export function problemOf(
  error: unknown,
  show: (error: unknown) => GraphQLError,
  observe: (shown: GraphQLError) => void,
): RawResponse {
  if (error instanceof ExpiredError) return problem(error.message, 'FORBIDDEN', 410);
  const shown = show(error);
  observe(shown);
  return refusal(shown);
}

function refusal(error: GraphQLError): RawResponse {
  const { http, code, ...more } = error.extensions;
  const status: unknown =
    typeof http === 'object' && http !== null && 'status' in http ? http.status : undefined;
  return problem(
    error.message,
    String(code),
    typeof status === 'number' ? status : 500,
    headersIn(http),
    more,
  );
}

function headersIn(http: unknown): Record<string, string> {
  const headers: unknown = typeof http === 'object' && http !== null && 'headers' in http ? http.headers : {};
  return typeof headers === 'object' && headers !== null
    ? Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    : {};
}

export function problem(
  message: string,
  code: string,
  status: number,
  headers: Record<string, string> = {},
  more: Record<string, unknown> = {},
): RawResponse {
  const body = `${JSON.stringify({ errors: [{ message, extensions: { code, ...more } }] })}\n`;
  const own = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers };
  return rawResponse([Buffer.from(body, 'utf8')], status, own);
}
