/** Shard indexes in memory. */
import { describe, expect, test } from 'vitest';
import { createMemoryStore, openHierarchy, type KeyStore } from '../../../server/zarr/index.js';
import { sharded, counted } from './counted-shards.js';

const little = { name: 'bytes', configuration: { endian: 'little' } };

describe('cached indexes', () => {
  const elements = (...indices: number[]) =>
    ({ kind: 'dims', dims: [{ kind: 'indices', indices }] }) as const;

  /** An array of one shard, whose elements are set by another process; the reader has cached its index. */
  async function read(change: (base: KeyStore, seen: { reads: number }) => KeyStore = (base) => base) {
    const base = createMemoryStore({ label: 'm' });
    await base.set('zarr.json', sharded(256, 256, [little, { name: 'crc32c' }]));
    const writer = await openHierarchy(base).array('/');
    const set = (i: number, value: number): Promise<unknown> =>
      writer.select({ kind: 'dims', dims: [{ kind: 'index', index: i }] }).write(value);
    await set(7, 3);
    await set(9, 5);
    const { store, seen } = counted(base);
    const array = await openHierarchy(change(store, seen)).array('/');
    const valuesAt = async (...indices: number[]): Promise<number[]> => {
      const block = await array.select(elements(...indices)).read();
      return 'bytes' in block ? [...block.bytes] : [];
    };
    expect(await valuesAt(7)).toEqual([3]);
    seen.reads = 0;
    return { base, set, seen, valuesAt };
  }

  test('require no separate request', async () => {
    const { seen, valuesAt } = await read();
    expect(await valuesAt(9)).toEqual([5]);
    expect(seen.reads).toBe(1);
    expect(await valuesAt(1, 7, 9)).toEqual([0, 3, 5]);
    expect(seen.reads).toBe(3);
  });

  test('are read again when the shard was replaced', async () => {
    const { base, set, valuesAt } = await read();
    await set(7, 8);
    expect(await valuesAt(7)).toEqual([8]);
    // Empty according to the cached index.
    await set(8, 4);
    expect(await valuesAt(7, 8)).toEqual([8, 4]);
    await set(1, 6);
    expect(await valuesAt(1)).toEqual([6]);
    await base.delete(['c/0']);
    expect(await valuesAt(7, 8)).toEqual([0, 0]);
  });

  test('never mix the chunks of two states of a shard', async () => {
    let replace: (() => Promise<void>) | undefined;
    const { set, valuesAt } = await read((base) => ({
      ...base,
      async getMany(requests, each, options) {
        const [first, ...rest] = requests;
        if (replace === undefined || first?.ifMatch === undefined)
          return base.getMany(requests, each, options);
        await base.getMany([first], each, options);
        await replace();
        replace = undefined;
        await base.getMany(rest, (i, answer) => each(i + 1, answer), options);
      },
    }));
    replace = async () => {
      await set(7, 13);
      await set(9, 15);
    };
    expect(await valuesAt(7, 9)).toEqual([13, 15]);
  });
});
