import { expect, test } from 'vitest';
import { statisticsOf } from '../../../server/analysis/statistics.js';
import { planJob } from '../../../server/jobs/plan-job.js';
import { parseJob } from '../../../server/jobs/job.js';
import { runJob } from '../../../server/jobs/run-job.js';
import { run, testStores } from '../memory-stores.js';

const fields = ['count', 'missing', 'min', 'max', 'sum', 'mean', 'std'] as const;

/** Values whose sum depends on the order of additions. */
function unevenValues(count: number): Float64Array {
  let state = 12345;
  return Float64Array.from({ length: count }, (_, i) => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return i % 97 === 0 ? NaN : (state / 2 ** 31 - 0.5) * 10 ** (state % 17);
  });
}

test.each([
  ['chunks', { chunkShape: [8, 16, 16] }],
  ['shards', { chunkShape: [8, 16, 16], shardShape: [16, 32, 48] }],
])('are bit for bit those of one read of an array with %s, in any number of tasks', async (_, layout) => {
  const { stores, source } = testStores();
  const shape = [200, 60, 50];
  const array = await source.createArray('/x', { shape, dtype: 'float64', ...layout });
  const values = unevenValues(200 * 60 * 50);
  await array
    .select()
    .write({ dtype: { name: 'float64', itemSize: 8 }, shape, bytes: new Uint8Array(values.buffer) });
  const job = parseJob({ kind: 'statistics', source: { store: 'a', path: '/x', steps: [] } });
  expect((await planJob(job, stores)).tasks).toBeGreaterThan(1);
  const whole = await statisticsOf(array.select(), { fields, quantiles: [], histograms: [] }).read();
  for (const maxTasks of [1, 4]) {
    const { result } = await run(stores, job, { maxTasks });
    expect(result).toEqual(whole.values);
  }
});

test('a part of an array that does not begin at a chunk is divided too', async () => {
  const { stores, source } = testStores();
  const array = await source.createArray('/x', { shape: [1000], chunkShape: [10], dtype: 'int32' });
  await array.select().write(Int32Array.from({ length: 1000 }, (_, i) => i));
  const steps = [{ select: { kind: 'dims', dims: [{ kind: 'slice', start: 5, stop: 995 }] } }];
  const outcome = await run(stores, { kind: 'statistics', source: { store: 'a', path: '/x', steps } });
  expect(outcome).toMatchObject({ tasks: 2, result: { count: 990n, min: 5, max: 994, mean: 499.5 } });
});

test('a slow task does not stop the process while others wait for it to be merged', async () => {
  const { stores, source } = testStores();
  const array = await source.createArray('/x', { shape: [200 * 64], chunkShape: [1], dtype: 'int8' });
  expect(array.chunkCounts).toEqual([12_800]);
  const plan = await planJob(
    parseJob({ kind: 'statistics', source: { store: 'a', path: '/x', steps: [] } }),
    stores,
  );
  expect(plan.tasks).toBe(200);
  const slow: typeof plan = {
    ...plan,
    async run(task, context) {
      if (task === 0) await new Promise((resolve) => setTimeout(resolve, 100));
      return plan.run(task, context);
    },
  };
  expect((await runJob(slow)).result).toMatchObject({ count: 12_800n });
});
