import { expect, test } from 'vitest';
import { parseJob } from '../../../server/jobs/job.js';
import { planJob } from '../../../server/jobs/plan-job.js';
import {
  MAX_TASKS,
  parseRange,
  parseReport,
  parseShared,
  printReport,
} from '../../../server/jobs/queue/messages.js';
import { copyOf, createCounted, testStores } from '../memory-stores.js';

const { stores, source } = testStores();
await createCounted(source, '/x', { shape: [4], chunkShape: [2], dtype: 'int8' });
const plan = await planJob(parseJob(copyOf('/x')), stores);
const counts = { bytesRead: 1, bytesWritten: 2, chunksWritten: 3 };

test('ranges of tasks are small and name a job and a plan', () => {
  const range = { job: 'j', plan: 'p', from: 3, to: 5 };
  expect(parseRange(range)).toEqual(range);
  const bad: readonly unknown[] = [
    null, 'x', {}, { ...range, to: 3 }, { ...range, from: -1 }, { ...range, to: 3 + MAX_TASKS + 1 }, { ...range, from: 0.5 },
    { ...range, job: '' }, { ...range, job: 'x'.repeat(200) }, { ...range, path: '/etc/passwd' }, { ...range, to: 2 ** 60 },
  ]; // prettier-ignore
  for (const message of bad)
    expect(() => parseRange(message), JSON.stringify(message)).toThrow('invalid message');
});

test('descriptions of jobs are checked like those of callers', () => {
  const text = JSON.stringify({ plan: 'p', spec: copyOf('/x') });
  expect(parseShared(text)).toMatchObject({ plan: 'p', spec: { kind: 'copy' } });
  expect(() => parseShared('{')).toThrow('not JSON');
  const traced = {
    plan: 'p',
    spec: copyOf('/x'),
    trace: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  };
  expect(parseShared(JSON.stringify(traced)).trace).toBe(traced.trace);
  for (const trace of [1, {}, 'x'.repeat(65)])
    expect(() => parseShared(JSON.stringify({ ...traced, trace }))).toThrow('invalid message');
  expect(() => parseShared(JSON.stringify({ plan: 'p', spec: { ...copyOf('/x'), kind: 'delete' } }))).toThrow(
    'invalid job',
  );
  expect(() => parseShared(JSON.stringify({ plan: 'p', spec: copyOf('/x'), code: 'x' }))).toThrow(
    'invalid message',
  );
  expect(() => parseShared(' '.repeat(3 * 2 ** 20))).toThrow('too long');
});

test('reports name each task of their range once', () => {
  const report = {
    done: [{ task: 3, report: { counts: counts, seen: 2n ** 100n } }],
    failed: [{ task: 4, path: '/x', key: 'x/c/0', code: 'CODEC_ERROR', message: 'broken'.repeat(1000) }],
  };
  const text = printReport(report, plan);
  const parsed = parseReport(text, { from: 3, to: 5 }, plan);
  expect(parsed.done).toEqual([{ task: 3, report: { counts, seen: 2n ** 100n } }]);
  expect(parsed.failed[0]?.message).toHaveLength(4000);
  for (const range of [
    { from: 3, to: 4 },
    { from: 2, to: 5 },
    { from: 4, to: 6 },
    { from: 3, to: 6 },
  ])
    expect(() => parseReport(text, range, plan)).toThrow('each task once');
  for (const hostile of [
    undefined,
    {},
    '[]',
    '{"done":[],"failed":[],"x":1}',
    '{"done":[{"task":3,"read":-1,"written":0,"chunks":0}],"failed":[]}',
    'x'.repeat(2 ** 23),
  ])
    expect(() => parseReport(hostile, { from: 3, to: 5 }, plan)).toThrow(/message|report/);
});

test('partial statistics keep every bit', async () => {
  const array = await source.createArray('/f', { shape: [4], chunkShape: [2], dtype: 'float64' });
  await array.select().write([-0, NaN, Infinity, 0.1]);
  const statistics = await planJob(
    parseJob({ kind: 'statistics', source: { store: 'a', path: '/f', steps: [] } }),
    stores,
  );
  const partials = statistics.merging?.codec;
  const context = { signal: undefined, memory: { outFor: () => ({}) }, target: async () => array };
  const { partial = [] } = await statistics.run(0, context);
  const json: unknown = JSON.parse(JSON.stringify(partials?.encode(partial)));
  expect(partials?.decode(json)).toEqual(partial);
  expect(partial).toHaveLength(2);
  for (const hostile of [null, {}, [{}], [{ elements: 1 }], 'x'])
    expect(() => partials?.decode(hostile)).toThrow('invalid partial');
});
