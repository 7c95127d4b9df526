/** Reads one object or a part of it, using `getMany`. */
import type { ByteRange, ReadOptions, ReadRequest, Store, StoreValue } from './store.js';

/** Reads a whole object; undefined if it is absent. */
export async function get<K>(
  store: Store<K>,
  key: K,
  options?: ReadOptions,
): Promise<StoreValue | undefined> {
  return getOne(store, { key }, options);
}

/** Reads a part of an object; undefined if it is absent. */
export async function getRange<K>(
  store: Store<K>,
  key: K,
  range: ByteRange,
  options?: ReadOptions,
): Promise<StoreValue | undefined> {
  return getOne(store, { key, range }, options);
}

async function getOne<K>(
  store: Store<K>,
  request: ReadRequest<K>,
  options?: ReadOptions,
): Promise<StoreValue | undefined> {
  let value: StoreValue | undefined;
  await store.getMany(
    [request],
    (_, answer) => {
      if (answer !== 'unchanged') value = answer;
    },
    options,
  );
  return value;
}
