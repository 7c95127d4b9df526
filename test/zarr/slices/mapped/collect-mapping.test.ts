/** Medians of more elements than fit into memory: one part is reduced while the next one is read. */
import { expect, test } from 'vitest';
import {
  createMemoryStore,
  isZarrError,
  type KeyStore,
  type SliceReadOptions,
  openHierarchy,
  reduceSlice,
} from '../../../../server/zarr/index.js';

const [rows, columns, chunks] = [64, 2 ** 17, 6];

/** 48 MiB of bytes in 6 chunks. Column c of chunk k holds k + (row + c) % 64. */
async function build(): Promise<{
  store: KeyStore;
  read: (options?: SliceReadOptions) => Promise<Uint8Array>;
}> {
  const store = createMemoryStore({ label: 'm' });
  await openHierarchy(store).createArray('/', {
    shape: [rows, columns * chunks],
    dtype: 'uint8',
    chunkShape: [rows, columns],
    codecs: [{ name: 'bytes' }],
  });
  for (let k = 0; k < chunks; k++) {
    const bytes = new Uint8Array(rows * columns);
    for (let i = 0; i < bytes.length; i++) bytes[i] = k + ((Math.floor(i / columns) + i) % rows);
    await store.set(`c/0/${k}`, bytes);
  }
  return {
    store,
    async read(options) {
      const array = await openHierarchy(store, { decoding: { here: true } }).array('/');
      const slice = reduceSlice(array.select({ kind: 'all' }), { by: 'QUANTILE', q: [0, 1], over: ['0'] });
      const block = await slice.read(options);
      if (!('bytes' in block)) throw new Error('expected numbers');
      return block.bytes;
    },
  };
}

test('each result is computed from its own elements', async () => {
  const { read } = await build();
  const values = new Float64Array((await read()).buffer);
  const size = columns * chunks;
  expect(values).toHaveLength(2 * size);
  const wrong = Array.from({ length: size }, (_, i) => i).filter((i) => {
    const least = Math.floor(i / columns);
    return values[i] !== least || values[size + i] !== least + rows - 1;
  });
  expect(wrong).toEqual([]);
});

test('a part that cannot be read ends it with the error of its chunk', async () => {
  const { store, read } = await build();
  await store.set(`c/0/${chunks - 1}`, new Uint8Array(3));
  const error: unknown = await read().catch((thrown: unknown) => thrown);
  expect(isZarrError(error) && error.code).toBe('CODEC_ERROR');
  expect(isZarrError(error) && error.where?.key).toBe(`c/0/${chunks - 1}`);
});

test('it ends when it is cancelled between two parts', async () => {
  const { read } = await build();
  const stop = new AbortController();
  const seen: string[] = [];
  const error: unknown = await read({
    signal: stop.signal,
    onVersion({ key }) {
      seen.push(key);
      // Of the second part.
      if (key === `c/0/${chunks - 1}`) stop.abort();
    },
  }).catch((thrown: unknown) => thrown);
  expect(seen).toContain('c/0/0');
  expect(isZarrError(error) && error.code).toBe('ABORTED');
});
