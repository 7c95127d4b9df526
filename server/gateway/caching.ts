/**
 * Answers to GET that others may keep: a validator of what they hold, "not modified" for those who have it already, and
 * how long they may be used unasked, by the policies of the stores that were asked.
 */
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { GatewayContext } from '../resolvers/context.js';
import { resultDigest } from '../transport/result-digest.js';
import { chooseResultMediaType, shownResult } from '../transport/result-response.js';
import type { CachePolicy, CallerNotes } from './options.js';
import { matchesValidator } from './validators.js';

type CachedRequest = GatewayContext & CallerNotes & { readonly request?: Request };

/** Comes after the plugin that writes results. @param policyOf a store's policy, by its name */
export function useCaching(policyOf: (store: string) => CachePolicy | undefined): Plugin<CachedRequest> {
  const contexts = new WeakMap<Request, CachedRequest>();
  return {
    onExecute({ args }) {
      const context: CachedRequest = args.contextValue;
      if (context.request?.method === 'GET') contexts.set(context.request, context);
    },
    onResultProcess(payload) {
      const { request, result, resultProcessor } = payload;
      if (request.method !== 'GET' || resultProcessor === undefined) return;
      if (isAsyncIterable(result) || Array.isArray(result)) return;
      const mediaType = chooseResultMediaType(request);
      if (mediaType === undefined) return;
      const context = contexts.get(request);
      if (context === undefined || (result.errors !== undefined && result.errors.length > 0)) {
        payload.setResultProcessor(async (...written) => {
          const response = await resultProcessor(...written);
          response.headers.set('cache-control', 'no-store');
          return response;
        }, mediaType);
        return;
      }
      payload.setResultProcessor(async (written, fetchAPI, accepted) => {
        const digest = await resultDigest(mediaType, shownResult(result));
        const etag = `"${digest.slice(0, 27)}"`;
        const cacheControl = cacheControlOf(context, policyOf);
        if (matchesValidator(request.headers.get('if-none-match'), etag))
          return new fetchAPI.Response(null, {
            status: 304,
            headers: { etag, 'cache-control': cacheControl, vary: 'Accept' },
          });
        const response = await resultProcessor(written, fetchAPI, accepted);
        response.headers.set('etag', etag);
        response.headers.set('cache-control', cacheControl);
        return response;
      }, mediaType);
    },
  };
}

/** The shortest of the stores' times, and public only where all of them are. */
function cacheControlOf(
  { asked, shared = false }: CachedRequest,
  policyOf: (store: string) => CachePolicy | undefined,
): string {
  let maxAgeSeconds = Infinity;
  let isPublic = shared;
  for (const store of asked) {
    const policy = policyOf(store);
    maxAgeSeconds = Math.min(maxAgeSeconds, policy?.maxAgeSeconds ?? 0);
    if (policy?.public !== true) isPublic = false;
  }
  // An answer about no store at all, such as the schema, changes with the gateway.
  if (maxAgeSeconds === 0 || maxAgeSeconds === Infinity) return 'private, no-cache';
  return `${isPublic ? 'public' : 'private'}, max-age=${maxAgeSeconds}`;
}
