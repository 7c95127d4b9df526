/**
 * Corrupted chunks, metadata documents and zip files: a read ends with values of the right shape and size or with an
 * engine error, in bounded memory.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openHierarchy, sizeOf, type Block } from '../../server/zarr/index.js';
import { createZipStore } from '../../server/store/zip.js';
import { matrixArrays, matrixFolder, matrixPaths, objectsOf, storedArrays } from '../conformance/matrix.js';
import type { Random } from '../interop/random.js';
import { attempt, fuzz, fuzzTimeout } from './budget.js';
import { mutate } from './mutate.js';
import { mutateJson } from './mutate-json.js';
import { isDocument, memoryStoreOf, type Objects } from './stores.js';

/** Small limits: larger requests are LIMIT_EXCEEDED. */
const limits = {
  maxOutputBytes: 2 ** 24,
  maxDecodedBytes: 2 ** 26,
  maxChunks: 100_000,
  maxReducedBytes: 2 ** 40,
  maxWork: 1e15,
};
const all = { kind: 'all' } as const;

function assertSize(block: Block, shape: readonly number[]): void {
  expect(block.shape).toEqual(shape);
  if ('bytes' in block) expect(block.bytes.length).toBe(sizeOf(shape) * block.dtype.itemSize);
  else expect(block.items.lengths.length).toBe(sizeOf(shape));
}

const known = new Map<string, Objects>();
function storeOf(path: string): Objects {
  const found = known.get(path) ?? objectsOf({ path });
  known.set(path, found);
  return found;
}

/** Changes one object of a kind; undefined if the store has none, or if `change` cannot change the object. */
function damage(
  objects: Objects,
  random: Random,
  wanted: (key: string) => boolean,
  change: typeof mutateJson = mutate,
): Map<string, Uint8Array> | undefined {
  const keys = [...objects.keys()].filter(wanted);
  if (keys.length === 0) return undefined;
  const key = random.choose(keys);
  const changed = change(objects.get(key) ?? new Uint8Array(), random);
  return changed === undefined ? undefined : new Map(objects).set(key, changed);
}

test(
  'reads of corrupt chunks and shards end with values of the right size or an engine error',
  { timeout: fuzzTimeout },
  async () => {
    // Shards are chosen more often, because their index contains positions to read.
    const sharded = storedArrays.filter((c) => c.features.includes('sharding'));
    const rounds = await fuzz(async (random) => {
      const c = random.choose(random.chance(0.3) ? sharded : storedArrays);
      const objects = damage(storeOf(c.path), random, (key) => !isDocument(key));
      if (objects === undefined) return;
      const array = await openHierarchy(await memoryStoreOf(objects), { limits }).array(c.node);
      const block = await attempt(() => array.select(all).read());
      if (block !== undefined) assertSize(block, array.shape);
    });
    expect(rounds).toBeGreaterThan(0);
  },
);

test(
  'reads with corrupt metadata documents end with values of the right size or an engine error',
  { timeout: fuzzTimeout },
  async () => {
    const paths = matrixPaths.filter((path) => path.endsWith('.zarr'));
    const rounds = await fuzz(async (random) => {
      const objects = damage(
        storeOf(random.choose(paths)),
        random,
        isDocument,
        random.chance(0.75) ? mutateJson : mutate,
      );
      if (objects === undefined) return;
      const hierarchy = openHierarchy(await memoryStoreOf(objects), { limits });
      const root = await attempt(() => hierarchy.node('/'));
      if (root?.kind === 'array') {
        const block = await attempt(() => root.select(all).read());
        if (block !== undefined) assertSize(block, root.shape);
      }
      await attempt(async () => {
        for await (const entry of hierarchy.walk('/', { recursive: true })) await attempt(() => entry.open());
      });
    });
    expect(rounds).toBeGreaterThan(0);
  },
);

test(
  'reads of corrupt zip files end with values of the right size or an engine error',
  { timeout: fuzzTimeout },
  async () => {
    const zips = matrixArrays.filter(({ path, expected }) => path.endsWith('.zip') && expected !== null);
    const files = new Map(
      zips.map(({ path }) => [path, new Uint8Array(readFileSync(`${matrixFolder}/${path}`))]),
    );
    expect(files.size).toBeGreaterThan(1);
    const rounds = await fuzz(async (random) => {
      const c = random.choose(zips);
      const bytes = mutate(files.get(c.path) ?? new Uint8Array(), random);
      const source = { store: await memoryStoreOf([['a.zip', bytes]]), key: 'a.zip' };
      await attempt(async () => {
        const hierarchy = openHierarchy(createZipStore({ label: 'zip', source }), { limits });
        for await (const entry of hierarchy.walk('/', { recursive: true })) await attempt(() => entry.open());
        const array = await hierarchy.array(c.node);
        assertSize(await array.select(all).read(), array.shape);
      });
    });
    expect(rounds).toBeGreaterThan(0);
  },
);
