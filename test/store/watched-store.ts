/**
 * A cache over a store that records its requests, with a separate clock. Importing this file also runs the contract of
 * stores on caches.
 */
import { createMemoryStore } from '../../server/store/memory.js';
import type { KeyStore, ReadResult, ReadOptions, ReadRequest } from '../../server/store/store.js';
import { withCache } from '../../server/store/with-cache.js';
import { wrapStore } from '../../server/store/wrap.js';
import { describeStore } from '../contracts/store.js';

export const kibibytes = 1024;

export const bounds = { maxBytes: 64 * kibibytes, maxAgeMs: 1000 };

describeStore('with cache', {
  open: async (contents) => withCache(await filled(contents), bounds),
});
describeStore('with cache of versions only', {
  open: async (contents) => withCache(await filled(contents), { ...bounds, maxBytes: 0 }),
});
describeStore('with cache that always revalidates', {
  open: async (contents) => withCache(await filled(contents), { ...bounds, maxAgeMs: 0 }),
});

export async function filled(contents: Readonly<Record<string, Uint8Array>>): Promise<KeyStore> {
  const store = createMemoryStore({ label: 'test' });
  for (const [key, bytes] of Object.entries(contents)) await store.set(key, bytes);
  return store;
}

export interface Watched {
  /** Another writer's access to the objects. */
  readonly base: KeyStore;
  readonly store: KeyStore;
  /** The requests of the base store. */
  readonly sent: ReadRequest[];
  readonly received: ReadResult[];
  readonly clock: { ms: number };
  /** Each read of the base store waits for this promise. */
  gate: Promise<void> | undefined;
}

export async function watch(
  contents: Readonly<Record<string, Uint8Array>>,
  options: { maxBytes?: number; maxAgeMs?: number } = {},
): Promise<Watched> {
  const base = await filled(contents);
  const sent: ReadRequest[] = [];
  const received: ReadResult[] = [];
  const clock = { ms: 0 };
  const watched: Watched = {
    base,
    sent,
    received,
    clock,
    gate: undefined,
    store: withCache(
      wrapStore(base, {
        async getMany(requests, each, readOptions) {
          sent.push(...requests);
          await watched.gate;
          await base.getMany(
            requests,
            (at, result) => {
              received.push(result);
              each(at, result);
            },
            readOptions,
          );
        },
      }),
      { ...bounds, ...options, now: () => clock.ms },
    ),
  };
  return watched;
}

export async function readOne(
  store: KeyStore,
  request: ReadRequest,
  options?: ReadOptions,
): Promise<ReadResult> {
  let result: ReadResult;
  await store.getMany([request], (_, response) => (result = response), options);
  return result;
}
