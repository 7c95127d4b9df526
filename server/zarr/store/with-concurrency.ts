/** A store that never has more than so many reads under way. */
import { assertRequest } from './conditions.js';
import { runRequests } from './run-requests.js';
import { createSemaphore } from './semaphore.js';
import type { KeyStore, ReadAnswer, ReadOptions, ReadRequest } from './store.js';
import { wrapStore } from './wrap.js';

/**
 * Wraps a store so that all its callers together have at most `maxReads` reads under way. Each request is passed on
 * by itself, so that a wrapper that puts requests together belongs around this one.
 */
export function withConcurrency(store: KeyStore, maxReads: number): KeyStore {
  const places = createSemaphore(Math.max(1, maxReads));
  return wrapStore(store, {
    async getMany(requests, each, options) {
      for (const request of requests) assertRequest(request);
      await runRequests(requests, each, {
        places,
        width: Math.max(1, maxReads),
        signal: options?.signal,
        readOne: (request, signal) => readOne(store, request, { ...options, signal, taken: undefined }),
        placeOf: (request) => ({ store: store.label, key: request.key }),
      });
    },
  });
}

async function readOne(store: KeyStore, request: ReadRequest, options: ReadOptions): Promise<ReadAnswer> {
  let answer: ReadAnswer;
  await store.getMany(
    [request],
    (_, got) => {
      answer = got;
    },
    options,
  );
  return answer;
}
