import { expect, test } from 'vitest';
import { runLater, runNow } from '../../../server/zarr/read/turns.js';

function busyFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test('work beyond a turn leaves the event loop to others, and keeps its order', async () => {
  const order: string[] = [];
  const done = new Promise<void>((resolve) => {
    for (let i = 0; i < 5; i++) {
      const work = () => {
        busyFor(5);
        order.push(`work ${i}`);
        if (i === 4) resolve();
      };
      if (!runNow(work)) runLater(work);
    }
  });
  setImmediate(() => order.push('other'));
  await done;
  expect(order.filter((one) => one !== 'other')).toEqual(['work 0', 'work 1', 'work 2', 'work 3', 'work 4']);
  expect(order.indexOf('other')).toBeGreaterThan(0);
  expect(order.indexOf('other')).toBeLessThan(3);
});
