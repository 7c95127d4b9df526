/** Changes by writers, and the invariants afterwards. */
import { expect } from 'vitest';
import {
  openHierarchy,
  openStoreFromUrl,
  toTypedArray,
  type Hierarchy,
  type KeyStore,
} from '../../server/zarr/index.js';
import { width, type Acknowledged, type StoreAddress } from './writers.js';

export function openChaos({ url, options }: StoreAddress): KeyStore {
  return openStoreFromUrl('chaos', url, { ...options, readonly: false });
}

export async function prepare(address: StoreAddress): Promise<void> {
  const store = openChaos(address);
  const hierarchy = openHierarchy(store);
  await hierarchy.createArray('/grown', { shape: [0, width], dtype: 'int32', chunkShape: [8, width] });
  await hierarchy.createArray('/cells', { shape: [1000], dtype: 'int32', chunkShape: [100] });
  await hierarchy.createGroup('/made');
  await hierarchy.consolidate('/');
  await store.close();
}

export async function readRows(hierarchy: Hierarchy): Promise<readonly number[]> {
  const block = await (await hierarchy.array('/grown')).select({ kind: 'all' }).read();
  const values = Array.from(toTypedArray(block), Number);
  const rows = values.filter((_, i) => i % width === 0);
  for (const [i, value] of values.entries())
    if (value === 0 || value !== rows[Math.floor(i / width)])
      throw new Error(`row ${Math.floor(i / width)} of ${rows.length} contains ${value}, not its value`);
  return rows;
}

async function listed(hierarchy: Hierarchy, refresh: boolean): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const entry of hierarchy.walk('/', { recursive: true, refresh }))
    found.push([entry.path, entry.open().meta.attributes]);
  return found;
}

/**
 * Makes one more change. Then every acknowledged write must be stored and listed, and no row may have the
 * fill value.
 */
export async function verify(address: StoreAddress, changes: readonly Acknowledged[]): Promise<void> {
  const store = openChaos(address);
  const hierarchy = openHierarchy(store);
  await hierarchy.setAttributes('/made', { set: { checked: changes.length } });
  const rows = await readRows(hierarchy);
  const cells = toTypedArray(await (await hierarchy.array('/cells')).select({ kind: 'all' }).read());
  const nodes = new Map<string, Record<string, unknown>>();
  for await (const entry of hierarchy.walk('/', { recursive: true })) nodes.set(entry.path, { ...entry.open().meta.attributes }); // prettier-ignore
  nodes.set('/', { ...(await hierarchy.group('/')).meta.attributes });
  const lastAt = new Map<number, number>();
  for (const change of changes) {
    if (change.kind === 'append')
      expect(rows.slice(change.start, change.start + change.count)).toEqual(
        new Array(change.count).fill(change.value),
      );
    else if (change.kind === 'write') lastAt.set(change.index, change.value);
    else if (change.kind === 'attribute')
      expect(nodes.get(change.path)).toHaveProperty(`k${change.value}`, change.value);
    else expect(nodes.get(change.path)).toEqual({ value: change.value });
  }
  for (const [at, value] of lastAt) expect(Number(cells[at]), `cell ${at}`).toBeGreaterThanOrEqual(value);
  expect(await listed(hierarchy, false)).toEqual(await listed(hierarchy, true));
  await store.close();
}
