/** Changes that another program makes to a folder reach subscribers; changes through the gateway arrive once. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createChangeBus, type StoreChange } from '../../../server/resolvers/changes/change-bus.js';
import { DocumentWatcher } from '../../../server/resolvers/changes/watch-documents.js';
import {
  createFilesystemStore,
  type Hierarchy,
  openHierarchy,
  StoreUnavailableError,
} from '../../../server/zarr/index.js';
import { wrapStore } from '../../../server/store/wrap.js';

const cleanUp: (() => void)[] = [];
afterEach(() => cleanUp.splice(0).forEach((each) => each()));

/** Two programs with the same folder, of which the first one has subscribers. */
async function watch(paths: readonly string[], { hasVersions = true } = {}) {
  const outage = { isOn: false };
  const root = mkdtempSync(join(tmpdir(), 'zarrql-watch-'));
  cleanUp.push(() => rmSync(root, { recursive: true }));
  const others = openHierarchy(createFilesystemStore({ label: 's', root, readonly: false }));
  await others.createGroup('/');
  await others.createGroup('/g');
  await create(others, '/g/a');
  await create(others, '/b');
  let looks = 0;
  const store = createFilesystemStore({ label: 's', root, readonly: false });
  const counted = wrapStore(store, {
    async getMany(requests, each, options) {
      looks += 1;
      if (outage.isOn) throw new StoreUnavailableError('the disk is gone');
      await store.getMany(
        requests,
        (i, result) => {
          if (hasVersions || typeof result !== 'object') return each(i, result);
          const { version: _, ...withoutVersion } = result;
          each(i, withoutVersion);
        },
        options,
      );
    },
  });
  const bus = createChangeBus();
  const published: StoreChange[] = [];
  bus.subscribe({ changed: (change) => published.push(change), closed: () => {} });
  const warnings: string[] = [];
  const ours = openHierarchy(counted, { changed: (change) => bus.publish({ ...change, store: 's' }) });
  const watcher = new DocumentWatcher({
    ...{ store: 's', hierarchy: ours, bus, watchMs: 5 },
    publish: (change) => bus.publish({ ...change, store: 's' }),
    warn: (problem) => warnings.push(problem),
  });
  const stops = paths.map((path) => watcher.start(path));
  cleanUp.push(() => stops.forEach((stop) => stop()));
  /** Waits for two comparisons. */
  const settle = async (): Promise<void> => {
    const before = looks;
    await expect.poll(() => looks, { interval: 5 }).toBeGreaterThan(before + 8);
    await setTimeout(20);
  };
  await settle();
  return { ours, others, outage, published, warnings, stops, settle, looks: () => looks };
}

async function create(hierarchy: Hierarchy, path: string, shape = [4]): Promise<void> {
  await hierarchy.createArray(path, { shape, chunkShape: [2], dtype: 'float32' });
}

const own = ({ kind, path }: StoreChange): unknown => ({ kind, path });

test('attributes, shapes, deletion and creation by another program', async () => {
  const { others, published } = await watch(['/b']);
  await others.setAttributes('/b', { set: { units: 'K' } });
  await expect.poll(() => published.map(own)).toEqual([{ kind: 'updated', path: '/b' }]);
  await others.resize('/b', [8]);
  await expect.poll(() => published.map(own).at(-1)).toEqual({ kind: 'resized', path: '/b' });
  await others.deleteNode('/b');
  await expect.poll(() => published.map(own).at(-1)).toEqual({ kind: 'deleted', path: '/b' });
  await create(others, '/b');
  await expect.poll(() => published.map(own).at(-1)).toEqual({ kind: 'created', path: '/b' });
  expect(published).toHaveLength(4);
});

test('only of subscribed nodes', async () => {
  const { others, published, settle } = await watch(['/g/a']);
  await others.setAttributes('/b', { set: { units: 'K' } });
  await settle();
  expect(published).toEqual([]);
});

test('each of two subscribed nodes, one below the other', async () => {
  const { others, published } = await watch(['/g', '/g/a']);
  await Promise.all([
    others.setAttributes('/g', { set: { title: 'group' } }),
    others.setAttributes('/g/a', { set: { units: 'K' } }),
  ]);
  const sorted = (): unknown => published.map(({ path }) => path).toSorted();
  await expect.poll(sorted).toEqual(['/g', '/g/a']);
});

test('a change through the gateway is published once', async () => {
  const { ours, published, settle } = await watch(['/', '/g', '/g/a']);
  await ours.setAttributes('/g/a', { set: { units: 'K' } });
  await settle();
  expect(published.map(own)).toEqual([{ kind: 'updated', path: '/g/a' }]);
});

test('nothing after the last subscriber left', async () => {
  const { others, published, stops, looks } = await watch(['/b', '/b']);
  stops.forEach((stop) => stop());
  await setTimeout(30);
  const before = looks();
  await others.setAttributes('/b', { set: { units: 'K' } });
  await setTimeout(50);
  expect(published).toEqual([]);
  expect(looks()).toBe(before);
});

test('a store without versions is reported once', async () => {
  const { others, published, warnings, settle } = await watch(['/b', '/g'], { hasVersions: false });
  await others.setAttributes('/b', { set: { units: 'K' } });
  await settle();
  expect(published).toEqual([]);
  expect(warnings).toHaveLength(1);
});

test('an outage is reported once for a node, and a change during it is published afterwards', async () => {
  const { others, outage, published, warnings, settle } = await watch(['/b']);
  outage.isOn = true;
  await others.setAttributes('/b', { set: { units: 'K' } });
  await settle();
  expect(warnings).toHaveLength(1);
  expect(published).toEqual([]);
  outage.isOn = false;
  await expect.poll(() => published.map(own)).toEqual([{ kind: 'updated', path: '/b' }]);
});
