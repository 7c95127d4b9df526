/** Combined stores compared with what xarray makes of the same members: `test/fixtures/combined/make_combined.py`. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createCombinedStore } from '../../server/combined/combined-store.js';
import { createGateway, fullAccess } from '../../server/index.js';
import { NDArrayValue } from '../../server/transport/nd-array-value.js';
import { type ChunkLengths, createChunkCache, createMemoryStore, get, type KeyStore, openHierarchy, openStoreFromUrl, type ReadRequest, type ReadResult, toNested } from '../../server/zarr/index.js'; // prettier-ignore
import { comparable, type ExpectedGroup, shown, shownDates } from '../dataset/expected-values.js';
import { fixtures } from '../setup/fixtures.js';
import { along, combined } from './small-members.js';

const folder = join(fixtures, 'combined');
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => basename(file, '.json'));

interface Case {
  readonly along: string | null;
  readonly members: readonly string[];
  readonly dataset: ExpectedGroup;
}

function readCase(name: string): Case {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
}

function membersOf(name: string): { readonly name: string; readonly store: KeyStore }[] {
  return readCase(name).members.map((member) => ({
    name: member,
    store: openStoreFromUrl(member, join(folder, name, `${member}.zarr.zip`)),
  }));
}

async function inMemory(store: KeyStore): Promise<KeyStore> {
  const copy = createMemoryStore({ label: store.label });
  for await (const { key } of store.walk('')) {
    const result = await get(store, key);
    if (typeof result === 'object') await copy.set(key, result.bytes);
  }
  return copy;
}

describe.each(names)('%s', (name) => {
  const { along, dataset } = readCase(name);

  async function expectDataset(
    members: readonly { readonly name: string; readonly store: KeyStore }[],
  ): Promise<void> {
    const store = createCombinedStore({ label: 'all', members, along: along ?? undefined });
    const gateway = createGateway({ stores: [{ name: 'all', store }] });
    onTestFinished(() => gateway.close());
    const document = `{ store(name: "all") { kind dataset { dimensions { name size } variables { name kind dimensionNames attributes slice { values } } } } }`;
    const { data, errors } = await gateway.execute({ document }, fullAccess);
    expect(errors).toBeUndefined();
    // The response depends on the query; the expectations access it without types.
    // eslint-disable-next-line typescript/no-explicit-any
    const { store: found }: any = data;
    expect(found.kind).toBe('COMBINED');
    const sizes = found.dataset.dimensions.map((one: { name: string; size: number }) => [one.name, one.size]);
    expect(Object.fromEntries(sizes)).toEqual(dataset.dims);
    const variables = new Map<string, { slice: { values: unknown }; dimensionNames: unknown; kind: string; attributes: unknown }>(
      found.dataset.variables.map((one: { name: string }) => [one.name, one]),
    ); // prettier-ignore
    expect([...variables.keys()].toSorted()).toEqual(Object.keys(dataset.variables).toSorted());
    for (const [key, expected] of Object.entries(dataset.variables)) {
      const one = variables.get(key);
      expect(one, key).toMatchObject({ dimensionNames: expected.dims, kind: expected.role.toUpperCase(), attributes: expected.attrs }); // prettier-ignore
      const values = one?.slice.values;
      if (!(values instanceof NDArrayValue)) throw new TypeError('expected values');
      if ('dates' in expected.values) expect(shownDates(values.block), key).toEqual(expected.values);
      else expect(comparable(shown(values.block)), key).toEqual(comparable(expected.values));
    }
  }

  test('from archives', () => expectDataset(membersOf(name)));
  test('from stores in memory, in another order', async () => {
    const members = await Promise.all(
      membersOf(name).map(async (member) => ({ ...member, store: await inMemory(member.store) })),
    );
    await expectDataset(members.toReversed());
  });
});

describe('members whose chunks have different lengths', () => {
  async function memberOf(name: string, labels: readonly number[], factor: number) {
    const store = createMemoryStore({ label: name });
    const hierarchy = openHierarchy(store);
    await hierarchy.createGroup('/', { zarrFormat: 3 });
    const create = async (path: string, dims: readonly string[], shape: readonly number[], lengths: ChunkLengths[], values: readonly number[]) => {
      const array = await hierarchy.createArray(path, { shape, dtype: 'float64', chunkLengths: lengths, dimensionNames: dims });
      await array.select().write({ shape, data: Float64Array.from(values) });
    }; // prettier-ignore
    await create('/time', ['time'], [labels.length], [labels.length], labels);
    // Equal in all members.
    await create('/fixed', ['x'], [6], [[1, 3, 2]], [5, 6, 7, 8, 9, 10]);
    await create('/v', ['time'], [labels.length], [[2, ...labels.slice(2).map(() => 1)]], labels.map((label) => label * factor)); // prettier-ignore
    return { name, store };
  }

  test('are combined', async () => {
    const members = [await memberOf('a', [1, 2, 3, 4], 10), await memberOf('b', [5, 6, 7, 8], 10)];
    const hierarchy = openHierarchy(createCombinedStore({ label: 'all', members, along: 'time' }));
    const valuesOf = async (path: string) => toNested(await (await hierarchy.array(path)).select().read());
    expect(await valuesOf('/v')).toEqual([10, 20, 30, 40, 50, 60, 70, 80]);
    expect(await valuesOf('/fixed')).toEqual([5, 6, 7, 8, 9, 10]);
    expect((await hierarchy.array('/fixed')).chunkLengths(0)).toEqual([1, 3, 2]);
  });
});

/** Consecutive numbers. */
function nested([length = 0, ...inner]: readonly number[], first: number): unknown[] {
  const step = inner.reduce((product, size) => product * size, 1);
  return Array.from({ length }, (_, i) => (inner.length === 0 ? first + i : nested(inner, first + i * step)));
}

