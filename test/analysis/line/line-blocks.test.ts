/** The points of long lines are gathered in steps. */
import { expect, test } from 'vitest';
import { runToEnd } from '../../../server/core/turns.js';
import { pointPositions } from '../../../server/analysis/line/line-blocks.js';

const line = (length: number, first: number) => {
  const at = Float64Array.from({ length }, (_, i) => first + 3 * i);
  return { at, to: at.map((position) => position + 1), values: at, lows: at };
};

test('the positions of lines are ascending and distinct', () => {
  const positions = runToEnd(pointPositions([line(3, 0), line(3, 1)]));
  expect([...positions]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
});

test('the positions of a long line are found in steps', () => {
  const steps = pointPositions([line(100_000, 0)]);
  let count = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) count++;
  expect(step.value).toHaveLength(200_000);
  // 4,096 points at a time.
  expect(count).toBeGreaterThan(3 * (100_000 / 4096));
});
