import { chooseMediaType } from '../transport/accept.js';
import { eventStreamMediaType } from '../transport/event-stream.js';
import { resultMediaTypes } from '../transport/result-response.js';

const page = 'text/html';
/** The page comes last: a range such as `text/*`, which does not name it, chooses a form of results. */
const offered = [...resultMediaTypes, eventStreamMediaType, page] as const;

/**
 * Whether a request for the endpoint is for GraphiQL's page; every other one is for an operation. This is the only place
 * that decides it, so that a request cannot be admitted as the one and answered as the other. Browsers that open an
 * address name HTML before anything else.
 */
export function isForPage(method: string, accept: string | null | undefined): boolean {
  return (method === 'GET' || method === 'HEAD') && chooseMediaType(accept ?? null, offered) === page;
}
