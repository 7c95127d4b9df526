/** Results of reads are garbage-collected when unreferenced. The decoding threads run built files. */
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { createCodecPool, createMemoryStore, openHierarchy } from '../../../server/zarr/index.js';

const entry = new URL('../../../dist/server/threads/worker.js', import.meta.url);

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
}

test.skipIf(!existsSync(fileURLToPath(entry)))(
  'values decoded by threads for a read with a signal are collected',
  async () => {
    const pool = createCodecPool({ entry, threads: 1 });
    onTestFinished(() => pool.close());
    await pool.whenAvailable();
    const hierarchy = openHierarchy(createMemoryStore({ label: 'm' }), {
      decoding: { pool, here: false },
    });
    const array = await hierarchy.createArray('/', {
      shape: [2 ** 20],
      dtype: 'uint8',
      chunkShape: [2 ** 18],
      codecs: [{ name: 'bytes' }, { name: 'gzip' }],
    });
    await array.select({ kind: 'all' }).write(1);
    const results: WeakRef<ArrayBufferLike>[] = [];
    for (let i = 0; i < 4; i++) {
      const block = await array.select({ kind: 'all' }).read({ signal: new AbortController().signal });
      if (!('bytes' in block)) throw new Error('expected bytes');
      results.push(new WeakRef(block.bytes.buffer));
    }
    const held = (): number => results.filter((result) => result.deref() !== undefined).length;
    // The last result may still be in a register or on the stack.
    await expect
      .poll(async () => {
        await pause(1);
        collectGarbage();
        return held();
      })
      .toBeLessThanOrEqual(1);
  },
);
