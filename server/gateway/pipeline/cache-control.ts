/** The `Cache-Control` header, derived from the policies of the stores that the operation used. */
import type { ExecutionResult } from 'graphql';
import type { CachePolicy } from '../options.js';

/** @returns undefined for stores without a policy */
export type PolicyOf = (store: string) => CachePolicy | undefined;

/**
 * The value of `Cache-Control`: the shortest of the stores' times, and public only if all of them are
 * public.
 * @param stores names of the stores that were used
 * @param shared whether all callers would receive the same response
 */
export function cacheControlFor(stores: ReadonlySet<string>, shared: boolean, policyOf: PolicyOf): string {
  let maxAgeSeconds = Infinity;
  let isPublic = shared;
  for (const store of stores) {
    const policy = policyOf(store);
    maxAgeSeconds = Math.min(maxAgeSeconds, policy?.maxAgeSeconds ?? 0);
    if (policy?.public !== true) isPublic = false;
  }
  // A response that used no store, such as the schema, changes with the gateway.
  if (maxAgeSeconds === 0 || maxAgeSeconds === Infinity) return 'private, no-cache';
  return `${isPublic ? 'public' : 'private'}, max-age=${maxAgeSeconds}`;
}

/** Adds the header to a result, in `extensions.http`, which is never sent. */
export function withCacheControl(result: ExecutionResult, value: string): ExecutionResult {
  return { ...result, extensions: { ...result.extensions, http: { headers: { 'cache-control': value } } } };
}

/** What `withCacheControl` added. */
export function cacheControlOf({ extensions }: ExecutionResult): string | undefined {
  const value = member(member(extensions?.['http'], 'headers'), 'cache-control');
  return typeof value === 'string' ? value : undefined;
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
