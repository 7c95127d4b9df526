import { afterAll, expect, test } from 'vitest';
import { lazySlice } from '../../../client/analysis/index.js';
import { createMemoryStore, openHierarchy } from '../../../server/zarr/index.js';
import { createCounted } from '../../jobs/memory-stores.js';
import { startInProcess } from '../in-process.js';

const a = createMemoryStore({ label: 'a' });
const b = createMemoryStore({ label: 'b' });
const { client, close } = startInProcess({
  stores: [
    { name: 'a', store: a },
    { name: 'b', store: b, writable: true },
  ],
  jobs: {},
});
afterAll(close);
await createCounted(openHierarchy(a), '/x', {
  shape: [6, 4],
  chunkShape: [2, 2],
  dtype: 'int16',
  dimensionNames: ['y', 'x'],
});

test('jobs are started, watched, listed and cancelled', async () => {
  const source = { store: 'a', path: '/x' };
  const job = await client.jobs.start({
    kind: 'COPY',
    source,
    destination: { store: 'b', path: '/x' },
    chunks: { y: 6 },
  });
  expect(job).toMatchObject({ kind: 'COPY', source, tasks: 1 });
  const states: string[] = [];
  for await (const { state, done } of client.jobs.watch(job.id)) states.push(`${state} ${done}`);
  expect(states.at(-1)).toBe('SUCCEEDED 1');
  expect(await client.jobs.get(job.id)).toMatchObject({ state: 'SUCCEEDED', done: 1, error: null });
  expect((await client.jobs.list({ first: 10 })).map(({ id }) => id)).toEqual([job.id]);
  expect((await client.jobs.cancel(job.id)).state).toBe('SUCCEEDED');
  expect((await openHierarchy(b).array('/x')).chunkShape).toEqual([6, 2]);
  await client.jobs.start({
    kind: 'COPY',
    source,
    destination: { store: 'b', path: '/y' },
    chunks: [3, 4],
    shards: null,
  });
  await expect(client.jobs.get('unknown')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(async () => {
    for await (const _ of client.jobs.watch('unknown'));
  }).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('a reduction with the mode JOB is read when its job has ended', async () => {
  const sum = lazySlice(client.store('a').array('/x')).reduce('SUM', { mode: 'JOB' });
  const { id } = await sum.job();
  for await (const _ of client.jobs.watch(id));
  expect(await sum.job()).toMatchObject({ id, kind: 'REDUCE', state: 'SUCCEEDED', result: '300' });
  expect((await sum.read()).data).toEqual(BigInt64Array.of(300n));
  const now = lazySlice(client.store('a').array('/x')).reduce('SUM');
  await expect(now.job()).rejects.toMatchObject({ code: 'BAD_INPUT' });
  const median = lazySlice(client.store('a').array('/x')).reduce('MEDIAN', { mode: 'JOB' });
  for await (const _ of client.jobs.watch((await median.job()).id));
  expect((await median.read()).data).toEqual(Float64Array.of(12.5));
});
