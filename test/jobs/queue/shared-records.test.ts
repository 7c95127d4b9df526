/** Partial results of reductions in a real Redis server: what others write there, and what is lost there. */
import { Redis } from 'ioredis';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { JobService, type JobStatus } from '../../../server/jobs/job-service.js';
import { parseJob } from '../../../server/jobs/job.js';
import { planJob } from '../../../server/jobs/plan-job.js';
import type { JobPlan } from '../../../server/jobs/plan.js';
import { createSharedRecords } from '../../../server/jobs/queue/shared-records.js';
import { type JobRecords, MAX_RECORD } from '../../../server/jobs/record.js';
import { type JobOutcome, type JobProgress, runJob } from '../../../server/jobs/run-job.js';
import { connectRedis } from '../../../server/redis/connection.js';
import { NotFoundError } from '../../../server/zarr/index.js';
import { startRedis } from '../../setup/redis.js';
import { createCounted, testStores } from '../memory-stores.js';

const found = await startRedis({ own: true });
const redis = 'missing' in found ? undefined : found;
afterAll(() => redis?.stop());

let tests = 0;
const keys = ['a key that is not in Redis'];

/** A source of 8 tasks, and a place for records. */
async function setUp(given = keys) {
  const own = testStores();
  const array = await createCounted(own.source, '/x', { shape: [512], chunkShape: [1], dtype: 'float64' });
  await array.select().write(Float64Array.from({ length: 512 }, (_, i) => (i % 7) * 10 ** (i % 13)));
  const prefix = `records${tests++}`;
  const ignored: string[] = [];
  const connection = await connectRedis(
    { url: redis?.url ?? '', prefix, timeoutMs: 500 },
    { metrics: { ignored: (kind) => ignored.push(kind), ended() {} }, log: { info() {}, warn() {} } },
  );
  const raw = new Redis(redis?.port ?? 0).on('error', () => {});
  onTestFinished(() => {
    connection.close();
    raw.disconnect();
  });
  const records = createSharedRecords(connection, given);
  if (records === undefined) throw new Error('no records');
  const job = parseJob({ kind: 'reduce', source: { store: 'a', path: '/x', steps: [{ reduce: { by: 'STD' } }] } }); // prettier-ignore
  const plan = await planJob(job, own.stores);
  expect(plan.tasks).toBe(8);
  const { values } = await runJob(plan);
  return { own, array, prefix, ignored, raw, records, plan, job, expected: values, key: `${prefix}:progress:${plan.digest}` }; // prettier-ignore
}

/** Runs a job until some tasks have ended. */
async function interrupt(plan: JobPlan, records: JobRecords, after: number): Promise<void> {
  const ending = new AbortController();
  const onProgress = ({ done }: JobProgress): void => void (done >= after && ending.abort());
  const running = runJob(plan, { records, maxTasks: 1, signal: ending.signal, onProgress });
  await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
}

