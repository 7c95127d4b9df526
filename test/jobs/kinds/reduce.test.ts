import { describe, expect, test } from 'vitest';
import { planJob } from '../../../server/jobs/plan-job.js';
import { parseJob } from '../../../server/jobs/job.js';
import type { JobPlan } from '../../../server/jobs/plan.js';
import { type JobRecords, RECORD_ATTRIBUTE } from '../../../server/jobs/record.js';
import { type JobOutcome, type JobProgress, runJob, type RunOptions } from '../../../server/jobs/run-job.js';
import { openSource, resolveSteps } from '../../../server/jobs/source.js';
import type { ReduceArguments } from '../../../server/analysis/operations/reduce.js';
import type { GivenStep } from '../../../server/analysis/operations/table.js';
import type { Block, DimSelection, Hierarchy, ReductionName } from '../../../server/zarr/index.js';
import { taskLimits } from '../../../server/jobs/limits.js';
import { run, testStores } from '../memory-stores.js';

/** Values whose sum depends on the order of additions. */
function unevenValues(count: number): Float64Array {
  let state = 12345;
  return Float64Array.from({ length: count }, (_, i) => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return i % 97 === 0 ? NaN : (state / 2 ** 31 - 0.5) * 10 ** (state % 17);
  });
}

const shape = [120, 30, 40];

/** A dataset with a variable whose chunks are partly absent. */
async function createDataset(source: Hierarchy, layout: object): Promise<void> {
  await source.createGroup('/', {});
  const values = unevenValues(120 * 30 * 40).map((value, i) => (i % 48_000 < 12_000 ? -9999 : value));
  const array = await source.createArray('/x', {
    shape,
    dtype: 'float64',
    fillValue: -9999,
    dimensionNames: ['time', 'lat', 'lon'],
    attributes: { _FillValue: -9999, units: 'm' },
    ...layout,
  });
  const block: Block = {
    dtype: { name: 'float64', itemSize: 8 },
    shape,
    bytes: new Uint8Array(values.buffer),
  };
  await array.select().write(block);
  const coordinate = async (
    name: string,
    labels: readonly number[],
    units: string,
    standard: string,
  ): Promise<void> => {
    const created = await source.createArray(`/${name}`, {
      shape: [labels.length],
      dtype: 'float64',
      dimensionNames: [name],
      attributes: { units, standard_name: standard },
    });
    await created.select().write([...labels]);
  };
  await coordinate(
    'time',
    Array.from({ length: 120 }, (_, i) => i * 10),
    'days since 2000-01-01',
    'time',
  );
  await coordinate(
    'lat',
    Array.from({ length: 30 }, (_, i) => i * 2 - 29),
    'degrees_north',
    'latitude',
  );
  await coordinate(
    'lon',
    Array.from({ length: 40 }, (_, i) => i * 3),
    'degrees_east',
    'longitude',
  );
}

const stored = { path: '/x' };
const decoded = { path: '/x', decode: { maskOutOfRange: false } };
const reduce = (by: ReductionName, more: Partial<ReduceArguments> = {}): GivenStep => ({
  reduce: { by, ...more },
});
const all = (dims: readonly DimSelection[]): GivenStep => ({ select: { kind: 'dims', dims } });
const polygon = {
  type: 'Polygon' as const,
  coordinates: [
    [
      [5, -20],
      [100, -20],
      [100, 20],
      [5, 20],
      [5, -20],
    ],
  ],
};

interface Given {
  readonly path: string;
  readonly decode?: { readonly maskOutOfRange: boolean };
  readonly steps: readonly GivenStep[];
}

