import { expect, test } from 'vitest';
import { parseJob } from '../../server/jobs/job.js';
import { planJob } from '../../server/jobs/plan-job.js';
import { RECORD_ATTRIBUTE } from '../../server/jobs/record.js';
import { assertMemory, type JobProgress, runJob } from '../../server/jobs/run-job.js';
import type { TaskRange } from '../../server/jobs/task-ranges.js';
import {
  createMemoryStore,
  createStreamSession,
  type KeyStore,
  StoreUnavailableError,
  toNested,
} from '../../server/zarr/index.js';
import { copyOf, createCounted, run, testStores } from './memory-stores.js';

/** Tasks of one chunk: 20 of 2 MiB. Smaller chunks would be copied together. */
const large = { shape: [20, 512, 512], chunkShape: [1, 512, 512], dtype: 'float64' };
const perTask = 20 / 4;

async function valuesOf(hierarchy: ReturnType<typeof testStores>['source'], path: string): Promise<unknown> {
  return toNested(
    await (
      await hierarchy.array(path)
    )
      .select({
        kind: 'dims',
        dims: [{ kind: 'slice' }, { kind: 'index', index: 7 }, { kind: 'index', index: 9 }],
      })
      .read(),
  );
}

test('a job that was aborted continues where it stopped', async () => {
  const { stores, source, destination } = testStores();
  await createCounted(source, '/x', large);
  const ending = new AbortController();
  let progress: JobProgress | undefined;
  const first = run(stores, copyOf('/x'), {
    signal: ending.signal,
    maxTasks: 1,
    onProgress(now) {
      progress = now;
      if (now.done === 2) ending.abort();
    },
  });
  await expect(first).rejects.toMatchObject({ code: 'ABORTED' });
  const done = progress?.done ?? 0;
  expect(done).toBeGreaterThanOrEqual(2);
  expect(done).toBeLessThan(perTask);
  const { attributes } = (await destination.array('/x')).meta;
  expect(attributes[RECORD_ATTRIBUTE]).toMatchObject({ version: 1, tasks: 5, done: [[0, done]] });
  const outcome = await run(stores, copyOf('/x'));
  expect(outcome).toMatchObject({ tasks: 5, done: 5, resumed: done, failed: [], isChecked: true });
  expect((await destination.array('/x')).meta.attributes).toEqual({});
  expect(await valuesOf(destination, '/x')).toEqual(await valuesOf(source, '/x'));
});

test('an unfinished job is not continued by another one, nor after a change of the source', async () => {
  const { stores, source } = testStores();
  const array = await createCounted(source, '/x', large);
  const stop = async (): Promise<void> => {
    const ending = new AbortController();
    const onProgress = ({ done }: JobProgress): void => {
      if (done === 2) ending.abort();
    };
    await expect(
      run(stores, copyOf('/x', { overwrite: true }), { signal: ending.signal, maxTasks: 1, onProgress }),
    ).rejects.toMatchObject({ code: 'ABORTED' });
  };
  await stop();
  await expect(run(stores, copyOf('/x', { chunks: [1, 256, 512] }))).rejects.toMatchObject({
    code: 'CONFLICT',
  });
  // A chunk that was copied.
  await array.select({ kind: 'dims', dims: [{ kind: 'slice', stop: 1 }] }).write(-1);
  await expect(run(stores, copyOf('/x'))).rejects.toMatchObject({ code: 'CONFLICT' });
  await source.setAttributes('/x', { set: { title: 'new' } });
  await expect(run(stores, copyOf('/x'))).rejects.toMatchObject({ code: 'CONFLICT' });
  const outcome = await run(stores, copyOf('/x', { overwrite: true }));
  expect(outcome).toMatchObject({ done: 5, resumed: 0 });
});

test('a source that changes while it is copied is a conflict, and the destination keeps its mark', async () => {
  const { stores, source, destination } = testStores();
  const array = await createCounted(source, '/x', large);
  let changed: Promise<unknown> | undefined;
  const plan = await planJob(parseJob(copyOf('/x')), stores);
  const job = runJob(
    {
      ...plan,
      run: async (task, context) => {
        const report = await plan.run(task, context);
        // After the first chunk was copied, and before the others are.
        if (task === 0)
          await (changed = array.select({ kind: 'dims', dims: [{ kind: 'slice', stop: 1 }] }).write(5));
        return report;
      },
    },
    { maxTasks: 1 },
  );
  await expect(job).rejects.toMatchObject({ code: 'CONFLICT', where: { store: 'a', path: '/x' } });
  expect(changed).toBeDefined();
  expect((await destination.array('/x')).meta.attributes[RECORD_ATTRIBUTE]).toBeDefined();
});

