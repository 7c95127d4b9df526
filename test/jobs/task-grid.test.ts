import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type TaskBox, boxOfTask, chooseTaskShape, taskGrid } from '../../server/jobs/task-grid.js';

const dims = fc.array(
  fc.record({
    size: fc.integer({ min: 1, max: 30 }),
    unit: fc.integer({ min: 1, max: 12 }),
    chunk: fc.integer({ min: 1, max: 12 }),
  }),
  { minLength: 1, maxLength: 3 },
);

test('the boxes of all tasks are whole objects, and cover each element once', () => {
  fc.assert(
    fc.property(dims, fc.integer({ min: 1, max: 500 }), (each, budget) => {
      const shape = each.map(({ size }) => size);
      const unit = each.map(({ unit: length }) => length);
      const chunks = each.map(({ chunk }) => chunk);
      const price = ({ start, stop }: TaskBox) => {
        const lengths = start.map((from, d) => (stop[d] ?? 0) - from);
        // The naive model: the elements of all chunks of the source that overlap the box.
        const read = start.map((from, d) => {
          const c = chunks[d] ?? 1;
          return (Math.ceil((stop[d] ?? 0) / c) - Math.floor(from / c)) * c;
        });
        const product = (list: readonly number[]): number => list.reduce((a, b) => a * b, 1);
        return {
          readBytes: product(read),
          valueBytes: product(lengths),
          needBytes: product(read) + product(lengths),
        };
      };
      const bounds = { valueBytes: budget, needBytes: 3 * budget, readBytes: 2 * budget };
      const taskShape = chooseTaskShape(shape, unit, chunks, price, bounds);
      const grid = taskGrid(shape, taskShape);
      taskShape.forEach((length, d) => {
        const isWhole = length >= (shape[d] ?? 0);
        expect(isWhole || length % (unit[d] ?? 1) === 0).toBe(true);
      });
      const one = shape.map((size, d) => Math.min(size, unit[d] ?? 1));
      const isOne = taskShape.every((length, d) => length === one[d]);
      const values = taskShape.reduce((a, b) => a * b, 1);
      expect(isOne || values <= budget).toBe(true);
      const seen = new Map<string, number>();
      for (let task = 0; task < grid.tasks; task++) {
        const { start, stop } = boxOfTask(grid, task);
        const walk = (d: number, at: readonly number[]): void => {
          if (d === shape.length) return void seen.set(at.join(), (seen.get(at.join()) ?? 0) + 1);
          for (let i = start[d] ?? 0; i < (stop[d] ?? 0); i++) walk(d + 1, [...at, i]);
        };
        walk(0, []);
      }
      expect(seen.size).toBe(shape.reduce((a, b) => a * b, 1));
      expect([...seen.values()].every((count) => count === 1)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test('tasks of billions of chunks are computed from their numbers', () => {
  const grid = taskGrid([1e6, 1e6, 1e3], [1, 1000, 1000]);
  expect(grid.tasks).toBe(1e9);
  expect(boxOfTask(grid, 999_999_999)).toEqual({ start: [999_999, 999_000, 0], stop: [1e6, 1e6, 1000] });
  for (const task of [-1, 1e9, 0.5, NaN]) expect(() => boxOfTask(grid, task)).toThrow('there is no task');
  expect(() => taskGrid([1e9, 1e9], [1, 1])).toThrow('too many chunks');
});

test('tasks grow to the chunks of the source, so that each is read once', () => {
  const price = ({ start, stop }: TaskBox) => {
    const [from = 0] = start;
    const [to = 0] = stop;
    const readBytes = (Math.ceil(to / 100) - Math.floor(from / 100)) * 100;
    return { readBytes, valueBytes: to - from, needBytes: readBytes + to - from };
  };
  // Objects of 10 and chunks of 100: a task per object would read each chunk ten times.
  expect(
    chooseTaskShape([1000], [10], [100], price, { valueBytes: 400, needBytes: 1000, readBytes: 1000 }),
  ).toEqual([100]);
  // Results are small where each is computed from much: a task that reads enough does not grow because of them.
  const reduced = (box: TaskBox) => ({ ...price(box), readBytes: 50 * price(box).valueBytes });
  const most = { valueBytes: 4000, needBytes: 10_000, readBytes: 4000 };
  expect(chooseTaskShape([1000], [10], [100], reduced, most)).toEqual([80]);
  expect(chooseTaskShape([1000], [10], [100], price, { ...most, readBytes: Infinity })).toEqual([1000]);
});
