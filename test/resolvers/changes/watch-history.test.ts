/** Watching a history: a commit is published even if its difference is unknown, and nothing after the last subscriber left. */
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { HistoryWatcher } from '../../../server/resolvers/changes/watch-history.js';
import type { StoreHistory, StoreModel } from '../../../server/resolvers/models.js';
import { openHierarchy, type SnapshotDiff, type StoredChange } from '../../../server/zarr/index.js';
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

const own: StoredChange = { kind: 'data', path: '/own' };

test('a commit through the gateway is published once, whether a comparison finds it before or after', async () => {
  const after = await watch({});
  const stopAfter = after.watcher.start('/');
  await expect.poll(() => after.looks.count).toBeGreaterThan(1);
  after.head.id = 'two';
  const commit = { snapshot: 'two', parent: 'one' };
  await after.watcher.committed(commit, [own]);
  expect(after.published).toEqual([{ ...own, commit }]);
  const { count } = after.looks;
  await expect.poll(() => after.looks.count).toBeGreaterThan(count + 2);
  expect(after.published).toHaveLength(1);
  stopAfter();

  const before = await watch({});
  const stopBefore = before.watcher.start('/');
  await expect.poll(() => before.looks.count).toBeGreaterThan(1);
  before.head.id = 'two';
  await expect.poll(() => before.published).toHaveLength(1);
  await before.watcher.committed(commit, [own]);
  expect(before.published).toEqual([{ kind: 'created', path: '/g' }]);
  stopBefore();
});

test('a commit on top of unpublished ones is published after them; one with which the watch began by itself', async () => {
  const rebased = await watch({});
  const stopRebased = rebased.watcher.start('/');
  await expect.poll(() => rebased.looks.count).toBeGreaterThan(1);
  rebased.head.id = 'three';
  const commit = { snapshot: 'three', parent: 'two' };
  await rebased.watcher.committed(commit, [own]);
  const { count } = rebased.looks;
  await expect.poll(() => rebased.looks.count).toBeGreaterThan(count + 2);
  expect(rebased.published).toEqual([
    { kind: 'created', path: '/g' },
    { ...own, commit },
  ]);
  stopRebased();

  const first = await watch({});
  const stopFirst = first.watcher.start('/');
  await first.watcher.committed({ snapshot: 'one', parent: 'zero' }, [own]);
  await setTimeout(50);
  expect(first.published).toMatchObject([own]);
  stopFirst();
});

test('more than 500 changes of a commit are one change of the root', async () => {
  const { watcher, published } = await watch({});
  await watcher.committed({ snapshot: 'two', parent: 'one' }, new Array<StoredChange>(501).fill(own));
  expect(published).toMatchObject([{ kind: 'updated', path: '/' }]);
});

test('commits that another replica has published are not published again, but those before them are', async () => {
  const { watcher, head, looks, published } = await watch({});
  const stop = watcher.start('/');
  await expect.poll(() => looks.count).toBeGreaterThan(1);
  await watcher.committedElsewhere({ snapshot: 'two', parent: 'one' });
  head.id = 'two';
  const { count } = looks;
  await expect.poll(() => looks.count).toBeGreaterThan(count + 2);
  expect(published).toEqual([]);
  head.id = 'four';
  await watcher.committedElsewhere({ snapshot: 'four', parent: 'three' });
  expect(published).toEqual([{ kind: 'created', path: '/g' }]);
  stop();
});
