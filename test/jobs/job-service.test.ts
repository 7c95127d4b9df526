import { expect, test } from 'vitest';
import { JobService, type JobServiceOptions, type JobStatus } from '../../server/jobs/job-service.js';
import { parseJob } from '../../server/jobs/job.js';
import { type JobOutcome, type RunOptions } from '../../server/jobs/run-job.js';
import { AbortedError, type Block, StoreUnavailableError } from '../../server/zarr/index.js';
import { copyOf, createCounted, testStores } from './memory-stores.js';

const done: JobOutcome = {
  tasks: 1, done: 1, resumed: 0, counts: { bytesRead: 0, bytesWritten: 0, chunksWritten: 0 },
  failed: [], isAborted: false, broken: [], isChecked: true, result: undefined,
  values: undefined,
  seen: 0n,
}; // prettier-ignore

interface Started {
  readonly options: RunOptions;
  end(outcome?: JobOutcome): void;
  fail(error: Error): void;
}

/** A service whose jobs end when the test says so. */
async function start(options: JobServiceOptions = {}) {
  const running: Started[] = [];
  const service = new JobService({
    ...options,
    run: (_, own) =>
      new Promise((resolve, reject) => {
        running.push({ options: own, end: (outcome = done) => resolve(outcome), fail: reject });
        own.signal?.addEventListener('abort', () => reject(new AbortedError('cancelled')));
      }),
  });
  const { stores, source } = testStores();
  await createCounted(source, '/x', { shape: [4], chunkShape: [2], dtype: 'int8' });
  const add = (to: string): Promise<JobStatus> => service.start(parseJob(copyOf('/x', {}, to)), stores);
  const states = () =>
    service
      .list()
      .map(({ state }) => state)
      .toReversed();
  return { service, running, add, states };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('jobs wait for their turn, and the oldest ended ones are forgotten', async () => {
  const { service, running, add, states } = await start({ maxRunning: 1, maxQueued: 2, maxRemembered: 1 });
  await add('/a');
  await add('/b');
  await add('/c');
  expect(states()).toEqual(['RUNNING', 'QUEUED', 'QUEUED']);
  await expect(add('/d')).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
  running[0]?.end();
  await turn();
  expect(states()).toEqual(['SUCCEEDED', 'RUNNING', 'QUEUED']);
  running[1]?.fail(new StoreUnavailableError('down'));
  await turn();
  // Only one ended job is remembered.
  expect(states()).toEqual(['FAILED', 'RUNNING']);
  expect(service.list().at(-1)?.error).toMatchObject({ code: 'STORE_UNAVAILABLE' });
  running[2]?.end({
    ...done,
    done: 0,
    failed: [{ task: 0, path: '/', key: 'k', code: 'CODEC_ERROR', message: '' }],
  });
  await turn();
  expect(states()).toEqual(['FAILED']);
});

test('jobs whose values are too large together are forgotten, the oldest first', async () => {
  const { service, running, add } = await start({ maxRunning: 3, maxValueBytes: 20 });
  const values: Block = { dtype: { name: 'uint8', itemSize: 1 }, shape: [10], bytes: new Uint8Array(10) };
  const ids: string[] = [];
  for (const to of ['/a', '/b', '/c']) ids.push((await add(to)).id);
  for (const { end } of running) end({ ...done, values });
  await turn();
  expect(service.list().map(({ id }) => id)).toEqual(ids.slice(1).toReversed());
});

test('the same job is not started twice', async () => {
  const { running, add, states } = await start();
  const first = await add('/a');
  expect((await add('/a')).id).toBe(first.id);
  running[0]?.end();
  await turn();
  // It may be started again: its destination may have been deleted.
  expect((await add('/a')).id).not.toBe(first.id);
  expect(states()).toEqual(['SUCCEEDED', 'RUNNING']);
});

test('waiting and running jobs can be cancelled, and closing cancels all', async () => {
  const { service, add, states } = await start();
  const seen: string[] = [];
  service.listen(({ state }) => seen.push(state));
  const [a, b] = [await add('/a'), await add('/b')];
  expect(service.cancel(b.id).state).toBe('CANCELLED');
  service.cancel(a.id);
  await turn();
  expect(states()).toEqual(['CANCELLED', 'CANCELLED']);
  await add('/c');
  await add('/d');
  await service.close();
  expect(states()).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED', 'CANCELLED']);
  expect(seen.filter((state) => state === 'CANCELLED')).toHaveLength(4);
  await expect(add('/e')).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
  expect(() => service.get('unknown')).toThrow('no job has this id');
});