const sources: readonly (readonly [string, Given])[] = [
  ...(['COUNT', 'SUM', 'MEAN', 'MIN', 'MAX', 'STD', 'VAR', 'FIRST', 'LAST', 'ANY', 'ALL'] as const).map(
    (by): readonly [string, Given] => [by, { ...decoded, steps: [reduce(by)] }],
  ),
  ['a mean of stored values', { ...stored, steps: [reduce('MEAN')] }],
  ['positions', { ...decoded, steps: [all([{ kind: 'slice' }, { kind: 'index', index: 3 }]), reduce('ARGMIN', { over: ['time'] })] }],
  ['a kept dimension', { ...decoded, steps: [reduce('MEAN', { over: ['lat', 'lon'] })] }],
  ['missing values that spread', { ...decoded, steps: [reduce('SUM', { over: ['lon', 'lat'], skipMissing: false })] }],
  ['groups', { ...decoded, steps: [all([{ kind: 'slice' }, { kind: 'index', index: 7 }, { kind: 'slice', stop: 39, step: 13 }]), { group: { by: { part: { dim: 'time', part: 'MONTH' } }, reduce: 'MEAN' } }] }],
  ['groups of a reduction', { ...decoded, steps: [reduce('MEAN', { over: ['lat', 'lon'] }), { group: { by: { part: { dim: 'time', part: 'MONTH' } }, reduce: 'STD' } }] }],
  ['weights', { ...decoded, steps: [reduce('MEAN', { using: { weights: { kind: 'COS_LATITUDE' } } })] }],
  ['weighted deviations', { ...decoded, steps: [reduce('STD', { using: { weights: { kind: 'COS_LATITUDE' } } })] }],
  ['a mask', { ...decoded, steps: [{ within: polygon }, reduce('MEAN')] }],
  ['a part that begins and ends within chunks', { ...decoded, steps: [all([{ kind: 'slice', start: 5, stop: 101, step: 3 }, { kind: 'slice', start: 1 }]), reduce('VAR')] }],
  ['a list of positions', { ...decoded, steps: [all([{ kind: 'slice' }, { kind: 'slice' }, { kind: 'indices', indices: [39, 3, 3, 20, 9] }]), reduce('SUM')] }],
  ['a chain of reductions', { ...decoded, steps: [reduce('STD', { over: ['lat', 'lon'] }), reduce('MEAN')] }],
]; // prettier-ignore

describe.each([
  ['chunks', { chunkShape: [5, 10, 13] }],
  ['shards', { chunkShape: [5, 10, 10], shardShape: [30, 30, 20] }],
])('of an array with %s', (_, layout) => {
  test.each(sources)('%s: bit for bit the result of one read, in many tasks', async (__, recipe) => {
    const { stores, source } = testStores();
    await createDataset(source, layout);
    const { steps, ...whole } = recipe;
    const from = await stores.source('a');
    const job = parseJob({
      kind: 'reduce',
      source: {
        store: 'a',
        ...whole,
        steps: await resolveSteps(from, { store: 'a', ...whole, steps: [] }, steps),
      },
    });
    if (job.kind !== 'reduce') throw new Error('not a reduction');
    const { slice } = sliceOf(await openSource(from, job.source, undefined));
    const expected = bytesOf(await slice.read({ limits: taskLimits }));
    for (const small of [1, 4]) {
      const plan = inOtherProcess(await planJob(job, stores));
      expect(plan.tasks).toBeGreaterThan(1);
      const { values } = await runJob(plan, { maxTasks: small });
      expect(bytesOf(values)).toEqual(expected);
    }
    // Interrupted after every few tasks, with a new plan each time, as in a new process.
    const records = memoryRecords();
    const plans = async () => planJob(job, stores);
    const { tasks } = await plans();
    const { values, ran } = await runInterrupted(plans, {
      records,
      every: Math.ceil(tasks / 4),
      maxTasks: 1,
    });
    expect(bytesOf(values)).toEqual(expected);
    expect(ran).toBe(tasks);
    expect(records.texts.size).toBe(0);
  });
});

const mean = { store: 'a', path: '/x', steps: [reduce('MEAN')] };

test('a result of many values depends on the blocks of the steps before: they are the same', async () => {
  const { stores, source } = testStores();
  const many = [4, 1_200_000];
  const array = await source.createArray('/x', { shape: many, chunkShape: [1, 400_000], dtype: 'float64' });
  await array.select().write({
    dtype: { name: 'float64', itemSize: 8 },
    shape: many,
    bytes: new Uint8Array(unevenValues(4_800_000).buffer),
  });
  const steps = [reduce('SUM', { over: ['0'] }), reduce('SUM')];
  const whole = await openSource(await stores.source('a'), { ...mean, steps: [reduce('SUM', { over: ['0'] }), reduce('SUM')] as never }, undefined); // prettier-ignore
  const expected = bytesOf(await sliceOf(whole).slice.read({ limits: taskLimits }));
  // Elements of so many results are no small partial results: the source is not divided.
  expect(bytesOf((await run(stores, { kind: 'reduce', source: { ...mean, steps } })).values)).toEqual(
    expected,
  );
  const destination = { store: 'b', path: '/y' };
  await run(stores, { kind: 'reduce', source: { ...mean, steps }, destination, options: {} });
  const written = await (await stores.destination(destination)).hierarchy.array('/y');
  expect(bytesOf(await written.select().read())).toEqual(expected);
});

