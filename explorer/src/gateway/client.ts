/** The client of the gateway that serves the page. */
import { signal } from '@preact/signals';
import { createClient, isZarrqlError } from 'zarrql-client';

const STORAGE_KEY = 'zarrql.token';

/** Only the explorer's page has this element. */
const graphiqlMark = document.querySelector('meta[name=graphiql]');

/**
 * GraphiQL's page has the address of the gateway. The explorer's page is beside it: the address is relative, so that it
 * also works below the prefix of a proxy.
 */
export const endpoint = new URL(graphiqlMark === null ? location.pathname : 'graphql', document.baseURI).href;

/** Whether the gateway serves GraphiQL. */
export const hasGraphiql = graphiqlMark?.getAttribute('content') !== 'off';

/** Number of tokens entered so far. A change repeats requests that failed without a token. */
export const tokenVersion = signal(0);
export const wantsToken = signal(false);

/** Stored until the tab is closed. */
let token = sessionStorage.getItem(STORAGE_KEY) ?? '';

export function enterToken(text: string): void {
  token = text.trim().replace(/^Bearer\s+/i, '');
  sessionStorage.setItem(STORAGE_KEY, token);
  wantsToken.value = false;
  tokenVersion.value += 1;
}

/** Headers set by the surrounding page, which replace the token. */
let ownHeaders: () => Record<string, string> = () => ({});

export function sendHeaders(headers: () => Record<string, string>): void {
  ownHeaders = headers;
}

export const client = createClient({
  url: endpoint,
  headers(): Record<string, string> {
    const headers: Record<string, string> = token === '' ? {} : { authorization: `Bearer ${token}` };
    for (const [name, value] of Object.entries(ownHeaders())) headers[name.toLowerCase()] = value;
    return headers;
  },
});

/** Prompts for a token if the gateway requires one. */
export function noteError(error: unknown): void {
  if (isZarrqlError(error, 'UNAUTHENTICATED')) wantsToken.value = true;
}
