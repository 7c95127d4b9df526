import { expect, test } from 'vitest';
import { VirtualReferences } from '../../../server/store/icechunk/virtual-references.js';
import { wrapStore } from '../../../server/store/wrap.js';
import { createMemoryStore } from '../../../server/zarr/index.js';

test('a search through many manifests ends with its signal', async () => {
  const store = createMemoryStore({ label: 'files' });
  const stop = new AbortController();
  let reads = 0;
  const objects = wrapStore(store, {
    async getMany(requests, each) {
      if (++reads === 3) stop.abort();
      // An empty manifest: its list of arrays has no element.
      const header = Buffer.concat([Buffer.from('ICE\u{1f9ca}CHUNK'), Buffer.alloc(24), Buffer.of(1, 2, 0)]);
      const content = Buffer.from(Uint32Array.of(12, 0, 0, 0).buffer);
      content.set([8, 0, 8, 0, 0, 0, 4, 0], 4);
      content.set(Buffer.from(Int32Array.of(8).buffer), 12);
      const list = Buffer.from(Uint32Array.of(4, 0).buffer);
      for (const [i] of requests.entries()) each(i, { bytes: Buffer.concat([header, content, list]) });
    },
  });
  const references = new VirtualReferences({
    objects,
    manifestsOf: async () => Array.from({ length: 1000 }, (_, i) => String(i)),
  });
  const wanted = { node: '0000000000000', index: [0], recent: [] };
  await expect(references.find('snapshot', wanted, stop.signal)).rejects.toMatchObject({ code: 'ABORTED' });
  expect(reads).toBeLessThan(5);
});
