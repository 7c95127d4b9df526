/** Jobs that several processes share over a real Redis: here, several queues in one process, each with separate stores. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Queue } from 'bullmq';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { createFolderRecords } from '../../../server/jobs/folder-records.js';
import { JobQueue } from '../../../server/jobs/queue/job-queue.js';
import { parseJob } from '../../../server/jobs/job.js';
import { planJob } from '../../../server/jobs/plan-job.js';
import { RECORD_ATTRIBUTE } from '../../../server/jobs/record.js';
import { type JobOutcome, runJob, type RunOptions } from '../../../server/jobs/run-job.js';
import type { JobStores } from '../../../server/jobs/stores.js';
import { connectRedis } from '../../../server/redis/connection.js';
import { createFilesystemStore, toNested } from '../../../server/zarr/index.js';
import { startRedis } from '../../setup/redis.js';
import { folderOfTest } from '../../setup/temporary-folder.js';
import { copyOf, createCounted, testStores } from '../memory-stores.js';

const found = await startRedis({ own: true });
const redis = 'missing' in found ? undefined : found;
afterAll(() => redis?.stop());

const log = { info() {}, warn() {} };
let tests = 0;

function folders(root: string): ReturnType<typeof testStores> {
  const open = (label: string) => createFilesystemStore({ label, root: join(root, label) });
  return testStores(open('a'), open('b'));
}

async function queueOf(
  prefix: string,
  works: boolean,
  stores: JobStores,
  keys?: readonly string[],
): Promise<JobQueue> {
  const connection = await connectRedis({ url: redis?.url ?? '', prefix, timeoutMs: 1000 }, { log });
  const queue = new JobQueue(connection, { works, log, keys });
  onTestFinished(async () => {
    await queue.close();
    connection.close();
  });
  queue.work(stores);
  return queue;
}

/** A source of 12 tasks, the process that starts jobs, and two that work. */
async function setUp(workers = 2, keys?: readonly string[]) {
  const root = folderOfTest('queue');
  const prefix = `test${tests++}`;
  const own = folders(root);
  await createCounted(own.source, '/x', {
    shape: [48, 512, 512],
    chunkShape: [1, 512, 512],
    dtype: 'float64',
  });
  const starter = await queueOf(prefix, false, own.stores, keys);
  for (let i = 0; i < workers; i++) await queueOf(prefix, true, folders(root).stores, keys);
  const run = async (job: Record<string, unknown>, options: RunOptions = {}): Promise<JobOutcome> =>
    starter.run(await planJob(parseJob(job), own.stores), { ...options, id: `job${tests++}` });
  return { root, prefix, own, run };
}

async function sampleOf(hierarchy: ReturnType<typeof testStores>['source']): Promise<unknown> {
  const select = {
    kind: 'dims' as const,
    dims: [
      { kind: 'slice' as const },
      { kind: 'index' as const, index: 3 },
      { kind: 'index' as const, index: 99 },
    ],
  };
  return toNested(await (await hierarchy.array('/x')).select(select).read());
}