describe.skipIf(redis === undefined)('with Redis', { timeout: 60_000 }, () => {
  test('a job is continued from what another process has signed; the record goes with the job', async () => {
    const { plan, records, expected, raw, key, prefix, ignored } = await setUp();
    await interrupt(plan, records, 3);
    expect(await raw.get(key)).not.toBeNull();
    const outcome = await runJob(plan, { records });
    expect([outcome.values, outcome.resumed]).toEqual([expected, 3]);
    expect(await raw.exists(key)).toBe(0);
    expect([await raw.get(`${prefix}:progress-bytes`), await raw.zcard(`${prefix}:progress-order`)]).toEqual(['0', 0]); // prettier-ignore
    expect(ignored).toEqual([]);
  });

  test('without keys, nothing is kept', async () => {
    const { prefix } = await setUp();
    const connection = await connectRedis({ url: redis?.url ?? '', prefix, timeoutMs: 500 }, { log: { info() {}, warn() {} } }); // prettier-ignore
    onTestFinished(() => connection.close());
    expect(createSharedRecords(connection, [])).toBeUndefined();
  });

  test('forged records do nothing and are removed', async () => {
    const { plan, records, expected, raw, key, ignored } = await setUp();
    await interrupt(plan, records, 3);
    const signed = (await raw.get(key)) ?? '';
    const [signature, text] = [signed.slice(0, 43), signed.slice(43)];
    const other = await setUp(['another key']);
    await interrupt(other.plan, other.records, 5);
    const foreign = (await raw.get(other.key)) ?? '';
    const forged = [
      text,
      '',
      'x',
      signature,
      foreign,
      signature + text.replace('"merged":3', '"merged":4'),
      signature + foreign.slice(43),
      `${'A'.repeat(43)}${text}`,
      'A'.repeat(MAX_RECORD + 1000),
      signed + ' '.repeat(MAX_RECORD),
    ];
    for (const value of forged) {
      await raw.set(key, value);
      const outcome = await runJob(plan, { records });
      expect([outcome.values, outcome.resumed]).toEqual([expected, 0]);
    }
    expect(ignored.length).toBeGreaterThan(5);
    // Keys of another type are no values.
    await raw.del(key);
    await raw.hset(key, 'a', 'b');
    expect((await runJob(plan, { records })).values).toEqual(expected);
    await raw.del(key);
    await raw.set(key, signed);
    expect((await runJob(plan, { records })).resumed).toBe(3);
  });

  test('the record of another job, of another prefix or of a changed source is not continued', async () => {
    const { plan, records, expected, raw, key, own, array, job } = await setUp();
    await interrupt(plan, records, 3);
    const signed = (await raw.get(key)) ?? '';
    const sum = parseJob({ kind: 'reduce', source: { store: 'a', path: '/x', steps: [{ reduce: { by: 'SUM' } }] } }); // prettier-ignore
    const sumPlan = await planJob(sum, own.stores);
    const total = (await runJob(sumPlan)).values;
    await raw.set(key.replace(plan.digest, sumPlan.digest), signed);
    expect(await records.read(sumPlan.digest)).toBeUndefined();
    await raw.set(key.replace(plan.digest, sumPlan.digest), signed);
    const outcome = await runJob(sumPlan, { records });
    expect([outcome.values, outcome.resumed]).toEqual([total, 0]);
    const second = await setUp();
    await raw.set(second.key, signed);
    expect((await runJob(second.plan, { records: second.records })).resumed).toBe(0);
    // The same job, with values that have changed in a chunk that was read.
    await array.select('1').write([-1e9]);
    const changed = await planJob(job, own.stores);
    expect(changed.digest).toBe(plan.digest);
    const now = (await runJob(changed)).values;
    expect(now).not.toEqual(expected);
    await raw.set(key, signed);
    const again = await runJob(changed, { records });
    expect([again.values, again.resumed]).toEqual([now, 0]);
  });

  test('an earlier record of the same job that is written again repeats tasks, with the same result', async () => {
    const { plan, records, expected, raw, key } = await setUp();
    await interrupt(plan, records, 2);
    const early = (await raw.get(key)) ?? '';
    await interrupt(plan, records, 6);
    await raw.set(key, early);
    const outcome = await runJob(plan, { records });
    expect([outcome.values, outcome.resumed]).toEqual([expected, 2]);
    await raw.set(key, early);
    expect((await runJob(plan, { records })).values).toEqual(expected);
  });

  test('a restart of Redis that loses the record loses nothing of the job that runs', async () => {
    const { plan, records, expected, raw, key } = await setUp();
    await interrupt(plan, records, 2);
    const ending = new AbortController();
    const slow: JobPlan = {
      ...plan,
      async run(task, context) {
        if (task === 4) {
          await redis?.restart();
          const isBack = async (): Promise<boolean> => {
            await records.write('probe', 'x');
            return (await records.read('probe')) === 'x';
          };
          await expect.poll(isBack, { timeout: 20_000 }).toBe(true);
          expect(await raw.exists(key)).toBe(0);
        }
        return plan.run(task, context);
      },
    };
    const onProgress = ({ done }: JobProgress): void => void (done >= 6 && ending.abort());
    const running = runJob(slow, { records, maxTasks: 1, saveMs: 0, signal: ending.signal, onProgress });
    await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
    const last = await runJob(plan, { records });
    expect([last.values, last.resumed]).toEqual([expected, 6]);
  });

  test('without Redis, jobs run from the beginning', async () => {
    const { plan, records, expected } = await setUp();
    onTestFinished(() => redis?.restart());
    await redis?.kill();
    const outcome = await runJob(plan, { records, saveMs: 0 });
    expect([outcome.values, outcome.resumed]).toEqual([expected, 0]);
  });

  test('a job that is cancelled is continued when it is started again, by any replica', async () => {
    const { own, records, expected, job } = await setUp();
    const ended = async (service: JobService, id: string): Promise<JobStatus> => {
      await expect.poll(() => service.get(id).endedAtMs, { timeout: 20_000 }).toBeDefined();
      return service.get(id);
    };
    const first = new JobService({
      records,
      run: (plan, options) =>
        runJob(plan, {
          ...options,
          maxTasks: 1,
          onProgress(progress) {
            options.onProgress?.(progress);
            if (progress.done >= 4) first.cancel(options.id);
          },
        }),
    });
    onTestFinished(() => first.close());
    const { id } = await first.start(job, own.stores);
    expect((await ended(first, id)).state).toBe('CANCELLED');
    const second = new JobService({ records });
    onTestFinished(() => second.close());
    // A caller who may not read the source does not get at what others have computed of it.
    const hidden = { ...own.stores, source: async () => Promise.reject(new NotFoundError('no store')) };
    await expect(second.start(job, hidden)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const status = await ended(second, (await second.start(job, own.stores)).id);
    const outcome: JobOutcome | undefined = status.outcome;
    expect([status.state, outcome?.values, outcome?.resumed]).toEqual(['SUCCEEDED', expected, 4]);
  });

  test('all records together are bounded', async () => {
    const { records, raw, prefix } = await setUp();
    const text = 'x'.repeat(2 ** 21);
    for (let i = 0; i < 50; i++) await records.write(`plan${i}`, text);
    await records.write('plan49', `${text}y`);
    expect(Number(await raw.get(`${prefix}:progress-bytes`))).toBeLessThanOrEqual(16 * MAX_RECORD);
    expect(await records.read('plan0')).toBeUndefined();
    expect(await records.read('plan49')).toBe(`${text}y`);
    await records.write('large', 'x'.repeat(MAX_RECORD + 1));
    expect(await records.read('large')).toBeUndefined();
    for (let i = 0; i < 50; i++) await records.remove(`plan${i}`);
    expect(await raw.get(`${prefix}:progress-bytes`)).toBe('0');
  });
});
