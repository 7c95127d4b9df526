import { expect, test } from 'vitest';
import { escapeLine } from '../../server/cli/logger.js';

test('a line of the log has no character that a terminal acts on, and means the same', () => {
  const codes = [
    ...Array.from({ length: 0xa0 }, (_, i) => i),
    ...[0xad, 0x61c, 0x200b, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2060, 0x2066, 0x2069, 0xd800],
    ...[0xdfff, 0xe000, 0xfeff, 0xfff9, 0xe0001, 0xe0041, 0x1bca0],
  ];
  const record = {
    caller: codes.map((code) => String.fromCodePoint(code)).join('x'),
    'k\u009by': 'é 日本 😀',
  };
  const line = escapeLine(`${JSON.stringify(record)}\n`);
  expect(line).not.toMatch(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/u);
  expect(line.endsWith('}\n')).toBe(true);
  expect(line).toContain('é 日本 😀');
  expect(JSON.parse(line)).toEqual(record);
});
