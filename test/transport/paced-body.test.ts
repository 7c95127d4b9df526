import { expect, test } from 'vitest';
import { pacedBody } from '../../server/transport/paced-body.js';

function* pieces(count: number, length: number): Generator<string> {
  for (let i = 0; i < count; i++) yield String(i % 10).repeat(length);
}

test('what is short comes as one buffer', () => {
  expect(Buffer.from(pacedBody(pieces(3, 2)) as Uint8Array).toString()).toBe('001122');
  expect((pacedBody(pieces(0, 1)) as Uint8Array).length).toBe(0);
});

test('what is long comes as a stream that lets others run', async () => {
  const body = pacedBody(pieces(200, 2 ** 16));
  expect(body).toBeInstanceOf(ReadableStream);
  let ticks = 0;
  const timer = setInterval(() => ticks++, 0);
  const text = await new Response(body as ReadableStream).text();
  clearInterval(timer);
  expect(text).toBe([...pieces(200, 2 ** 16)].join(''));
  expect(ticks).toBeGreaterThan(0);
});

test('a reader that goes away ends the making', async () => {
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
  const reader = (pacedBody(endless()) as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  await reader.cancel();
  const before = made;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(ended).toBe(true);
  expect(made).toBe(before);
});
