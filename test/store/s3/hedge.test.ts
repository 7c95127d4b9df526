import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { TransientFailure, type StoreExchange, type Sent } from '../../../server/store/http/exchange.js';
import { createRequestPermits, type RequestPermits } from '../../../server/store/request-permits.js';
import { createHedge } from '../../../server/store/s3/hedge.js';

interface Sending {
  readonly signal: AbortSignal | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly discard: ReturnType<typeof vi.fn<() => void>>;
  respond(): void;
  fail(error: Error): void;
}

const address = new URL('http://127.0.0.1/bucket/key');
const aborted = new Error('aborted');

/** An exchange whose responses the test controls. The status of a response is the index of its request. */
function controlled(permits: RequestPermits = createRequestPermits(1000)) {
  const sendings: Sending[] = [];
  const onHedge = vi.fn<() => void>();
  const exchange: StoreExchange = {
    send: (_, __, headers, signal) =>
      new Promise<Sent>((resolve, reject) => {
        const status = sendings.length;
        const discard = vi.fn<() => void>();
        const nextPiece = async (): Promise<undefined> => undefined;
        signal?.addEventListener('abort', () => reject(aborted));
        sendings.push({
          ...{ signal, headers, discard, fail: reject },
          respond: () => resolve({ response: { status, headers: { get: () => null } }, nextPiece, discard }),
        });
      }),
  };
  const hedged = createHedge({ permits, onHedge })(exchange);
  const send = (signal?: AbortSignal): Promise<Sent> =>
    hedged.send('GET', address, { range: 'bytes=0-9', 'if-match': '"1"' }, signal);
  /** Reads that receive a response after `ms`. */
  async function completed(count: number, ms = 0): Promise<void> {
    for (let k = 0; k < count; k++) {
      const sent = send();
      if (ms > 0) await vi.advanceTimersByTimeAsync(ms);
      sendings.at(-1)?.respond();
      await sent;
    }
  }
  /** Removes and returns the recorded requests. */
  const recent = (): Sending[] => sendings.splice(0);
  return { send, completed, recent, sendings, onHedge };
}

const late = (): Promise<unknown> => vi.advanceTimersByTimeAsync(1000);

function pair(sendings: readonly Sending[]): readonly [Sending, Sending] {
  expect(sendings).toHaveLength(2);
  const [first, second] = sendings;
  if (first === undefined || second === undefined) expect.unreachable();
  return [first, second];
}

/** A read whose second request has been sent. */
async function racing(signal?: AbortSignal) {
  const setup = controlled();
  await setup.completed(32);
  setup.recent();
  const sent = setup.send(signal);
  // Prevents an unhandled rejection: some tests check the rejection only later.
  sent.catch(() => {});
  await late();
  const [first, second] = pair(setup.sendings);
  return { ...setup, sent, first, second };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  const timers = vi.getTimerCount();
  vi.useRealTimers();
  if (timers > 0) throw new Error(`${timers} timers remain`);
});

describe('a second request', () => {
  test('is the same as the first, overtakes it and aborts it', async () => {
    const { first, second, sent, onHedge } = await racing();
    expect(second.headers).toEqual(first.headers);
    second.respond();
    expect((await sent).response.status).toBe(1);
    expect(first.signal?.aborted).toBe(true);
    expect(second.signal?.aborted).toBe(false);
    expect(second.discard).not.toHaveBeenCalled();
    expect(onHedge).toHaveBeenCalledOnce();
  });

  test('is aborted if the response to the first request arrives after all', async () => {
    const { first, second, sent } = await racing();
    first.respond();
    expect((await sent).response.status).toBe(0);
    expect(second.signal?.aborted).toBe(true);
    expect(first.signal?.aborted).toBe(false);
  });

  test('is discarded if both responses arrive at the same time', async () => {
    const { first, second, sent } = await racing();
    first.respond();
    second.respond();
    expect((await sent).response.status).toBe(0);
    await late();
    expect(second.discard).toHaveBeenCalledOnce();
    expect(first.discard).not.toHaveBeenCalled();
  });

  test('is not followed by a third', async () => {
    const { sendings, sent, first } = await racing();
    await late();
    expect(sendings).toHaveLength(2);
    first.respond();
    await sent;
  });

  test.each<[string, readonly (readonly [count: number, ms: number])[], number]>([
    [
      'one slow response of 32',
      [
        [31, 10],
        [1, 100],
      ],
      50,
    ],
    [
      'two slow responses of 32',
      [
        [30, 10],
        [2, 100],
      ],
      200,
    ],
    ['40 ms', [[32, 40]], 80],
    [
      'slow responses before the last 128',
      [
        [32, 100],
        [128, 10],
      ],
      50,
    ],
  ])(
    'is sent after twice the 95th percentile of latencies, and at least 50 ms: %s',
    async (_, before, ms) => {
      const { completed, send, recent, sendings } = controlled();
      for (const [count, each] of before) await completed(count, each);
      recent();
      const sent = send();
      await vi.advanceTimersByTimeAsync(ms - 1);
      expect(sendings).toHaveLength(1);
      // Fake timers run `setImmediate` one millisecond later.
      await vi.advanceTimersByTimeAsync(2);
      pair(sendings)[1].respond();
      await sent;
    },
  );
});

