/** The `Cache-Control` header, derived from the policies of the stores that the operation used. */
import type { ExecutionResult } from 'graphql';
import type { GatewayParts } from '../../resolvers/context.js';
import type { CachePolicy } from '../options.js';
import { memberOf } from './parameters.js';

/** @returns undefined for stores without a policy */
export type PolicyOf = (store: string) => CachePolicy | undefined;

/**
 * The value of `Cache-Control`: the shortest of the stores' times, and public only if all of them are
 * public.
 * @param stores names of the stores that were used
 * @param shared whether all callers would receive the same response
 */
export function cacheControlFor(stores: readonly string[], shared: boolean, policyOf: PolicyOf): string {
  let maxAgeSeconds = Infinity;
  let isPublic = shared;
  for (const store of stores) {
    const policy = policyOf(store);
    maxAgeSeconds = Math.min(maxAgeSeconds, policy?.maxAgeSeconds ?? 0);
    if (policy?.public !== true) isPublic = false;
  }
  // A response that depends on no store, such as the schema, may change when the gateway is updated.
  if (maxAgeSeconds === 0 || maxAgeSeconds === Infinity) return 'private, no-cache';
  return `${isPublic ? 'public' : 'private'}, max-age=${maxAgeSeconds}`;
}

/** Adds the header to a result, in `extensions.http`, which is never sent. */
export function withCacheControl(result: ExecutionResult, value: string): ExecutionResult {
  return { ...result, extensions: { ...result.extensions, http: { headers: { 'cache-control': value } } } };
}

/** The value that `withCacheControl` added. */
export function cacheControlOf({ extensions }: ExecutionResult): string | undefined {
  const value = memberOf(memberOf(extensions?.['http'], 'headers'), 'cache-control');
  return typeof value === 'string' ? value : undefined;
}

export interface LinkServerParts extends GatewayParts {
  readonly policyOf: PolicyOf;
}

/** Time after which caches revalidate the values, unless the policy of the store sets another one. */
const DEFAULT_SECONDS = 60;

/**
 * The value of `Cache-Control`.
 * @param etag ETag of the file; undefined if caches could not detect changes of the values
 * @param expires expiry of the link, in seconds since 1970
 * @param policy policy of the store
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

/** Whether `If-None-Match` names an ETag, by weak comparison (RFC 9110, section 13.1.2). */
export function matchesEtag(header: string | null | undefined, etag: string): boolean {
  if (header === null || header === undefined) return false;
  return header
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*');
}
