/** Arrays in memory for tests of region writes. */
import {
  createMemoryStore,
  openHierarchy,
  toTypedArray,
  type CreateArrayRequest,
  type KeyStore,
  type ZarrArray,
  type ZarrFormat,
} from '../../../server/zarr/index.js';

export const all = { kind: 'all' } as const;

export const slice = (start?: number, stop?: number, step = 1) =>
  ({
    kind: 'slice',
    step,
    ...(start === undefined ? {} : { start }),
    ...(stop === undefined ? {} : { stop }),
  }) as const;

/** A new array in memory. */
export async function create(
  request: CreateArrayRequest,
  zarrFormat: ZarrFormat = 3,
  store = createMemoryStore({ label: 's' }),
) {
  const array = await openHierarchy(store).createArray('/a', request, zarrFormat === 1 ? {} : { zarrFormat });
  return { store, array };
}

/** Keys of chunks. */
export async function keysOf(store: KeyStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.walk('')) if (!/zarr\.json$|\.z\w+$/.test(key)) keys.push(key);
  return keys;
}

/** All values of an array. */
export async function values(array: ZarrArray): Promise<unknown[]> {
  return [...toTypedArray(await array.select(all).read())];
}
