/** Wording of counts and sizes in the explorer. */
import { expect, test } from 'vitest';
import {
  bytesText,
  countText,
  shapeText,
  shortNumber,
  storedText,
} from '../../../explorer/src/parts/format.js';

test('the stored size is a share of the decoded size, or a multiple of it', () => {
  expect(storedText(138_240, 1, 76)).toBe('135 KiB in 1 object, 1.32 % of the decoded size');
  expect(storedText(1_048_576, 1200, 1)).toBe('1 MiB in 1 200 objects, 100 % of the decoded size');
  expect(storedText(512, 3, 0.25)).toBe('512 bytes in 3 objects, 4 times the decoded size');
});

test('an unknown or impossible ratio is omitted', () => {
  for (const ratio of [null, 0, -1, NaN]) expect(storedText(0, 0, ratio)).toBe('0 bytes in 0 objects');
});

test('counts are grouped, sizes have a unit, and statistics are short', () => {
  expect([countText(5), countText(10_000n), countText(1e10)]).toEqual(['5', '10 000', '10 000 000 000']);
  expect([bytesText(0), bytesText(1023), bytesText(1024), bytesText(2 ** 60)]).toEqual([
    '0 bytes',
    '1023 bytes',
    '1 KiB',
    '1020 PiB',
  ]);
  expect([shapeText([]), shapeText([12, 90, 180])]).toEqual(['single value', '12 × 90 × 180']);
  expect([shortNumber(1 / 3), shortNumber(1.5e-9), shortNumber(Infinity)]).toEqual([
    '0.33333',
    '1.5e-9',
    'Infinity',
  ]);
});
