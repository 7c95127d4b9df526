import { expect, test, vi } from 'vitest';
import { resultText } from '../../../server/transport/json/result-text.js';
import { shareText } from '../../../server/transport/json/shared-text.js';

function textOf(value: unknown): string {
  return Buffer.concat([...resultText(value)].map((piece) => Buffer.from(piece))).toString();
}

/** A value that counts how often its text is created. */
function countedValue() {
  const read = vi.fn<() => string>(() => 'värde');
  const data = {};
  Object.defineProperty(data, 'name', { enumerable: true, get: read });
  return { data, read };
}

test('the text of a shared value is created once, and its memory is counted once', () => {
  const { data, read } = countedValue();
  const hold = vi.fn<(bytes: number) => void>();
  shareText(data, { isShared: () => true, hold });
  const [a, b] = [resultText({ data }), resultText({ data, extensions: { cost: 1 } })];
  const texts = ['', ''];
  // The readers alternate.
  for (let isOver = false; !isOver;) {
    const next = [a.next(), b.next()];
    next.forEach(({ value }, i) => (texts[i] += value === undefined ? '' : Buffer.from(value).toString()));
    isOver = next.every(({ done }) => done === true);
  }
  expect(texts).toEqual(['{"data":{"name":"värde"}}', '{"data":{"name":"värde"},"extensions":{"cost":1}}']);
  expect(read).toHaveBeenCalledTimes(1);
  expect(hold.mock.calls.flat().reduce((sum, bytes) => sum + bytes, 0)).toBe(17);
});

test('the text of a value in one response is not kept', () => {
  const { data, read } = countedValue();
  const hold = vi.fn<(bytes: number) => void>();
  shareText(data, { isShared: () => false, hold });
  expect(textOf({ data })).toBe(textOf({ data }));
  expect(read).toHaveBeenCalledTimes(2);
  expect(hold).not.toHaveBeenCalled();
});

test('each reader of a text that cannot be created gets the error', () => {
  const data = {};
  Object.defineProperty(data, 'name', {
    enumerable: true,
    get() {
      throw new RangeError('unreadable');
    },
  });
  shareText(data, { isShared: () => true, hold: () => undefined });
  expect(() => textOf({ data })).toThrow('unreadable');
  expect(() => textOf({ data })).toThrow('unreadable');
});
