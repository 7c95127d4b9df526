import { expect, test } from 'vitest';
import { TaskOffsets } from '../../server/jobs/task-offsets.js';

test('tasks of several arrays are numbered consecutively, also with empty arrays', () => {
  const offsets = new TaskOffsets([0, 2, 0, 0, 3, 0]);
  expect(offsets.count).toBe(5);
  expect(Array.from({ length: 5 }, (_, task) => Object.values(offsets.locate(task)))).toEqual([
    [1, 0], [1, 1], [4, 0], [4, 1], [4, 2],
  ]); // prettier-ignore
  expect([0, 1, 4, 5, 6].map((index) => offsets.first(index))).toEqual([0, 0, 2, 5, 5]);
  for (const task of [-1, 5, 1.5]) expect(() => offsets.locate(task)).toThrow('there is no task');
});
