/** The client of the gateway that serves the page. */
import { signal } from '@preact/signals';
import { createClient, isZarrqlError } from 'zarrql-client';

const STORAGE_KEY = 'zarrql.token';

/** An element that exists only in the explorer's page. */
const graphiqlMark = document.querySelector('meta[name=graphiql]');

/**
 * URL of the endpoint. GraphiQL is served at the endpoint itself. The explorer uses a relative URL, which also works
 * below the prefix of a proxy.
 */
export const endpoint = new URL(graphiqlMark === null ? location.pathname : 'graphql', document.baseURI).href;

/** Whether the gateway serves GraphiQL. */
export const hasGraphiql = graphiqlMark?.getAttribute('content') !== 'off';

/** Number of tokens entered so far. A new token repeats the requests that failed without one. */
export const tokenVersion = signal(0);
export const wantsToken = signal(false);

/** The access token, stored until the tab is closed. */
let token = sessionStorage.getItem(STORAGE_KEY) ?? '';

export function enterToken(text: string): void {
  token = text.trim().replace(/^Bearer\s+/i, '');
  sessionStorage.setItem(STORAGE_KEY, token);
  wantsToken.value = false;
  tokenVersion.value += 1;
}

/** Headers that the GraphiQL page sets. `authorization` among them replaces the token. */
let ownHeaders: () => Record<string, string> = () => ({});

export function sendHeaders(headers: () => Record<string, string>): void {
  ownHeaders = headers;
}

function headers(): Record<string, string> {
  const all: Record<string, string> = token === '' ? {} : { authorization: `Bearer ${token}` };
  for (const [name, value] of Object.entries(ownHeaders())) all[name.toLowerCase()] = value;
  return all;
}

export const client = createClient({ url: endpoint, headers });

/** URL of the endpoint with the schema of a store. */
export function endpointOf(store: string): string {
  return `${endpoint}/${store.split('/').map(encodeURIComponent).join('/')}`;
}

/** The SDL of the schema of a store. @returns undefined if the gateway serves none */
export async function loadSchema(store: string, signal: AbortSignal): Promise<string | undefined> {
  const response = await fetch(`${endpointOf(store)}/schema.graphql`, { headers: headers(), signal });
  return response.ok ? response.text() : undefined;
}

/** Prompts for a token if the gateway requires one. */
export function noteError(error: unknown): void {
  if (isZarrqlError(error, 'UNAUTHENTICATED')) wantsToken.value = true;
}