describe.skipIf(redis === undefined)('with Redis', { timeout: 60_000 }, () => {
  test('a copy is divided among processes, and complete', async () => {
    const { own, run } = await setUp();
    const outcome = await run(copyOf('/x'));
    expect(outcome).toMatchObject({
      tasks: 12,
      done: 12,
      failed: [],
      isChecked: true,
      counts: { chunksWritten: 48 },
    });
    expect(await sampleOf(own.destination)).toEqual(await sampleOf(own.source));
    expect((await own.destination.array('/x')).meta.attributes).toEqual({});
  });

  test('statistics are bit for bit those of one process', async () => {
    const { own, run } = await setUp();
    const job = { kind: 'statistics', source: { store: 'a', path: '/x', steps: [] } };
    const alone = await runJob(await planJob(parseJob(job), own.stores));
    expect((await run(job)).result).toEqual(alone.result);
  });

  test.each([
    ['MEAN', {}],
    ['STD', { over: ['1', '2'] }],
  ])('a reduction (%s) is divided by its source, bit for bit that of one process', async (by, more) => {
    const { own, run } = await setUp();
    const job = { kind: 'reduce', source: { store: 'a', path: '/x', steps: [{ reduce: { by, ...more } }] } };
    const alone = await runJob(await planJob(parseJob(job), own.stores));
    const { values, counts } = await run(job);
    expect(values).toEqual(alone.values);
    expect(counts).toEqual(alone.counts);
    const destination = { store: 'b', path: '/r' };
    await run({ ...job, destination, options: {} });
    const array = await own.destination.array('/r');
    expect([await array.select().read(), array.meta.attributes]).toEqual([alone.values, {}]);
  });

  test('a restart of Redis that loses everything loses no task', async () => {
    const { own, run } = await setUp();
    let restarted: Promise<void> | undefined;
    const outcome = await run(copyOf('/x'), {
      onProgress({ done }) {
        if (done >= 2) restarted ??= redis?.kill().then(() => redis.restart());
      },
    });
    await restarted;
    expect(outcome).toMatchObject({ done: 12, failed: [] });
    expect(await sampleOf(own.destination)).toEqual(await sampleOf(own.source));
  });

  test('while Redis is away, a job can be cancelled, and its processes can end', async () => {
    const { run, prefix, root } = await setUp(1);
    onTestFinished(() => redis?.restart());
    const ending = new AbortController();
    let killed: Promise<void> | undefined;
    const running = run(copyOf('/x'), {
      signal: ending.signal,
      onProgress: ({ done }) => void (done >= 2 && (killed ??= redis?.kill())),
    });
    await expect.poll(() => killed !== undefined, { timeout: 30_000 }).toBe(true);
    await killed;
    ending.abort();
    await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
    const { attributes } = JSON.parse(readFileSync(join(root, 'b/x/zarr.json'), 'utf8'));
    expect(attributes[RECORD_ATTRIBUTE]).toMatchObject({ tasks: 12 });
    const idle = await queueOf(`${prefix}-idle`, true, folders(root).stores);
    await idle.close();
  });

  test('a job that is cancelled stops, and continues when it is started again', async () => {
    const { run, root } = await setUp(1);
    const ending = new AbortController();
    const first = run(copyOf('/x'), {
      signal: ending.signal,
      onProgress: ({ done }) => void (done >= 2 && ending.abort()),
    });
    await expect(first).rejects.toMatchObject({ code: 'ABORTED' });
    const { attributes } = JSON.parse(readFileSync(join(root, 'b/x/zarr.json'), 'utf8'));
    expect(attributes[RECORD_ATTRIBUTE]).toMatchObject({ tasks: 12 });
    const outcome = await run(copyOf('/x'));
    expect(outcome.done).toBe(12);
    expect(outcome.resumed).toBeGreaterThanOrEqual(2);
  });

  test('a reduction that is cancelled continues with the partial results of other processes', async () => {
    const { own, run } = await setUp();
    await createCounted(own.source, '/many', { shape: [640], chunkShape: [1], dtype: 'float64' });
    const job = { kind: 'reduce', source: { store: 'a', path: '/many', steps: [{ reduce: { by: 'STD' } }] } };
    const alone = await runJob(await planJob(parseJob(job), own.stores));
    expect(alone.tasks).toBe(10);
    const records = createFolderRecords(folderOfTest('records'), (error) => {
      throw error;
    });
    const ending = new AbortController();
    const first = run(job, {
      records,
      signal: ending.signal,
      onProgress: ({ done, tasks }) => void (done >= 4 && done < tasks && ending.abort()),
    });
    await expect(first).rejects.toMatchObject({ code: 'ABORTED' });
    const outcome = await run(job, { records });
    expect(outcome).toMatchObject({ done: 10, values: alone.values });
    expect(outcome.resumed).toBeGreaterThanOrEqual(4);
  });

  test('a process whose stores differ refuses the tasks', async () => {
    const { own, run, prefix } = await setUp(0);
    const other = folders(folderOfTest('other'));
    await createCounted(other.source, '/x', { shape: [4], chunkShape: [2], dtype: 'int8' });
    await queueOf(prefix, true, other.stores);
    const outcome = await run(copyOf('/x'), { maxFailures: 2 });
    expect(outcome.failed[0]).toMatchObject({
      code: 'INTERNAL',
      message: expect.stringContaining('another source or destination'),
    });
    expect(await other.destination.node('/x')).toBeUndefined();
    expect((await own.destination.array('/x')).meta.attributes[RECORD_ATTRIBUTE]).toBeDefined();
  });

  test('with keys, a worker with another key does nothing, and its reports are not taken', async () => {
    const signed = await setUp(1, ['a key that is not in Redis']);
    expect(await signed.run(copyOf('/x'))).toMatchObject({ done: 12, failed: [] });
    const { run, prefix, root, own } = await setUp(0, ['a key that is not in Redis']);
    await queueOf(prefix, true, folders(root).stores, ['another key']);
    const outcome = await run(copyOf('/x'), { maxFailures: 2 });
    expect(outcome.done).toBe(0);
    expect(outcome.failed[0]?.message).toContain('the same hrefKeys');
    const array = await own.destination.array('/x');
    expect(toNested(await array.select('0,0,:3').read())).toEqual([0, 0, 0]);
    // A worker without keys reports unsigned: by the description, it does not even begin.
    const bare = await setUp(0, ['a key that is not in Redis']);
    await queueOf(bare.prefix, true, folders(bare.root).stores);
    expect((await bare.run(copyOf('/x'), { maxFailures: 2 })).done).toBe(0);
  });

  test('messages of others do nothing', async () => {
    const { own, prefix, run } = await setUp(1);
    const { hostname, port } = new URL(redis?.url ?? 'redis://localhost');
    const queue = new Queue('jobs', {
      connection: { host: hostname, port: Number(port) },
      prefix: `${prefix}:queue`,
    });
    onTestFinished(() => queue.close());
    for (const data of [
      {},
      { job: 'x', plan: 'y', from: 0, to: 1 },
      { job: '../a', plan: '', from: 0, to: 1e9 },
      'text',
    ])
      await queue.add('tasks', data);
    await queue.add('other', { run: 'rm -rf /' });
    expect(await run(copyOf('/x'))).toMatchObject({ done: 12, failed: [] });
    expect(await queue.getJobCounts('failed', 'waiting', 'active')).toMatchObject({
      failed: 5,
      waiting: 0,
      active: 0,
    });
    expect(await own.destination.node('/y')).toBeUndefined();
  });
});
