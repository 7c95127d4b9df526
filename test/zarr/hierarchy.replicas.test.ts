/** Two hierarchies with separate caches over one store: A writes, B reads. */
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createChunkCache, type Hierarchy, type KeyStore, openHierarchy } from '../../server/zarr/index.js';
import { createMemoryStore } from '../../server/store/memory.js';
import { get } from '../../server/store/define-reading.js';
import { withCache } from '../../server/store/with-cache.js';
import { wrapStore } from '../../server/store/wrap.js';
import { text } from '../contracts/store-reading.js';
import { createBucket, storeOn } from '../s3/bucket.js';
import { startS3Server } from '../s3/server.js';

const maxAgeMs = 10_000;

interface Replica {
  readonly store: KeyStore;
  readonly hierarchy: Hierarchy;
}

function replicaOn(base: KeyStore, clock: { readonly ms: number }): Replica {
  const store = withCache(base, { maxBytes: 2 ** 20, maxAgeMs, now: () => clock.ms });
  return { store, hierarchy: openHierarchy(store, { chunkCache: createChunkCache(2 ** 20) }) };
}

async function valuesOf(hierarchy: Hierarchy, path = '/g/a'): Promise<number[]> {
  const array = await hierarchy.array(path);
  const block = await array.select({ kind: 'dims', dims: [] }).read();
  return 'bytes' in block ? [...block.bytes] : [];
}

const formats = [
  ['v2', { zarrFormat: 2 as const }],
  ['v3', { zarrFormat: 3 as const }],
  ['v3, sharded', { zarrFormat: 3 as const, shardShape: [8] }],
] as const;
const server = await startS3Server();
afterAll(() => ('missing' in server ? undefined : server.stop()));

const bases: Readonly<Record<string, () => Promise<KeyStore>>> = {
  memory: async () => createMemoryStore({ label: 'm' }),
  ...('missing' in server ? {} : { s3: async () => storeOn(server, `${await createBucket(server)}/x`) }),
};

for (const [kind, open] of Object.entries(bases))
  describe.each(formats)(`on ${kind}, %s`, (_, format) => {
    async function pair(): Promise<{ a: Replica; b: Replica; clock: { ms: number } }> {
      const base = await open();
      const clock = { ms: 0 };
      const [a, b] = [replicaOn(base, clock), replicaOn(base, clock)];
      await a.hierarchy.createGroup('/', { zarrFormat: format.zarrFormat });
      const request = { shape: [6], dtype: 'uint8', chunkShape: [4], fillValue: 0, ...format };
      await a.hierarchy.createArray('/g/a', request);
      await (await a.hierarchy.array('/g/a')).select({ kind: 'dims', dims: [] }).write([1, 2, 3, 4, 5, 6]);
      return { a, b, clock };
    }

    test('a reader gets values from before or after an append, never fill values instead of appended rows', async () => {
      const { a, b, clock } = await pair();
      // B reads the shape at 0 s, and the values at 6 s.
      await b.hierarchy.array('/g/a');
      clock.ms = 6000;
      expect(await valuesOf(b.hierarchy)).toEqual([1, 2, 3, 4, 5, 6]);
      await a.hierarchy.append('/g/a', [7, 8, 9, 10]);
      for (clock.ms = 7000; clock.ms <= 30_000; clock.ms += 500) {
        const values = await valuesOf(b.hierarchy);
        expect(values).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].slice(0, values.length));
        if (clock.ms >= maxAgeMs) expect(values).toHaveLength(10);
      }
    });

    test('after truncation, extension, deletion and recreation, only values of the current array are read', async () => {
      const { a, b, clock } = await pair();
      await b.hierarchy.array('/g/a');
      clock.ms = 6000;
      await valuesOf(b.hierarchy);
      await a.hierarchy.resize('/g/a', [2]);
      await a.hierarchy.resize('/g/a', [7]);
      clock.ms = maxAgeMs;
      expect(await valuesOf(b.hierarchy)).toEqual([1, 2, 0, 0, 0, 0, 0]);
      clock.ms = 16_000;
      expect(await valuesOf(b.hierarchy)).toEqual([1, 2, 0, 0, 0, 0, 0]);
      await a.hierarchy.deleteNode('/g/a');
      const request = { shape: [3], dtype: 'uint8', chunkShape: [4], fillValue: 9, ...format };
      await a.hierarchy.createArray('/g/a', request);
      clock.ms = 21_000;
      expect(await valuesOf(b.hierarchy)).toEqual([9, 9, 9]);
    });

    test('overwritten values are read after the maximum age, with and without a cache of decoded chunks', async () => {
      const { a, b, clock } = await pair();
      const plain = openHierarchy(b.store);
      expect(await valuesOf(plain)).toEqual([1, 2, 3, 4, 5, 6]);
      expect(await valuesOf(plain)).toEqual([1, 2, 3, 4, 5, 6]);
      await (await a.hierarchy.array('/g/a')).select({ kind: 'dims', dims: [] }).write([6, 5, 4, 3, 2, 1]);
      clock.ms = maxAgeMs;
      expect(await valuesOf(plain)).toEqual([6, 5, 4, 3, 2, 1]);
      expect(await valuesOf(b.hierarchy)).toEqual([6, 5, 4, 3, 2, 1]);
    });

    test('attributes and shape belong to the same state of an array', async () => {
      const { a, b, clock } = await pair();
      await b.hierarchy.array('/g/a');
      await a.hierarchy.deleteNode('/g/a');
      clock.ms = 6000;
      await b.hierarchy.node('/g/a');
      const request = { shape: [3], dtype: 'uint8', chunkShape: [4], fillValue: 9, ...format };
      await a.hierarchy.createArray('/g/a', { ...request, attributes: { scale_factor: 2 } });
      for (clock.ms = 7000; clock.ms <= 30_000; clock.ms += 1000) {
        const node = await b.hierarchy.node('/g/a');
        if (node?.kind === 'array' && node.shape[0] === 3)
          expect(node.meta.attributes).toEqual({ scale_factor: 2 });
      }
      expect(await valuesOf(b.hierarchy)).toEqual([9, 9, 9]);
    });

    test('appended values are read from an array that consolidated metadata lists', async () => {
      const { a, b, clock } = await pair();
      await a.hierarchy.consolidate('/');
      const listed = async (): Promise<number[]> => {
        for await (const entry of b.hierarchy.walk('/', { recursive: true })) {
          const node = entry.kind === 'array' ? entry.open() : undefined;
          if (node?.kind !== 'array') continue;
          const block = await node.select({ kind: 'dims', dims: [] }).read();
          return 'bytes' in block ? [...block.bytes] : [];
        }
        return [];
      };
      for await (const entry of b.hierarchy.walk('/')) void entry;
      clock.ms = 6000;
      expect(await listed()).toHaveLength(6);
      await a.hierarchy.append('/g/a', [7, 8, 9, 10]);
      clock.ms = maxAgeMs;
      expect(await listed()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      await a.hierarchy.append('/g/a', [11]);
      // Opens the array by its own document, which is not in B's cache yet.
      expect(await valuesOf(b.hierarchy)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    });
  });

