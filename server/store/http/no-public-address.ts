/**
 * Browser versions of the functions in public-address.ts. Browsers check connections and hide redirects. No
 * host counts as public, so redirects to other hosts from a custom `fetch` are rejected.
 */
import type * as node from './public-address.js';

export const isAddress: typeof node.isAddress = () => true;

export const isPublicAddress: typeof node.isPublicAddress = () => false;
