import { chooseMediaType } from '../transport/accept.js';
import { responseMediaTypes } from './pipeline/write.js';

const PAGE = 'text/html';
/** HTML must be last, so that a range such as `text/*` selects a media type of results. */
const offered = [...responseMediaTypes, PAGE] as const;

/**
 * Whether a request to the endpoint is for the GraphiQL page or for an operation. This is the only place
 * that decides, so that admission and handling agree. Browsers list HTML first.
 */
export function isForPage(method: string, accept: string | null | undefined): boolean {
  return (method === 'GET' || method === 'HEAD') && chooseMediaType(accept ?? null, offered) === PAGE;
}
