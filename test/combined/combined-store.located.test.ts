/** Combined stores whose members are local files, which threads and this thread read directly. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createCombinedStore } from '../../server/combined/combined-store.js';
import { createGateway, fullAccess } from '../../server/index.js';
import { wrapStore } from '../../server/store/wrap.js';
import {
  type CodecPool,
  createChunkCache,
  createFilesystemStore,
  type HierarchyOptions,
  type KeyStore,
  openHierarchy,
  toNested,
} from '../../server/zarr/index.js';
import { changed } from '../setup/changed.js';
import { counted, type CountedPool, isBuilt, startPool, temporaryFolder } from '../chunks/read/threads.js';

const folder = temporaryFolder();
const width = 8;
const zstd = [{ name: 'bytes', configuration: { endian: 'little' } }, { name: 'zstd' }];

interface Variable {
  readonly count: number;
  readonly base: number;
  readonly isSharded?: boolean;
}

const valueAt = (base: number, t: number, x: number): number => base + 10 * t + x;

async function memberAt(
  root: string,
  labels: readonly number[],
  variables: Readonly<Record<string, Variable>>,
) {
  const store = createFilesystemStore({ label: 'member', root, foldsCase: false });
  const hierarchy = openHierarchy(store);
  await hierarchy.createGroup('/');
  const time = await hierarchy.createArray('/time', { shape: [labels.length], dtype: 'int32', dimensionNames: ['time'] }); // prettier-ignore
  await time.select().write(labels);
  for (const [name, { count, base, isSharded = false }] of Object.entries(variables)) {
    const array = await hierarchy.createArray(`/${name}`, {
      ...{ shape: [count, width], dtype: 'float64', dimensionNames: ['time', 'x'], fillValue: -1 },
      ...{ chunkShape: isSharded ? [1, 4] : [3, 4], codecs: zstd },
      ...(isSharded ? { shardShape: [3, 4] } : {}),
    });
    const values = Array.from({ length: count }, (_, t) => Array.from({ length: width }, (__, x) => valueAt(base, t, x))); // prettier-ignore
    await array.select().write(values);
  } // prettier-ignore
  return { name: root, store };
}

let made = 0;

/** Aligned chunks, so that they are objects of the members. */
async function concatenated(isSharded: boolean): Promise<{ store: KeyStore; roots: string[]; expected: number[][] }> {
  const roots = [0, 1].map((i) => join(folder, `concat ${made++} ${i}`));
  const counts = [6, 7];
  const members = await Promise.all(
    roots.map((root, i) => {
      const labels = Array.from({ length: counts[i] ?? 0 }, (_, t) => 100 * i + t);
      return memberAt(root, labels, { v: { count: labels.length, base: 1000 * i, isSharded } });
    }),
  );
  const expected = counts.flatMap((count, i) => Array.from({ length: count }, (_, t) => Array.from({ length: width }, (__, x) => valueAt(1000 * i, t, x)))); // prettier-ignore
  const store = createCombinedStore({ label: 'all', members, along: 'time', maxAgeMs: 600_000 });
  return { store, roots, expected };
} // prettier-ignore

