/**
 * The functions of public-address.ts in browsers, which check connections themselves and show no redirects: no other host
 * counts as public, so that a redirect that a custom `fetch` shows is refused.
 */
import type * as node from './public-address.js';

export const isAddress: typeof node.isAddress = () => true;

export const isPublicAddress: typeof node.isPublicAddress = () => false;
