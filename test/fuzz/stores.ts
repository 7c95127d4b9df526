/** Stores of the fixtures as objects in memory, so that they can be damaged. */
import { readdirSync, readFileSync } from 'node:fs';
import { createMemoryStore, type KeyStore } from '../../server/zarr/index.js';
import { readCases } from '../conformance/cases.js';
import type { Case } from '../conformance/expected-layout.js';
import { fixtures } from '../setup/fixtures.js';

export type Objects = ReadonlyMap<string, Uint8Array>;

/** Arrays in folders with known values. */
export const arrayCases: readonly Case[] = readCases('matrix').filter(
  (c) => !('type' in c) && c.expected != null && c.path.endsWith('.zarr'),
);

export function objectsOf(c: Pick<Case, 'path'>): Objects {
  const root = `${fixtures}matrix/${c.path}`;
  const names = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    names.map((entry) => {
      const path = `${entry.parentPath}/${entry.name}`;
      return [path.slice(root.length + 1), new Uint8Array(readFileSync(path))] as const;
    }),
  );
}

export async function memoryStoreOf(objects: Iterable<readonly [string, Uint8Array]>): Promise<KeyStore> {
  const store = createMemoryStore({ label: 'damaged' });
  for (const [key, bytes] of objects) await store.set(key, bytes);
  return store;
}

export function isDocument(key: string): boolean {
  return /(^|\/)(zarr\.json|\.z(array|group|attrs|metadata)|meta|attrs)$/.test(key);
}
