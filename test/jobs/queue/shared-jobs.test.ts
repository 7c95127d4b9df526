/** The jobs of two services, which share their states through a real Redis server. */
import { Redis } from 'ioredis';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { JobService, type JobServiceOptions, type JobStatus } from '../../../server/jobs/job-service.js';
import { parseJob } from '../../../server/jobs/job.js';
import { createSharedJobs } from '../../../server/jobs/queue/shared-jobs.js';
import { runJob } from '../../../server/jobs/run-job.js';
import { connectRedis } from '../../../server/redis/connection.js';
import { AbortedError, ConflictError } from '../../../server/zarr/index.js';
import { startRedis } from '../../setup/redis.js';
import { createCounted, testStores } from '../memory-stores.js';

const found = await startRedis({ own: true });
const redis = 'missing' in found ? undefined : found;
afterAll(() => redis?.stop());

let tests = 0;
const { stores, source } = testStores();
await createCounted(source, '/x', { shape: [12], chunkShape: [2], dtype: 'int16' });
const sum = parseJob({
  kind: 'reduce',
  source: { store: 'a', path: '/x', steps: [{ reduce: { by: 'SUM' } }] },
});

/** Services with the same prefix. */
async function services(options: readonly (JobServiceOptions & { readonly keys?: readonly string[] })[]) {
  const prefix = `shared${tests++}`;
  const ignored: string[] = [];
  const all: JobService[] = [];
  for (const { keys = ['secret'], ...own } of options) {
    const connection = await connectRedis(
      { url: redis?.url ?? '', prefix, timeoutMs: 500 },
      { metrics: { ignored: (kind) => ignored.push(kind), ended() {} }, log: { info() {}, warn() {} } },
    );
    const service = new JobService({ ...own, shared: createSharedJobs(connection, keys) });
    onTestFinished(async () => {
      await service.close();
      connection.close();
    });
    all.push(service);
  }
  const [a, b] = all;
  if (a === undefined || b === undefined) throw new Error('two services');
  const raw = new Redis(redis?.port ?? 0);
  onTestFinished(() => raw.disconnect());
  return { a, b, raw, prefix, ignored };
}

async function followed(service: JobService, id: string): Promise<JobStatus> {
  return new Promise((resolve, reject) => {
    const end = service.follow(
      id,
      (status) => {
        if (status.endedAtMs === undefined) return;
        end();
        resolve(status);
      },
      () => reject(new Error('lost')),
    );
  });
}

const slowly: JobServiceOptions['run'] = async (plan, options) => {
  await new Promise((resolve) => setTimeout(resolve, 300));
  return runJob(plan, options);
};

const untilAborted: JobServiceOptions['run'] = (plan, { signal }) => {
  const aborted = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(new AbortedError('cancelled')));
  });
  return runJob({ ...plan, run: () => aborted }, signal === undefined ? {} : { signal });
};

describe.skipIf(redis === undefined)('with Redis', { timeout: 30_000 }, () => {
  test('a job is shown, followed and found with its result by another replica', async () => {
    const { a, b } = await services([{ run: slowly }, {}]);
    const { id } = await a.start(sum, stores);
    await expect.poll(() => b.find(id).catch(() => undefined)).toMatchObject({ id, spec: sum });
    expect((await b.listAll()).map((job) => job.id)).toEqual([id]);
    const ended = await followed(b, id);
    expect(ended).toMatchObject({ state: 'SUCCEEDED', outcome: { values: { shape: [] } } });
    expect(ended.outcome).toEqual(a.get(id).outcome);
    expect(await b.start(sum, stores)).toMatchObject({ id, state: 'SUCCEEDED' });
    const array = await source.array('/x');
    await array.select('0').write(2);
    const next = await b.start(sum, stores);
    expect(next.id).not.toBe(id);
    await followed(b, next.id);
    await array.select('0').write(1);
  });

  test('a job is cancelled by another replica', async () => {
    const { a, b } = await services([{ run: untilAborted }, {}]);
    const { id } = await a.start(sum, stores);
    await expect.poll(() => b.find(id).catch(() => undefined)).toBeDefined();
    await b.cancelAnywhere(id);
    expect((await followed(b, id)).state).toBe('CANCELLED');
  });

  test('an error arrives with its code; one that is a mistake of the program does not', async () => {
    for (const [error, shown] of [
      [new ConflictError('changed', { where: { path: '/x' } }), { code: 'CONFLICT', where: { path: '/x' } }],
      [new TypeError('secret'), { message: '' }],
    ] as const) {
      // prettier-ignore
      const { a, b } = await services([{ run: () => Promise.reject(error) }, {}]);
      const { id } = await a.start(sum, stores);
      expect((await followed(b, id)).error).toMatchObject(shown);
    }
  });

  test('states that no replica has signed are ignored, and none are shared without keys', async () => {
    const { a, b, raw, prefix, ignored } = await services([{}, { keys: ['another'] }]);
    const { id } = await a.start(sum, stores);
    await followed(a, id);
    await expect.poll(() => raw.keys(`${prefix}:jobs:state:*`)).toHaveLength(1);
    await expect(b.find(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await b.listAll()).toEqual([]);
    expect(ignored.length).toBeGreaterThan(0);
    await raw.set(`${prefix}:jobs:state:other`, (await raw.getBuffer(`${prefix}:jobs:state:${id}`)) ?? '');
    await raw.zadd(`${prefix}:jobs`, 1, 'other', 2, '__proto__');
    await expect(a.find('other')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await a.listAll()).map((job) => job.id)).toEqual([id]);
    const bare = await services([{ keys: [] }, {}]);
    await followed(bare.a, (await bare.a.start(sum, stores)).id);
    expect(await bare.raw.keys(`${bare.prefix}:jobs:*`)).toEqual([]);
  });
});