test('a single number becomes an array, from many tasks', async () => {
  const { stores, source, destination } = testStores();
  await createDataset(source, { chunkShape: [5, 10, 13] });
  const job = { kind: 'reduce', source: mean, destination: { store: 'b', path: '/m' }, options: {} };
  const [plan, kept] = [
    await planJob(parseJob(job), stores),
    await run(stores, { kind: 'reduce', source: mean }),
  ];
  expect(plan.tasks).toBeGreaterThan(1);
  // What an interrupted run has merged is continued.
  const ending = new AbortController();
  const interrupted = runJob(plan, { saveMs: 0, signal: ending.signal, onProgress: ({ done }) => void (done > 0 && ending.abort()) }); // prettier-ignore
  await expect(interrupted).rejects.toMatchObject({ code: 'ABORTED' });
  const record = (await destination.array('/m')).meta.attributes[RECORD_ATTRIBUTE];
  expect(record).toMatchObject({ tasks: plan.tasks, done: [[0, expect.any(Number)]] });
  // Partial results that are not those of the reduction are not continued.
  const partials = { merged: 2, state: { count: '', values: [] }, waiting: [] };
  const set = { [RECORD_ATTRIBUTE]: { version: 1, plan: plan.digest, tasks: plan.tasks, done: [[0, 2]], partials } }; // prettier-ignore
  await destination.setAttributes('/m', { set });
  expect(await run(stores, job)).toMatchObject({ done: plan.tasks, resumed: 0 });
  expect(bytesOf(await (await destination.array('/m')).select().read())).toEqual(bytesOf(kept.values));
  await destination.deleteNode('/m');
  const again = new AbortController();
  const onProgress = ({ done }: JobProgress): void => void (done > 0 && again.abort());
  await expect(runJob(plan, { saveMs: 0, signal: again.signal, onProgress })).rejects.toMatchObject({ code: 'ABORTED' }); // prettier-ignore
  const outcome = await run(stores, job);
  expect(outcome).toMatchObject({ done: plan.tasks, isChecked: true });
  expect(outcome.resumed).toBeGreaterThan(0);
  const array = await destination.array('/m');
  expect(array.meta.attributes[RECORD_ATTRIBUTE]).toBeUndefined();
  expect(bytesOf(await array.select().read())).toEqual(bytesOf(kept.values));
});

test.each([
  ['a median of all values', { ...decoded, steps: [reduce('MEDIAN')] }],
  ['quantiles', { ...decoded, steps: [reduce('QUANTILE', { using: { q: [0, 0.1, 1] }, over: ['time', 'lon'] })] }],
  ['a mode', { ...decoded, steps: [reduce('MODE')] }],
  ['medians of groups', { ...decoded, steps: [all([{ kind: 'slice' }, { kind: 'index', index: 7 }, { kind: 'slice', stop: 39, step: 13 }]), { group: { by: { part: { dim: 'time', part: 'MONTH' } }, reduce: 'MEDIAN' } }] }],
  ['partial results that are large', { ...decoded, steps: [reduce('MAX', { over: ['time'] })] }],
  ['an expression', { path: '/', compute: 'x * 2 + lon', steps: [reduce('SUM')] }],
  ['medians of an expression', { path: '/', compute: 'x - lat', steps: [reduce('MEDIAN', { over: ['time'] })] }],
] as const)('without a destination, %s: the values of one read', async (_, recipe) => {
  const { stores, source } = testStores();
  await createDataset(source, { chunkShape: [5, 10, 13] });
  const { steps, ...whole } = recipe;
  const from = await stores.source('a');
  const resolved = { store: 'a', ...whole, steps: await resolveSteps(from, { store: 'a', ...whole, steps: [] }, steps) };
  const { slice } = sliceOf(await openSource(from, resolved, undefined));
  const expected = bytesOf(await slice.read({ limits: taskLimits }));
  const plan = inOtherProcess(await planJob(parseJob({ kind: 'reduce', source: resolved }), stores));
  expect(bytesOf((await runJob(plan)).values)).toEqual(expected);
}); // prettier-ignore

test('medians of much data are divided by results, without reading more', { timeout: 60_000 }, async () => {
  const { stores, source } = testStores();
  const large = [2048, 128, 256];
  const array = await source.createArray('/x', { shape: large, chunkShape: [512, 32, 64], dtype: 'float64', fillValue: 0.5 }); // prettier-ignore
  await array.select('500:530,40,:').write(7);
  await array.select('0:1500,100:102,60:70').write(-3);
  const job = parseJob({ kind: 'reduce', source: { ...mean, steps: [reduce('MEDIAN', { over: ['0'] })] } });
  const plan = await planJob(job, stores);
  expect(plan.tasks).toBeGreaterThan(1);
  const { values, counts } = await runJob(plan);
  expect(counts.bytesRead).toBe(2048 * 128 * 256 * 8);
  const medians = Array.from({ length: 128 * 256 }, () => 0.5);
  for (const y of [100, 101]) medians.fill(-3, y * 256 + 60, y * 256 + 70);
  expect(bytesOf(values)).toEqual([...new Uint8Array(Float64Array.from(medians).buffer)]);
});