describe('chunks that are computed', () => {
  const shapes = { leading: [1, 5, 4], inner: [2, 5, 4] } as const;

  const counts = [5, 7, 4];
  const labelsOf = (m: number): number[] => Array.from({ length: counts[m] ?? 0 }, (_, i) => 100 * m + i);

  function storeOf([height, , width]: readonly [number, number, number]): Promise<KeyStore> {
    const members = counts.map((count, m) => {
      const values = nested([height, count, width], 1000 * m + 1);
      const v = { dims: ['level', 'time', 'x'], values, dtype: 'int16', chunks: [1, 3, 3] };
      return [`m${m}`, along(labelsOf(m), { v })] as const;
    });
    return combined(Object.fromEntries(members));
  }

  async function readKeys(store: KeyStore, requests: readonly ReadRequest[]): Promise<ReadResult[]> {
    const results: ReadResult[] = [];
    await store.getMany(requests, (i, result) => (results[i] = result));
    return results;
  }

  test.each(Object.keys(shapes) as (keyof typeof shapes)[])(
    'are equal if they are read together and one by one: %s',
    async (kind) => {
      const store = await storeOf(shapes[kind]);
      const [height] = shapes[kind];
      const keys = Array.from({ length: height }, (_, z) => z).flatMap((z) =>
        Array.from({ length: 6 }, (_, t) => [0, 1].map((x) => `v/c/${z}/${t}/${x}`)).flat(),
      );
      const together = await readKeys(store, keys.map((key) => ({ key }))); // prettier-ignore
      for (const [i, key] of keys.entries()) {
        const [alone] = await readKeys(store, [{ key }]);
        expect(together[i], key).toEqual(alone);
        if (typeof alone !== 'object') throw new TypeError('expected bytes');
        expect(alone.version, key).toBeDefined();
        // The version is the same whether values are read or not.
        const known = alone.version === undefined ? {} : { ifNoneMatch: alone.version };
        expect(await readKeys(store, [{ key, ...known }]), key).toEqual(['unchanged']);
      }
      // Some chunks of a line are known, and the others no longer follow each other.
      const some = keys.map((key, i) => {
        const result = together[i];
        const isKnown = i % 5 === 0 && typeof result === 'object' && result.version !== undefined;
        return isKnown ? { key, ifNoneMatch: result.version } : { key };
      });
      const mixed = await readKeys(store, some.toReversed());
      expect(mixed.toReversed()).toEqual(together.map((result, i) => (i % 5 === 0 ? 'unchanged' : result)));
    },
  );

  const width = 4096;
  const names = ['a', 'b', 'c', 'd'];

  /** Chunks that are large enough for memory to be reused. */
  function wideStore(): Promise<KeyStore> {
    const members = counts.map((count, m) => {
      const arrays = names.map((name, n) => {
        const values = nested([count, width], 1_000_000 * n + 100_000 * m);
        return [name, { dims: ['time', 'x'], values, dtype: 'int32', chunks: [3, width] }] as const;
      });
      return [`m${m}`, along(labelsOf(m), Object.fromEntries(arrays))] as const;
    });
    return combined(Object.fromEntries(members));
  }

  test('are right if many are read at a time', async () => {
    const store = await wideStore();
    const expected = (n: number): Int32Array =>
      Int32Array.from(counts.flatMap((count, m) => Array.from({ length: count * width }, (_, i) => 1_000_000 * n + 100_000 * m + i))); // prettier-ignore
    for (const chunkCache of [undefined, createChunkCache(2 ** 20)]) {
      const hierarchy = openHierarchy(store, chunkCache === undefined ? {} : { chunkCache });
      const reads = Array.from({ length: 24 }, async (_, i) => {
        const n = i % names.length;
        const block = await (await hierarchy.array(`/${names[n]}`)).select().read();
        if (!('bytes' in block)) throw new TypeError('expected numbers');
        return Buffer.compare(block.bytes, new Uint8Array(expected(n).buffer));
      });
      expect(await Promise.all(reads)).toEqual(reads.map(() => 0));
    }
  });

  test('stay in memory until the receiver no longer uses them', async () => {
    const store = await wideStore();
    const read = (
      key: string,
      taken: () => Promise<void> | undefined,
    ): { readonly bytes: Promise<Uint8Array>; readonly done: Promise<void> } => {
      let done: Promise<void> = Promise.resolve();
      const bytes = new Promise<Uint8Array>((resolve, reject) => {
        done = store.getMany([{ key }], (_, result) => typeof result === 'object' && resolve(result.bytes), {
          taken,
        });
        done.catch(reject);
      });
      return { bytes, done };
    };
    let release: () => void = () => {};
    const held = read('a/c/0/0', () => new Promise((resolve) => (release = resolve)));
    const bytes = await held.bytes;
    const before = bytes.slice();
    for (const key of ['b/c/1/0', 'c/c/2/0', 'd/c/3/0']) {
      const other = read(key, () => undefined);
      expect(Buffer.compare(await other.bytes, before)).not.toBe(0);
      await other.done;
    }
    expect(Buffer.compare(bytes, before)).toBe(0);
    release();
    await held.done;
  });
});
