/**
 * The functions of public-address.ts for browsers, which check connections and hide redirects. No other
 * host counts as public, so that redirects from a custom `fetch` are refused.
 */
import type * as node from './public-address.js';

export const isAddress: typeof node.isAddress = () => true;

export const isPublicAddress: typeof node.isPublicAddress = () => false;
