/** Watching a history: a commit is published even if its difference is unknown, and nothing after the last subscriber left. */
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { HistoryWatcher } from '../../../server/resolvers/changes/watch-history.js';
import type { StoreHistory, StoreModel } from '../../../server/resolvers/models.js';
import { openHierarchy, type SnapshotDiff } from '../../../server/zarr/index.js';
import { memoryStore } from '../gateway-client.js';

const newGroup: SnapshotDiff = {
  newGroups: ['/g'],
  newArrays: [],
  deletedGroups: [],
  deletedArrays: [],
  updatedGroups: [],
  updatedArrays: [],
  updatedChunks: [],
  movedNodes: [],
};

/** Watches a store whose branch is at `head.id`. */
async function watch(history: Partial<StoreHistory>) {
  const head = { id: 'one' };
  const looks = { count: 0 };
  const published: unknown[] = [];
  const warnings: string[] = [];
  const hierarchy = openHierarchy(await memoryStore({}));
  const plain: StoreModel = { name: 'm', description: undefined, kind: 'MEMORY', writable: false, hierarchy };
  const model: StoreModel = {
    ...plain,
    history: {
      resolve: async () => {
        looks.count += 1;
        return head.id;
      },
      at: () => plain,
      branches: async () => [],
      tags: async () => [],
      history: async () => [],
      diff: async () => newGroup,
      ...history,
    },
  };
  const watcher = new HistoryWatcher(model, {
    watchMs: 5,
    publish: (change) => published.push(change),
    warn: (problem) => warnings.push(problem),
  });
  return { watcher, head, looks, published, warnings };
}

test('a commit whose difference fails is published as a change of the root', async () => {
  const { watcher, head, looks, published, warnings } = await watch({
    diff: async () => {
      throw new TypeError('a mistake in the program');
    },
  });
  const stop = watcher.start('/');
  await expect.poll(() => looks.count).toBeGreaterThan(1);
  head.id = 'two';
  await expect.poll(() => published).toEqual([{ kind: 'updated', path: '/' }]);
  expect(warnings).toHaveLength(1);
  stop();
});

test('the last subscriber ends the watch, also during a comparison', async () => {
  let diffs = 0;
  const { watcher, head, looks, published } = await watch({
    diff: async () => {
      diffs += 1;
      await setTimeout(50);
      return newGroup;
    },
  });
  const stop = watcher.start('/');
  await expect.poll(() => looks.count).toBeGreaterThan(1);
  head.id = 'two';
  await expect.poll(() => diffs, { interval: 5 }).toBe(1);
  stop();
  const before = looks.count;
  await setTimeout(150);
  expect(published).toEqual([]);
  expect(looks.count).toBe(before);
});