test('the unfinished destination of a job is not a source', async () => {
  const { stores, source } = testStores();
  await createCounted(source, '/x', { ...large, attributes: { [RECORD_ATTRIBUTE]: {} } });
  await expect(run(stores, copyOf('/x'))).rejects.toThrow('unfinished job');
});

/** Fails reads of some objects. */
function failing(inner: KeyStore, fails: (key: string) => Error | undefined): KeyStore {
  return {
    ...inner,
    async getMany(requests, each, options) {
      const error = requests.map(({ key }) => fails(key)).find((found) => found !== undefined);
      if (error !== undefined) throw error;
      return inner.getMany(requests, each, options);
    },
  };
}

test('a task that fails for good names its chunk, and the others go on; later, only that task is repeated', async () => {
  let isBroken = true;
  let attempts = 0;
  const inner = createMemoryStore({ label: 'a' });
  const store = failing(inner, (key) => {
    if (!isBroken || key !== 'x/c/9/0/0') return undefined;
    attempts++;
    return new StoreUnavailableError('broken disk', { where: { key } });
  });
  const { stores, source, destination } = testStores(store);
  isBroken = false;
  await createCounted(source, '/x', large);
  isBroken = true;
  const outcome = await run(stores, copyOf('/x'));
  expect(outcome).toMatchObject({
    tasks: 5,
    done: 4,
    isAborted: false,
    failed: [{ task: 2, path: '/x', key: 'x/c/9/0/0', code: 'STORE_UNAVAILABLE' }],
  });
  expect(attempts).toBe(2);
  isBroken = false;
  expect(await run(stores, copyOf('/x'))).toMatchObject({
    done: 5,
    resumed: 4,
    counts: { chunksWritten: 4 },
  });
  expect(await valuesOf(destination, '/x')).toEqual(await valuesOf(source, '/x'));
});

test('a job ends after a number of failures', async () => {
  let isBroken = false;
  const { stores, source } = testStores(
    failing(createMemoryStore({ label: 'a' }), (key) =>
      isBroken && key.startsWith('x/c/') ? new StoreUnavailableError('down', { where: { key } }) : undefined,
    ),
  );
  await createCounted(source, '/x', large);
  isBroken = true;
  const outcome = await run(stores, copyOf('/x'), { maxFailures: 2, maxTasks: 1 });
  expect(outcome).toMatchObject({ done: 0, isAborted: true });
  expect(outcome.failed).toHaveLength(2);
});

test('a job that needs more memory than there is does not begin', async () => {
  const { stores, source, destination } = testStores();
  await createCounted(source, '/x', large);
  const plan = await planJob(parseJob(copyOf('/x')), stores);
  await expect(runJob(plan, { memoryBytes: 2 ** 20 })).rejects.toMatchObject({
    code: 'LIMIT_EXCEEDED',
    excess: [{ limit: 'memory of a job', allowed: 2 ** 20 }],
  });
  expect(await destination.node('/x')).toBeUndefined();
  expect(() => assertMemory(plan, plan.needBytes)).not.toThrow();
});

test('an existing destination is kept, unless it may be overwritten', async () => {
  const { stores, source, destination } = testStores();
  await createCounted(source, '/x', { shape: [4], chunkShape: [2], dtype: 'int16' });
  await createCounted(destination, '/x', { shape: [3], chunkShape: [2], dtype: 'int8' });
  await expect(run(stores, copyOf('/x'))).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
  expect((await destination.array('/x')).shape).toEqual([3]);
  await run(stores, copyOf('/x', { overwrite: true }));
  expect((await destination.array('/x')).shape).toEqual([4]);
});

test('reports that arrive twice or in any order count once', async () => {
  const { stores, source } = testStores();
  const array = await source.createArray('/f', { shape: [2000], chunkShape: [1], dtype: 'float64' });
  await array.select().write(Float64Array.from({ length: 2000 }, (_, i) => 1 / (i + 1)));
  for (const kind of ['statistics', 'reduce'] as const) {
    const steps = kind === 'reduce' ? [{ reduce: { by: 'SUM' } }] : [];
    const plan = await planJob(parseJob({ kind, source: { store: 'a', path: '/f', steps } }), stores);
    expect(plan.tasks).toBeGreaterThan(20);
    const alone = await runJob(plan);
    const context = {
      signal: undefined,
      memory: createStreamSession(),
      target: () => Promise.reject(new Error('none')),
    };
    const twice = await runJob(plan, {
      executor: {
        async runStage(_, stage) {
          const ranges: TaskRange[] = [];
          for (let range = stage.take(3); range !== undefined; range = stage.take(3)) ranges.push(range);
          for (const [from, to] of [...ranges.toReversed(), ...ranges]) {
            const done = [];
            for (let task = from; task < to; task++)
              done.push({ task, report: await plan.run(task, context) });
            stage.report({ done, failed: [] });
          }
        },
      },
    });
    expect(twice).toEqual(alone);
  }
});