describe('no second request is sent', () => {
  test.each([
    ['before 32 responses have arrived', 31, 1],
    ['unless 32 responses have arrived', 32, 2],
  ])('%s', async (_, count, requests) => {
    const { completed, send, recent, sendings } = controlled();
    await completed(count);
    recent();
    const sent = send();
    await late();
    expect(sendings).toHaveLength(requests);
    sendings[0]?.respond();
    await sent;
  });

  test('for a fast response', async () => {
    const { completed, onHedge } = controlled();
    await completed(200, 20);
    expect(onHedge).not.toHaveBeenCalled();
  });

  test.each([
    [100, 5],
    [1000, 10],
  ])('for more than one of 20 responses and 10 at once: after %i responses, %i', async (before, expected) => {
    const { completed, send, recent, sendings, onHedge } = controlled();
    await completed(before);
    recent();
    const all = Array.from({ length: 40 }, () => send());
    await late();
    expect(onHedge).toHaveBeenCalledTimes(expected);
    for (const sending of sendings) sending.respond();
    await Promise.all(all);
  });

  test('after a transient failure, until 20 responses have arrived', async () => {
    const { completed, send, recent, sendings, onHedge } = controlled();
    const slow = async (): Promise<void> => {
      recent();
      const sent = send();
      await late();
      sendings[0]?.respond();
      await sent;
    };
    await completed(320);
    const failing = send();
    sendings.at(-1)?.fail(new TransientFailure('the server responded with status 503'));
    await expect(failing).rejects.toThrow('503');
    await completed(18);
    await slow();
    expect(onHedge).not.toHaveBeenCalled();
    await completed(1);
    await slow();
    expect(onHedge).toHaveBeenCalledOnce();
  });

  test('without a free permit; once one is free, it is sent', async () => {
    const permits = createRequestPermits(1);
    const { completed, send, recent, sendings } = controlled(permits);
    await completed(32);
    recent();
    let finish = (): void => {};
    const other = permits.use(undefined, (progress) => {
      const moving = setInterval(progress, 100);
      return new Promise<void>((resolve) => {
        finish = () => {
          clearInterval(moving);
          resolve();
        };
      });
    });
    const sent = send();
    await late();
    expect(sendings).toHaveLength(1);
    finish();
    await other;
    await late();
    const [, second] = pair(sendings);
    // The second request holds the permit (until it counts as stuck, after a second).
    expect(permits.tryUse(async () => {})).toBeUndefined();
    second.respond();
    await sent;
    expect(permits.tryUse(async () => {})).toBeDefined();
  });
});

describe('failures', () => {
  test('of one request wait for the other', async () => {
    for (const failing of ['first', 'second'] as const) {
      const race = await racing();
      race[failing].fail(new TransientFailure('reset'));
      await late();
      race[failing === 'first' ? 'second' : 'first'].respond();
      expect((await race.sent).response.status).toBe(failing === 'first' ? 1 : 0);
    }
  });

  test('of both are the error of the first', async () => {
    const { first, second, sent } = await racing();
    second.fail(new TransientFailure('the second'));
    first.fail(new TransientFailure('the first'));
    await expect(sent).rejects.toThrow('the first');
  });

  test('before the delay are not followed by a second request', async () => {
    const { completed, send, recent, sendings } = controlled();
    await completed(100);
    recent();
    const sent = send();
    sendings[0]?.fail(new Error('refused'));
    await expect(sent).rejects.toThrow('refused');
    await late();
    expect(sendings).toHaveLength(1);
  });

  test('by an abort of the caller end both', async () => {
    const caller = new AbortController();
    const { first, second, sent } = await racing(caller.signal);
    caller.abort();
    await expect(sent).rejects.toBe(aborted);
    expect([first.signal?.aborted, second.signal?.aborted]).toEqual([true, true]);
  });

  test('by an abort end the response that won, until it is discarded', async () => {
    for (const isDiscarded of [false, true]) {
      const caller = new AbortController();
      const { second, sent } = await racing(caller.signal);
      second.respond();
      const winner = await sent;
      if (isDiscarded) winner.discard();
      caller.abort();
      expect(second.signal?.aborted).toBe(!isDiscarded);
    }
  });
});