describe.skipIf(!isBuilt)('chunks in files of members', () => {
  let pool: CodecPool;
  beforeAll(async () => {
    pool = await startPool();
  });
  afterAll(() => pool.close());

  const ways: Readonly<Record<string, () => { options: HierarchyOptions; spied?: CountedPool }>> = {
    'on this thread': () => ({ options: { decoding: { pool: null } } }),
    'in threads': () => {
      const spied = counted(pool);
      return { options: { decoding: { pool: spied.pool, here: false } }, spied };
    },
    'in threads for the cache': () => {
      const spied = counted(pool);
      return { options: { decoding: { pool: spied.pool, here: false }, chunkCache: createChunkCache(2 ** 20) }, spied }; // prettier-ignore
    },
  };
  const cases = Object.keys(ways).flatMap((way) => [false, true].map((isSharded) => ({ way, isSharded })));

  async function readAll(store: KeyStore, options: HierarchyOptions) {
    const array = await openHierarchy(store, options).array('/v');
    const versions = new Map<string, string | undefined>();
    const block = await array.select().read({ onVersion: ({ key }, version) => void versions.set(key, version) }); // prettier-ignore
    return { values: toNested(block), versions };
  }

  test.each(cases)('have the values and versions of the store: $way, sharded: $isSharded', async ({ way, isSharded }) => {
    const { store, roots, expected } = await concatenated(isSharded);
    const { options, spied } = ways[way]?.() ?? { options: {} };
    const found = await readAll(store, options);
    expect(found.values).toEqual(expected);
    const unlocated = await readAll(wrapStore(store, {}), { decoding: { pool: null } });
    expect(unlocated.values).toEqual(expected);
    expect(Object.fromEntries(found.versions)).toEqual(Object.fromEntries(unlocated.versions));
    expect([...found.versions.values()].every((version) => version !== undefined)).toBe(true);
    if (spied !== undefined) expect(spied.taskCount()).toBeGreaterThan(0);
    // A change by another writer is seen, although the plan of the store is still used.
    const other = openHierarchy(createFilesystemStore({ label: 'other', root: roots[1] ?? '', foldsCase: false }));
    await (await other.array('/v')).select({ kind: 'dims', dims: [{ kind: 'index', index: 0 }] }).write(Array.from({ length: width }, () => 5)); // prettier-ignore
    const changed = await readAll(store, options);
    expect(changed.values).toEqual(expected.with(6, Array.from({ length: width }, () => 5)));
    expect(changed.versions).not.toEqual(found.versions);
  }); // prettier-ignore

  test.each(cases)('that are absent are fill values, while the array exists: $way, sharded: $isSharded', async ({ way, isSharded }) => {
    const { store, roots, expected } = await concatenated(isSharded);
    const { options } = ways[way]?.() ?? { options: {} };
    const [first = '', second = ''] = roots;
    await readAll(store, options);
    rmSync(join(first, 'v', 'c', '0', '1'));
    const holed = expected.map((row, t) => row.map((value, x) => (t < 3 && x >= 4 ? -1 : value)));
    expect((await readAll(store, options)).values).toEqual(holed);
    // Nothing of the array is left in one member. The plan is still used.
    for (const name of readdirSync(join(second, 'v'))) rmSync(join(second, 'v', name), { recursive: true });
    await expect(readAll(store, options)).rejects.toThrow('no array at this path');
  }); // prettier-ignore

  test.each([false, true])('are reduced by threads in expressions over merged stores (sharded: %s)', async (isSharded) => {
    const labels = Array.from({ length: 6 }, (_, t) => t);
    const roots = ['a', 'b'].map((name) => join(folder, `merge ${made++} ${name}`));
    const members = await Promise.all(
      ['a', 'b'].map((name, i) => memberAt(roots[i] ?? '', labels, { [name]: { count: 6, base: 500 * i, isSharded } })), // prettier-ignore
    );
    let boxes = 0;
      const runBox: CodecPool['runBox'] = (box, use, signal) =>
        pool.runBox(
          box,
          (reply) => {
            if (reply?.box !== undefined) boxes++;
            use(reply);
          },
          signal,
        );
      const boxPool = changed(pool, { isPreferred: true, runBox });
    const store = createCombinedStore({ label: 'all', members, maxAgeMs: 600_000 });
    const engine = { decoding: { pool: boxPool, here: false } };
    const gateway = createGateway({ stores: [{ name: 'all', store }], engine });
    onTestFinished(() => gateway.close());
    const mean = async (): Promise<unknown> => {
      const document = `{ store(name: "all") { dataset { compute(expression: "b - a") { reduce(by: SUM, over: ["x"]) { values } } } } }`;
      const { data, errors } = await gateway.execute({ document }, fullAccess);
      return errors?.[0]?.message ?? JSON.parse(JSON.stringify(data)).store.dataset.compute.reduce.values;
    };
    expect(await mean()).toEqual(labels.map(() => 500 * width));
      expect(boxes).toBeGreaterThan(0);
    rmSync(join(roots[1] ?? '', 'b', 'c', '0', '0'));
    const sums = labels.map((t) => (t < 3 ? 500 * 4 + [0, 1, 2, 3].reduce((sum, x) => sum - 1 - valueAt(0, t, x), 0) : 500 * width)); // prettier-ignore
    expect(await mean()).toEqual(sums);
    for (const name of readdirSync(join(roots[1] ?? '', 'b'))) rmSync(join(roots[1] ?? '', 'b', name), { recursive: true }); // prettier-ignore
    expect(typeof (await mean())).toBe('string');
  }); // prettier-ignore
});
