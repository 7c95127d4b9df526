import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseEvents } from '../../../client/transport/event-text.js';

async function parse(...pieces: Uint8Array[]) {
  const events = [];
  for await (const event of parseEvents((async function* () { yield* pieces; })(), 2 ** 20)) events.push(event); // prettier-ignore
  return events;
}
const bytes = (text: string) => new TextEncoder().encode(text);

test('events, comments, multiple lines, all line endings', async () => {
  const text =
    ':\n\nevent: next\ndata: {"a":1}\n\nevent:next\r\ndata:x\r\ndata: y\r\n\r\nid: 1\rdata\r\revent: complete\n\ndata: cut';
  expect(await parse(bytes(text))).toEqual([
    { name: 'next', data: '{"a":1}' },
    { name: 'next', data: 'x\ny' },
    { name: 'message', data: '' },
    { name: 'complete', data: '' },
  ]);
});

test('split at any position', async () => {
  const text = 'event: next\r\ndata: ä€𝄞\r\n\r\n:\n\nevent: next\ndata: 2\n\n';
  const whole = await parse(bytes(text));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(bytes(text).length), { maxLength: 6 }), async (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), bytes(text).length];
      const pieces = places.slice(1).map((to, i) => bytes(text).subarray(places[i], to));
      expect(await parse(...pieces)).toEqual(whole);
    }),
  );
});