test('data in flight when metadata changes is not shared with later readers', async () => {
  const base = createMemoryStore({ label: 'm' });
  let pass = (): void => {};
  let gate: Promise<void> | undefined;
  const slow = wrapStore(base, {
    async getMany(requests, each, options) {
      const results: [number, Parameters<typeof each>[1]][] = [];
      await base.getMany(requests, (i, result) => results.push([i, result]), options);
      if (requests.some(({ key }) => key === 'a/c/0')) await gate;
      for (const [i, result] of results) each(i, result);
    },
  });
  const clock = { ms: 0 };
  const { store } = replicaOn(slow, clock);
  await base.set('a/zarr.json', Buffer.from('1'));
  await get(store, 'a/zarr.json');
  gate = new Promise((resolve) => (pass = resolve));
  const early = get(store, 'a/c/0');
  await base.set('a/c/0', text('new'));
  await base.set('a/zarr.json', Buffer.from('2'));
  clock.ms = maxAgeMs;
  await get(store, 'a/zarr.json');
  gate = undefined;
  expect((await get(store, 'a/c/0'))?.bytes).toEqual(text('new'));
  pass();
  expect(await early).toBeUndefined();
  expect((await get(store, 'a/c/0'))?.bytes).toEqual(text('new'));
});

test('data is never older than the metadata that was read before it', async () => {
  const documents = ['zarr.json', 'g/zarr.json', 'g/a/zarr.json', 'g/a/.zarray', 'g/a/.zattrs', '.zmetadata'];
  const chunks = ['g/a/c/0', 'g/a/c/1', 'g/a/0.0', 'g/b/c/0'];
  const isBelow = (chunk: string, document: string): boolean =>
    chunk.startsWith(document.slice(0, document.lastIndexOf('/') + 1));
  const anyStep = fc.oneof(
    fc.record({
      kind: fc.constant('write' as const),
      document: fc.constantFrom(...documents),
      chunks: fc.subarray(chunks),
      isDeletion: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(0, 1, 500, 4000, 9999) }),
    fc.record({
      kind: fc.constant('read' as const),
      document: fc.constantFrom(...documents),
      chunks: fc.subarray(chunks),
    }),
    fc.record({ kind: fc.constant('look' as const), chunk: fc.constantFrom(...chunks) }),
  );
  const numberOf = (bytes: Uint8Array | undefined): number =>
    bytes === undefined ? 0 : Number(Buffer.from(bytes).toString());
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 40 }), async (steps) => {
      const base = createMemoryStore({ label: 'm' });
      const clock = { ms: 0 };
      const { store } = replicaOn(base, clock);
      /** After each write, the number of the last write of each chunk; negative if that write deleted the chunk. */
      const states = [new Map<string, number>()];
      for (const step of steps) {
        if (step.kind === 'wait') clock.ms += step.ms;
        else if (step.kind === 'look') await get(store, step.chunk);
        else if (step.kind === 'write') {
          const now = new Map(states.at(-1));
          const number = states.length;
          for (const chunk of step.chunks.filter((key) => isBelow(key, step.document))) {
            if (step.isDeletion) await base.delete([chunk]);
            else await base.set(chunk, Buffer.from(`${number}`));
            now.set(chunk, step.isDeletion ? -number : number);
          }
          states.push(now);
          await base.set(step.document, Buffer.from(`${number}`));
        } else {
          const documentNumber = numberOf((await get(store, step.document))?.bytes);
          for (const chunk of step.chunks.filter((key) => isBelow(key, step.document))) {
            const chunkNumber = numberOf((await get(store, chunk))?.bytes);
            const possible = states.slice(documentNumber).map((state) => Math.max(0, state.get(chunk) ?? 0));
            expect(possible).toContain(chunkNumber);
          }
        }
      }
    }),
  );
});
