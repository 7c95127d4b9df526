import { expect, test } from 'vitest';
import { Base64Text } from '../../server/transport/base64-text.js';

test.each([0, 1, 2, 3, 4, 98_303, 98_304, 98_305, 300_001])('%d bytes as one base64 text', (length) => {
  const whole = new Uint8Array(length + 5).map((_, i) => (i * 7919) % 251);
  const bytes = whole.subarray(5);
  const text = new Base64Text(bytes);
  expect(text.toString()).toBe(Buffer.from(bytes).toString('base64'));
  expect(JSON.parse(JSON.stringify({ text }))).toEqual({ text: Buffer.from(bytes).toString('base64') });
  for (const piece of text.pieces()) expect(piece.length).toBeLessThanOrEqual(2 ** 17);
});
