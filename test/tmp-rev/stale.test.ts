import { expect, test } from 'vitest';
import { createMemoryStore, openHierarchy } from '../../server/zarr/index.js';
import type { KeyStore } from '../../server/zarr/store/store.js';
const other = (s: KeyStore): KeyStore => ({ ...s });
for (const codecs of [undefined, 'shard'] as const)
  for (const sel of [[8, 10], [8, 9]])
    test(`stale ${codecs} ${sel}`, async () => {
      const m = createMemoryStore({ label: 'm' });
      const a = openHierarchy(other(m)); const b = openHierarchy(other(m));
      await a.createArray('/a', { shape: [10], dtype: 'int8', chunkShape: codecs ? [2] : [8], ...(codecs ? { shardShape: [8] } : {}) } as never);
      const stale = await a.array('/a');
      await stale.select({ kind: 'all' }).write([1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
      await b.append('/a', [7, 7, 7], 0);
      await stale.select({ kind: 'dims', dims: [{ kind: 'slice', start: sel[0]!, stop: sel[1]! }] }).write(Array(sel[1]! - sel[0]!).fill(2));
      const v = await (await openHierarchy(m).array('/a')).select({ kind: 'all' }).read();
      expect([...new Int8Array((v as any).bytes.buffer, (v as any).bytes.byteOffset, 13)].slice(10)).toEqual([7, 7, 7]);
    });
for (const to of [20])
test('write while growing ' + to, async () => {
  const m = createMemoryStore({ label: 'm' });
  const a = openHierarchy(m);
  await a.createArray('/a', { shape: [10], dtype: 'int8', chunkShape: [8] } as never);
  let once = false;
  const slow: KeyStore = { ...m, async *walk(p, o) { const all = []; 
     if (!once) { once = true; const arr = await openHierarchy(m).array('/a'); console.log(arr.shape); if (arr.shape[0] === 20) await arr.select({ kind: 'dims', dims: [{ kind: 'slice', start: 16 }] }).write([5,5,5,5]); }
     for await (const x of m.walk(p, o)) yield x; } };
  await openHierarchy(slow).resize('/a', [to]);
  const v = await (await openHierarchy(m).array('/a')).select({ kind: 'dims', dims: [{ kind: 'slice', start: 16 }] }).read();
  console.log(v);
});
