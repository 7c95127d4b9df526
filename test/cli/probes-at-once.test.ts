import { expect, test } from 'vitest';
import { probeEach } from '../../server/cli/probes-at-once.js';

test('all stores are probed, some at a time: fewer local ones', async () => {
  const stores = Array.from({ length: 4000 }, (_, i) => i);
  const isLocal = (store: number): boolean => store % 2 === 0;
  const probed: number[] = [];
  const active = { local: 0, remote: 0 };
  const most = { local: 0, remote: 0 };
  await probeEach(stores, isLocal, async (store) => {
    const kind = isLocal(store) ? 'local' : 'remote';
    most[kind] = Math.max(most[kind], ++active[kind]);
    await new Promise((resolve) => setImmediate(resolve));
    active[kind]--;
    probed.push(store);
  });
  expect(probed.toSorted((a, b) => a - b)).toEqual(stores);
  expect(active).toEqual({ local: 0, remote: 0 });
  expect(most).toEqual({ local: 32, remote: 1000 });
});

test('an error ends the probes', async () => {
  const failing = probeEach(
    [1, 2, 3],
    () => true,
    async (store) => {
      if (store === 2) throw new Error('broken');
    },
  );
  await expect(failing).rejects.toThrow('broken');
});
