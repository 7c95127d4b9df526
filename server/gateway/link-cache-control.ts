/** The `cache-control` header of responses to links. */
import type { GatewayParts } from '../resolvers/context.js';
import type { PolicyOf } from './pipeline/cache-control.js';
import type { CachePolicy } from './options.js';

export interface LinkServerParts extends GatewayParts {
  readonly policyOf: PolicyOf;
}

/** Without a policy, caches ask for changes of the values after this time. */
const DEFAULT_SECONDS = 60;

/**
 * The value of `Cache-Control`.
 * @param etag undefined if caches could not detect changes of the values
 * @param expires when the link does, in seconds since 1970
 * @param policy that of the store
 */
export function linkCacheControl(
  etag: string | undefined,
  expires: number,
  policy: CachePolicy | undefined,
): string {
  if (etag === undefined) return 'private, no-store';
  const isImmutable = policy?.immutable === true;
  const longest = isImmutable ? Infinity : (policy?.maxAgeSeconds ?? DEFAULT_SECONDS);
  const seconds = Math.min(longest, Math.max(0, Math.floor(expires - Date.now() / 1000)));
  const audience = policy?.public === true ? 'public' : 'private';
  return `${audience}, max-age=${seconds}${isImmutable ? ', immutable' : ''}`;
}
