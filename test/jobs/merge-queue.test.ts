import { expect, test } from 'vitest';
import { MergeQueue } from '../../server/jobs/merge-queue.js';
import type { JobMerging } from '../../server/jobs/plan.js';
import { type JobRecord, MAX_ATTRIBUTE_PARTIALS, parseRecord, recordJson } from '../../server/jobs/record.js';
import { statePartials } from '../../server/jobs/kinds/state-partials.js';
import { TaskRanges } from '../../server/jobs/task-ranges.js';

const elements = (...bytes: number[]) => [{ elements: Uint8Array.from(bytes) }];

/** Appends the bytes of the partial results. */
const merging: JobMerging = {
  partialBytes: 1,
  codec: statePartials,
  start(from) {
    const merged: number[] = from === undefined ? [] : bytesOf(from.state);
    if (from !== undefined && merged.length !== from.tasks) throw new TypeError('another number of bytes');
    return {
      async add(partial) {
        const [only] = Array.isArray(partial) ? partial : [];
        // Other tasks end meanwhile.
        await new Promise((resolve) => setImmediate(resolve));
        merged.push(...bytesOf(only));
      },
      state: () => ({ elements: Uint8Array.from(merged) }),
      finish: async () => ({ json: merged }),
    };
  },
};

function bytesOf(partial: unknown): number[] {
  const is = typeof partial === 'object' && partial !== null && 'elements' in partial;
  if (is && partial.elements instanceof Uint8Array) return [...partial.elements];
  throw new TypeError('malformed');
}

function queueOf(errors: unknown[] = []): MergeQueue {
  return new MergeQueue(merging, (error) => errors.push(error));
}

async function recordOf(queue: MergeQueue, maxLength = MAX_ATTRIBUTE_PARTIALS): Promise<JobRecord> {
  return { plan: 'p', tasks: 10, ...(await queue.record(maxLength)) };
}

/** A record as another process reads it. */
function throughText(record: JobRecord): JobRecord {
  const parsed = parseRecord(JSON.parse(JSON.stringify(recordJson(record))));
  if (parsed === undefined) throw new Error('invalid record');
  return parsed;
}

async function resultOf(queue: MergeQueue): Promise<unknown> {
  return (await (await queue.result()).finish(undefined, {})).json;
}

test('tasks that finish in any order are recorded with their partial results, and continued', async () => {
  const first = queueOf();
  for (const task of [3, 0, 1, 7]) first.put(task, { partial: elements(task), seen: BigInt(task + 1) });
  const record = throughText(await recordOf(first));
  expect(record).toMatchObject({ seen: 15n, partials: { merged: 2 } });
  expect(record.done.ranges).toEqual([
    [0, 2],
    [3, 4],
    [7, 8],
  ]);
  const second = queueOf();
  expect(second.resume(record)).toBe(true);
  for (const task of [2, 6, 5]) second.put(task, { partial: elements(task), seen: 100n });
  const third = queueOf();
  const later = throughText(await recordOf(second));
  expect(later.seen).toBe(315n);
  expect(third.resume(later)).toBe(true);
  for (const task of [9, 4, 8]) third.put(task, { partial: elements(task), seen: 0n });
  expect(await resultOf(third)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect((await recordOf(third)).seen).toBe(315n);
});

test('a record that is taken while others are merged is one of whole tasks', async () => {
  const queue = queueOf();
  const records: Promise<JobRecord>[] = [];
  for (let task = 0; task < 10; task++) {
    queue.put(task, { partial: elements(task), seen: undefined });
    records.push(recordOf(queue));
  }
  for (const record of await Promise.all(records)) {
    const continued = queueOf();
    expect(continued.resume(throughText(record))).toBe(true);
    for (let task = 0; task < 10; task++)
      if (!record.done.has(task)) continued.put(task, { partial: elements(task), seen: undefined });
    expect(await resultOf(continued)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(record.seen).toBe(record.done.count === 0 ? 0n : undefined);
  }
});

test('partial results that do not fit are left out, and their tasks are repeated', async () => {
  const queue = queueOf();
  queue.put(0, { partial: elements(0), seen: 1n });
  for (const task of [2, 3, 4]) queue.put(task, { partial: elements(task), seen: 10n });
  expect((await recordOf(queue)).done.count).toBe(4);
  const some = throughText(await recordOf(queue, 300));
  expect([some.done.count, some.seen]).toEqual([3, 21n]);
  expect(await recordOf(queue, 5)).toMatchObject({ seen: 0n, done: new TaskRanges() });
  expect((await recordOf(queue, 5)).partials).toBeUndefined();
});

test('nothing is recorded of a partial result that was merged in part', async () => {
  const errors: unknown[] = [];
  const queue = queueOf(errors);
  queue.put(0, { partial: elements(0), seen: 1n });
  queue.put(1, { partial: [{}], seen: 1n });
  queue.put(2, { partial: elements(2), seen: 1n });
  await queue.result();
  expect(errors).toEqual([expect.any(TypeError)]);
  expect((await recordOf(queue)).done.count).toBe(0);
  expect(queue.merged).toBe(1);
});

test('records of another form do nothing', async () => {
  const queue = queueOf();
  for (const task of [0, 1, 3]) queue.put(task, { partial: elements(task), seen: 1n });
  const record = await recordOf(queue);
  const partials = record.partials;
  if (partials === undefined) throw new Error('no partial results');
  const waiting = partials.waiting[0];
  if (waiting === undefined) throw new Error('nothing waits');
  const hostile: Partial<JobRecord>[] = [
    { partials: undefined },
    { partials: { ...partials, merged: 1 } },
    { partials: { ...partials, merged: 4 } },
    { partials: { ...partials, waiting: [] } },
    { partials: { ...partials, waiting: [waiting, waiting] } },
    { partials: { ...partials, waiting: [{ ...waiting, task: 1 }] } },
    { partials: { ...partials, waiting: [{ ...waiting, partial: 'x' }] } },
    { partials: { ...partials, waiting: [{ ...waiting, partial: [{ elements: 1 }] }] } },
    { partials: { ...partials, state: null } },
    { partials: { ...partials, state: { elements: 'AAAA' } } },
    { partials: { ...partials, state: { count: 'AAAA', values: [] } } },
    { done: new TaskRanges([[0, 4]]) },
    { done: new TaskRanges() },
  ];
  for (const change of hostile) {
    const continued = queueOf();
    expect(continued.resume({ ...record, ...change })).toBe(false);
    for (const task of [0, 1]) continued.put(task, { partial: elements(task), seen: 1n });
    expect(await resultOf(continued)).toEqual([0, 1]);
  }
  for (const json of [
    null,
    { ...recordJson(record), partials: { merged: -1, state: null, waiting: [] } },
    { ...recordJson(record), partials: { merged: 2 ** 60, state: null, waiting: [] } },
    { ...recordJson(record), partials: { merged: 0, state: null, waiting: {} } },
    { ...recordJson(record), partials: { merged: 0, state: null, waiting: Array.from({ length: 10_001 }, () => waiting) } }, // prettier-ignore
    { ...recordJson(record), done: [[0, 100]] },
    { ...recordJson(record), done: [[4, 4]] },
    { ...recordJson(record), version: 2 },
  ])
    expect(parseRecord(json)).toBeUndefined();
});
