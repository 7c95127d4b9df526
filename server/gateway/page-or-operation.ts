import { chooseMediaType } from '../transport/accept.js';
import { responseMediaTypes } from './pipeline/write.js';

const PAGE = 'text/html';
/** The page comes last, so that a range such as `text/*` selects a media type of results. */
const offered = [...responseMediaTypes, PAGE] as const;

/**
 * Whether a request to the endpoint is for the GraphiQL page; every other one is for an operation. No other code
 * decides this, so that no request is admitted as one and handled as the other. Browsers list HTML first.
 */
export function isForPage(method: string, accept: string | null | undefined): boolean {
  return (method === 'GET' || method === 'HEAD') && chooseMediaType(accept ?? null, offered) === PAGE;
}
