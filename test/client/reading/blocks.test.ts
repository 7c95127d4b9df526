/** Reads of a whole array in blocks: concurrency and cancellation. */
import { afterAll, expect, test } from 'vitest';
import { createClient } from '../../../client/index.js';
import type { FetchLike } from '../../../client/index.js';
import { sampleStores } from '../../docs/samples.js';
import { fullAccess } from '../../../server/index.js';

const gateway = sampleStores();
afterAll(() => gateway.close());

let underWay = 0;
let most = 0;
const fetch: FetchLike = async (url, init) => {
  underWay += 1;
  most = Math.max(most, underWay);
  try {
    return await gateway.fetch(new gateway.Request(url, init), fullAccess);
  } finally {
    underWay -= 1;
  }
};
const sst = createClient({ fetch }).store('coads').array('SST', { dtype: 'float32' });

test('reads all values in order with bounded prefetch', async () => {
  const whole = await sst.slice();
  most = 0;
  const seen = new Float32Array(whole.size);
  for await (const { start, values } of sst.blocks({ maxBytes: 1, ahead: 3 })) {
    const [t = 0, y = 0, x = 0] = start;
    const [times = 0, rows = 0, columns = 0] = values.shape;
    for (let i = 0; i < times * rows; i++) {
      const row = values.data.subarray(i * columns, (i + 1) * columns);
      seen.set(row, ((t + Math.floor(i / rows)) * 90 + y + (i % rows)) * 180 + x);
    }
  }
  expect(seen).toEqual(whole.data);
  expect(most).toBeLessThanOrEqual(4);
  expect(most).toBeGreaterThan(1);
});

test('one at a time', async () => {
  most = 0;
  for await (const { values } of sst.blocks({ maxBytes: 1, ahead: 0 })) expect(values.size).toBe(4 * 45 * 90);
  expect(most).toBe(1);
});

test('stopping the iteration aborts blocks in flight', async () => {
  const signals: AbortSignal[] = [];
  // Info and the first block succeed; prefetched blocks hang.
  const slow: FetchLike = async (url, init) => {
    signals.push(init.signal);
    if (signals.length <= 2) return gateway.fetch(new gateway.Request(url, init), fullAccess);
    return new Promise((_resolve, reject) => {
      init.signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    });
  };
  const array = createClient({ fetch: slow }).store('coads').array('SST');
  for await (const { start } of array.blocks({ maxBytes: 1, ahead: 2 })) {
    expect(start).toEqual([0, 0, 0]);
    break;
  }
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, true, true]);
});

test('a failure is thrown in order, an abort immediately', async () => {
  const controller = new AbortController();
  const reading = (async () => {
    for await (const { start } of sst.blocks({ maxBytes: 1, signal: controller.signal }))
      if (start.some((from) => from > 0)) controller.abort();
  })();
  await expect(reading).rejects.toMatchObject({ code: 'ABORTED' });
  await expect(async () => {
    for await (const { start } of sst.blocks({ maxBytes: 0 })) expect(start).toEqual([]);
  }).rejects.toMatchObject({ code: 'BAD_INPUT' });
});