test('errors say what is not kept without a destination', async () => {
  const { stores, source } = testStores();
  await createDataset(source, { chunkShape: [5, 10, 13] });
  await source.createArray('/words', { shape: [3], dtype: 'string', dimensionNames: ['word'] });
  await expect(
    run(stores, { kind: 'reduce', source: { ...mean, path: '/words', steps: [reduce('MODE')] } }),
  ).rejects.toMatchObject({
    code: 'UNSUPPORTED',
    message: expect.stringContaining('give it a destination'),
  });
  for (const job of [
    { kind: 'reduce', source: mean, options: {} },
    { kind: 'reduce', source: mean, destination: { store: 'b', path: '/y' } },
  ])
    expect(() => parseJob(job)).toThrow('"options" if it has a "destination"');
});

test('a source that changes in the meantime is a conflict', async () => {
  const { stores, source } = testStores();
  await createDataset(source, { chunkShape: [5, 10, 13] });
  const plan = await planJob(parseJob({ kind: 'reduce', source: mean }), stores);
  let changing: Promise<unknown> | undefined;
  const changed = runJob({
    ...plan,
    async run(task, context) {
      const report = await plan.run(task, context);
      if (task === 0) changing ??= (await source.array('/x')).select('0,0,0').write(1);
      await changing;
      return report;
    },
  });
  await expect(changed).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('partial results of another form are errors', async () => {
  const { stores, source } = testStores();
  await createDataset(source, { chunkShape: [5, 10, 13] });
  const plan = await planJob(parseJob({ kind: 'reduce', source: mean }), stores);
  for (const hostile of [
    null,
    {},
    [{}],
    [null],
    [{ count: 'AAAA', values: [] }],
    [{ count: 1, values: [] }],
    [{ count: '', values: Array.from({ length: 17 }, () => '') }],
    [{ count: '', values: [], elements: '' }],
    [{ elements: 'not base64!' }],
    [{ elements: '', __proto__: null, constructor: 1 }],
  ])
    expect(() => plan.merging?.codec.decode(hostile)).toThrow('invalid partial results');
  const eight = Buffer.alloc(8).toString('base64');
  for (const wrong of [
    [],
    Array.from({ length: 64 }, () => ({ count: eight, values: [] })),
    Array.from({ length: 64 }, () => ({
      count: `${Buffer.alloc(48).toString('base64')}`,
      values: [eight, eight],
    })),
    Array.from({ length: 64 }, () => ({ elements: eight })),
  ]) {
    const partial = plan.merging?.codec.decode(wrong) ?? [];
    const running = runJob({
      ...plan,
      run: async (task, context) => ({ ...(await plan.run(task, context)), partial }),
    });
    await expect(running).rejects.toThrow(/partial result/);
  }
});

/** Keeps progress as text, as other places do. */
function memoryRecords(): JobRecords & { readonly texts: Map<string, string> } {
  const texts = new Map<string, string>();
  return {
    texts,
    read: async (plan) => texts.get(plan),
    write: async (plan, text) => void texts.set(plan, text),
    remove: async (plan) => void texts.delete(plan),
  };
}

/** Runs a job again and again until it ends, interrupted after some tasks. */
async function runInterrupted(
  plans: () => Promise<JobPlan>,
  { every, ...options }: RunOptions & { readonly every: number },
): Promise<JobOutcome & { readonly ran: number }> {
  let ran = 0;
  for (;;) {
    const plan = await plans();
    const ending = new AbortController();
    const counted: JobPlan = {
      ...plan,
      async run(task, context) {
        ran++;
        return plan.run(task, context);
      },
    };
    const onProgress = ({ done, resumed, tasks }: JobProgress): void => {
      if (done - resumed >= every && done < tasks) ending.abort();
    };
    try {
      return { ...(await runJob(counted, { ...options, signal: ending.signal, onProgress })), ran };
    } catch (error) {
      if (!ending.signal.aborted) throw error;
    }
  }
}

function sliceOf(source: Awaited<ReturnType<typeof openSource>>): Extract<typeof source, { kind: 'slice' }> {
  if (source.kind !== 'slice') throw new Error('a group');
  return source;
}

function bytesOf(block: Block | undefined): readonly number[] {
  if (block === undefined || !('bytes' in block)) throw new Error('no values');
  return [...block.bytes];
}

/** Passes all partial results through JSON. */
function inOtherProcess(plan: JobPlan): JobPlan {
  return {
    ...plan,
    async run(task, context) {
      const report = await plan.run(task, context);
      const json: unknown = JSON.parse(JSON.stringify(plan.merging?.codec.encode(report.partial ?? [])));
      return { ...report, partial: plan.merging?.codec.decode(json) ?? [] };
    },
  };
}
