/** The division of jobs between threads and the calling thread, with a pool that accepts one message at a time. */
import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { LimitError } from '../../server/core/errors.js';
import { Distributor, type Distribution } from '../../server/threads/distributor.js';

interface TestJob {
  readonly name: number;
  readonly cost: number;
}

/** A pool of one thread, whose messages end when the test says so. */
function setUp(given: Partial<Distribution<TestJob>> = {}) {
  const abort = new AbortController();
  const seen = { messages: [] as number[][], here: [] as number[], rejected: [] as [number, boolean][] };
  const running: (() => boolean[])[] = [];
  const resume: (() => void)[] = [];
  const state = { isOver: false, slots: 1 };
  const distributor = new Distributor<TestJob>({
    pool: {
      threads: 1,
      get isOver() {
        return state.isOver;
      },
      hasCapacity: () => !state.isOver && running.length < state.slots,
      whenAvailable: () =>
        running.length < state.slots ? Promise.resolve() : new Promise((resolve) => resume.push(resolve)),
    },
    signal: abort.signal,
    isLarge: false,
    perMessage: 2,
    stepCost: 0,
    turnMs: 1,
    expected: 0,
    jobCost: 1,
    alsoHere: false,
    abandons: true,
    takesBack: false,
    send(jobs, ended) {
      seen.messages.push(jobs.map(({ name }) => name));
      let isBack = false;
      const message = (): boolean[] => (isBack ? [] : jobs.map(ended));
      running.push(message);
      // The thread has begun the oldest message.
      return () => (isBack ||= running.indexOf(message) > 0);
    },
    runHere: (jobs) => seen.here.push(...jobs.map(({ name }) => name)),
    reject: ({ name }, _, isSent) => seen.rejected.push([name, isSent]),
    ...given,
  });
  /** Ends the oldest message. @returns whether each of its jobs was expected */
  const end = (): boolean[] | undefined => {
    const ended = running.shift()?.();
    for (const each of resume.splice(0)) each();
    return ended;
  };
  const jobs = (count: number): TestJob[] => Array.from({ length: count }, (_, name) => ({ name, cost: 1 }));
  return { distributor, abort, seen, end, jobs, state };
}

async function turns(count = 5): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}

test('threads receive full messages as they have capacity', async () => {
  const { distributor, seen, end, jobs } = setUp();
  distributor.addAll(jobs(5));
  await turns();
  expect(seen.messages).toEqual([[0, 1]]);
  end();
  await turns();
  end();
  await turns();
  expect(seen).toEqual({ messages: [[0, 1], [2, 3], [4]], here: [], rejected: [] });
});

test('messages become smaller towards the end', async () => {
  const { distributor, seen, end, jobs } = setUp({ perMessage: 8, messageCost: { least: 2, most: 9 } });
  distributor.addAll(jobs(12));
  for (let i = 0; i < 6; i++) {
    end();
    await turns();
  }
  expect(seen.messages.map(({ length }) => length)).toEqual([3, 2, 2, 2, 2, 1]);
});

test('a job waits for others of the turn, unless they fill a message', async () => {
  const { distributor, seen, jobs } = setUp();
  const [first, second] = jobs(2);
  if (first === undefined || second === undefined) throw new Error('expected two jobs');
  distributor.add(first);
  expect(seen.messages).toEqual([]);
  distributor.add(second);
  expect(seen.messages).toEqual([[0, 1]]);
});

test('the calling thread keeps a share of the last jobs', async () => {
  const { distributor, seen, jobs } = setUp({ alsoHere: true, perMessage: 8 });
  distributor.addAll(jobs(6));
  await turns();
  expect(seen).toEqual({ messages: [[0, 1, 2]], here: [3, 4, 5], rejected: [] });
});

test('a calling thread that must not run jobs leaves all of them to the threads, and does not hold the event loop', async () => {
  const { distributor, seen, end, jobs } = setUp({ alsoHere: true, isBlocked: () => true });
  distributor.addAll(jobs(3));
  await turns();
  end();
  await turns();
  expect(seen).toEqual({ messages: [[0, 1], [2]], here: [], rejected: [] });
});

test('the calling thread takes back jobs that the thread has not begun', async () => {
  const { distributor, seen, end, jobs, state } = setUp({ alsoHere: true, perMessage: 1, takesBack: true });
  state.slots = 3;
  distributor.addAll(jobs(6));
  await turns();
  // The thread is busy with the first job. The second remains with it.
  expect(seen).toEqual({ messages: [[0], [1], [2]], here: [3, 4, 5, 2, 1], rejected: [] });
  expect([end(), end(), end()]).toEqual([[true], [], []]);
});

test('the calling thread runs the jobs that remain at the end of the pool', async () => {
  const { distributor, seen, end, jobs, state } = setUp();
  distributor.addAll(jobs(4));
  state.isOver = true;
  end();
  await turns();
  expect(seen).toEqual({ messages: [[0, 1]], here: [2, 3], rejected: [] });
});

test.each([
  [true, [[0, true], [1, true], [2, false]], [false, false]],
  [false, [[2, false]], [true, true]],
])('a cancelled read rejects its jobs (those that were sent: %s)', async (abandons, rejected, expected) => {
  const { distributor, abort, seen, end, jobs } = setUp({ abandons });
  distributor.addAll(jobs(3));
  abort.abort();
  await turns();
  expect(seen.rejected).toEqual(rejected);
  expect(end()).toEqual(expected);
  expect(seen.messages).toEqual([[0, 1]]);
}); // prettier-ignore

test('the signal of the caller has no listener between jobs', async () => {
  const { distributor, abort, seen, end, jobs } = setUp();
  let listeners = 0;
  const { signal } = abort;
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  Object.assign(signal, {
    addEventListener: (...given: Parameters<typeof add>) => (listeners++, add(...given)),
    removeEventListener: (...given: Parameters<typeof remove>) => (listeners--, remove(...given)),
  });
  for (let round = 0; round < 3; round++) {
    distributor.addAll(jobs(2));
    expect(listeners).toBe(1);
    end();
    await turns();
    expect(listeners).toBe(0);
  }
  expect(seen.messages).toHaveLength(3);
});

test('jobs that cannot be sent are rejected', async () => {
  const { distributor, seen, jobs } = setUp({
    send: () => {
      throw new RangeError('Array buffer allocation failed');
    },
  });
  distributor.addAll(jobs(3));
  await turns();
  expect(seen.rejected.map(([name]) => name)).toEqual([0, 1, 2]);
});

test('a read that cannot wait for a thread leaves no listener on its signal', async () => {
  const abort = new AbortController();
  const { distributor, seen, jobs } = setUp({
    signal: abort.signal,
    pool: {
      threads: 1,
      isOver: false,
      hasCapacity: () => false,
      whenAvailable: () => Promise.reject(new LimitError('too many chunks are waiting')),
    },
  });
  distributor.addAll(jobs(2));
  await turns();
  expect(seen.rejected.map(([name]) => name)).toEqual([0, 1]);
  expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
});
