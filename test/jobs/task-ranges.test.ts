import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TaskRanges } from '../../server/jobs/task-ranges.js';

test('ranges are those of a set of numbers', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(40), { maxLength: 60 }), (tasks) => {
      const ranges = new TaskRanges();
      const set = new Set<number>();
      for (const task of tasks) {
        ranges.add(task);
        set.add(task);
      }
      expect(ranges.count).toBe(set.size);
      for (let task = 0; task <= 42; task++) {
        expect(ranges.has(task)).toBe(set.has(task));
        let next = task;
        while (set.has(next)) next++;
        expect(ranges.nextMissing(task)).toBe(next);
      }
      // As few ranges as possible, which are valid when they are read again.
      ranges.ranges.slice(1).forEach(([from], i) => expect(from).toBeGreaterThan(ranges.ranges[i]?.[1] ?? 0));
      expect(new TaskRanges(ranges.ranges, 41).ranges).toEqual(ranges.ranges);
    }),
  );
});

test('ranges from elsewhere are checked', () => {
  const bad: [number, number][][] = [[[1, 1]], [[2, 1]], [[-1, 2]], [[0, 2], [1, 3]], [[3, 4], [0, 1]], [[0, 11]], [[0, 1.5]]]; // prettier-ignore
  for (const ranges of bad) expect(() => new TaskRanges(ranges, 10)).toThrow('not sorted, disjoint ranges');
});
