/**
 * Large chunks of variable-length values are decoded and encoded in threads. The threads run built files:
 * `npm test` builds them.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createCodecPool,
  createMemoryStore,
  openHierarchy,
  parseSelection,
  toTypedArray,
  type CodecPool,
} from '../../server/zarr/index.js';
import { changed } from '../setup/changed.js';

const entry = new URL('../../dist/server/threads/worker.js', import.meta.url);
const size = 300_000;
const chunk = 100_000;

describe.skipIf(!existsSync(fileURLToPath(entry)))('values of variable length in threads', () => {
  let pool: CodecPool;
  beforeAll(() => {
    pool = createCodecPool({ threads: 2, entry });
  });
  afterAll(() => pool.close());

  /** Counts the chunks sent to threads. */
  function counting(seen: { decoded: number; encoded: number }): CodecPool {
    return changed(pool, {
      run: (read, ...rest) => {
        if (read.destination.kind === 'items') seen.decoded++;
        return pool.run(read, ...rest);
      },
      encodeItems: (...args) => {
        seen.encoded++;
        return pool.encodeItems(...args);
      },
    });
  }

  test('are written, changed and read like inline', async () => {
    const seen = { decoded: 0, encoded: 0 };
    const store = createMemoryStore({ label: 'm' });
    const threaded = openHierarchy(store, { decoding: { pool: counting(seen), here: false } });
    const array = await threaded.createArray('/', { shape: [size], dtype: 'string', chunkShape: [chunk] });
    const texts = Array.from({ length: size }, (_, i) => `é ${i}`);
    await array.select({ kind: 'all' }).write(texts);
    await array.select(parseSelection('150000')).write('changed');
    texts[150_000] = 'changed';
    const [byThreads, byThisThread] = await Promise.all(
      [threaded, openHierarchy(store, { decoding: { pool: null } })].map(async (hierarchy) =>
        toTypedArray(await (await hierarchy.array('/')).select({ kind: 'all' }).read()),
      ),
    );
    expect(byThreads).toEqual(texts);
    expect(byThisThread).toEqual(texts);
    expect(seen).toEqual({ decoded: 4, encoded: 4 });
  });

  test('of small chunks stay inline, and a corrupt large chunk is a codec error', async () => {
    const seen = { decoded: 0, encoded: 0 };
    const store = createMemoryStore({ label: 'm' });
    const threaded = openHierarchy(store, { decoding: { pool: counting(seen), here: false } });
    const array = await threaded.createArray('/', {
      shape: [4],
      dtype: 'string',
      chunkShape: [2],
      codecs: [{ name: 'vlen-utf8' }],
    });
    await array.select({ kind: 'all' }).write(['a', 'b', 'c', 'd']);
    expect(seen).toEqual({ decoded: 0, encoded: 0 });
    await store.set('c/1', new Uint8Array(300_000));
    await expect(array.select({ kind: 'all' }).read()).rejects.toMatchObject({ code: 'CODEC_ERROR' });
    expect(seen).toEqual({ decoded: 1, encoded: 0 });
  });

  test('are decoded from several chunks of millions of elements', async () => {
    const single = createCodecPool({ threads: 1, entry });
    const count = 9_000_000;
    const store = createMemoryStore({ label: 'm' });
    const hierarchy = openHierarchy(store, { decoding: { pool: single, here: false } });
    const array = await hierarchy.createArray('/', {
      shape: [2 * count],
      dtype: 'string',
      chunkShape: [count],
      codecs: [{ name: 'vlen-utf8' }],
    });
    const empty = new Uint8Array(4 + 4 * count);
    new DataView(empty.buffer).setUint32(0, count, true);
    await store.set('c/0', empty);
    await store.set('c/1', empty);
    for (const index of ['0', `${count}`, '1'])
      expect(toTypedArray(await array.select(parseSelection(index)).read())).toEqual(['']);
    await single.close();
  });
});
