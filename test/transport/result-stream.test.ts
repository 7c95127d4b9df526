/** Event streams of many subscribers: their events are encoded in turns. */
import { afterEach, expect, test, vi } from 'vitest';
import { eventStream, streamResponse } from '../../server/transport/result-stream.js';

afterEach(() => {
  vi.restoreAllMocks();
});

test('the subscribers of an event are served in several turns of the event loop', async () => {
  // A clock that only encoding advances: 10 ms for each event.
  let now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const subscribers = 20;
  let turn = 0;
  const turnOf: number[] = [];
  let isDone = false;
  const count = (): void => {
    turn += 1;
    if (!isDone) setImmediate(count);
  };
  const result = () => ({
    data: {
      __proto__: null,
      get value() {
        now += 10;
        turnOf.push(turn);
        return 1;
      },
    },
  });
  let publish: () => void = () => {};
  const published = new Promise<void>((resolve) => (publish = resolve));
  async function* events() {
    await published;
    yield result();
  }
  const texts = Array.from({ length: subscribers }, async () => {
    const { body } = streamResponse(eventStream, { results: events(), idle: {}, lasts: 'caller' }, 200);
    if (!(body instanceof ReadableStream)) throw new Error('expected a stream');
    return new Response(body).text();
  });
  await new Promise((resolve) => setImmediate(resolve));
  setImmediate(count);
  publish();
  for (const text of await Promise.all(texts)) expect(text).toContain('data: {"data":{"value":1}}');
  isDone = true;
  expect(turnOf).toHaveLength(subscribers);
  const most = Math.max(...turnOf.map((at) => turnOf.filter((other) => other === at).length));
  expect(most).toBeLessThanOrEqual(3);
});
