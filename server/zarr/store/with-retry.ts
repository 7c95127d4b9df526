/** A store that tries again where another one was not available. */
import { assertRequest } from './conditions.js';
import { isZarrError } from '../errors.js';
import { runWithRetry } from './retry.js';
import type { RetryHint, RetryPolicy } from './retry.js';
import type { KeyStore } from './store.js';
import { wrapStore } from './wrap.js';

/**
 * Wraps a store so that reads and listings that end with STORE_UNAVAILABLE are tried again; of many requests only those
 * that have no answer yet. Writes are not repeated: one that failed may have been done.
 */
export function withRetry(store: KeyStore, policy: RetryPolicy): KeyStore {
  return wrapStore(store, {
    async getMany(requests, each, options) {
      for (const request of requests) assertRequest(request);
      let open = requests.map((request, index) => ({ request, index }));
      await runWithRetry(
        policy,
        async () => {
          const asked = open;
          const answered = new Set<number>();
          try {
            await store.getMany(
              asked.map(({ request }) => request),
              (at, answer) => {
                const index = asked[at]?.index;
                if (index === undefined) return;
                answered.add(index);
                each(index, answer);
              },
              options,
            );
          } finally {
            open = asked.filter(({ index }) => !answered.has(index));
          }
        },
        hintOf,
        { signal: options?.signal },
      );
    },
    list: (prefix, options) =>
      runWithRetry(policy, () => store.list(prefix, options), hintOf, { signal: options?.signal }),
  });
}

function hintOf(error: unknown): RetryHint {
  return { isWorthwhile: isZarrError(error, 'STORE_UNAVAILABLE') };
}
