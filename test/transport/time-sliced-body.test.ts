import { expect, test } from 'vitest';
import { timeSlicedBody } from '../../server/transport/time-sliced-body.js';

function* pieces(count: number, length: number): Generator<string> {
  for (let i = 0; i < count; i++) yield String(i % 10).repeat(length);
}

test('short output is one buffer', () => {
  expect(timeSlicedBody(pieces(3, 2))).toEqual([Buffer.from('001122')]);
  expect(timeSlicedBody(pieces(0, 1))).toEqual([]);
});

test('bytes are passed through between joined texts', () => {
  const bytes = new Uint8Array(2 ** 22);
  const body = timeSlicedBody(['a', 'b', bytes, new Uint8Array(0), 'c'].values()) as readonly Uint8Array[];
  expect(body.map((buffer) => buffer.length)).toEqual([2, 2 ** 22, 1]);
  expect(body[1]).toBe(bytes);
});

test('long output is a time-sliced stream', async () => {
  const body = timeSlicedBody(pieces(200, 2 ** 16));
  expect(body).toBeInstanceOf(ReadableStream);
  let ticks = 0;
  const timer = setInterval(() => ticks++, 0);
  const text = await new Response(body as ReadableStream).text();
  clearInterval(timer);
  expect(text).toBe([...pieces(200, 2 ** 16)].join(''));
  expect(ticks).toBeGreaterThan(0);
});

test('a reader that disconnects ends the output', async () => {
  let made = 0;
  let ended = false;
  function* endless(): Generator<string> {
    try {
      for (;;) {
        made++;
        yield 'x'.repeat(2 ** 16);
      }
    } finally {
      ended = true;
    }
  }
  const reader = (timeSlicedBody(endless()) as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  await reader.cancel();
  const before = made;
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(ended).toBe(true);
  expect(made).toBe(before);
});
