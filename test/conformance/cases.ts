/** Reads `cases.jsonl`, and checks an array case (test/fixtures/README.md). */
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { expect } from 'vitest';
import {
  openHierarchy,
  type ZarrArray,
  createFilesystemStore,
  type KeyStore,
} from '../../server/zarr/index.js';
import { createZipStore } from '../../server/store/zip.js';
import { fixtures } from '../setup/fixtures.js';
import { sameValues, toLayout, widthOf, type Case } from './expected-layout.js';

/** @param folder of the fixtures: "matrix", "peers" */
export function readCases<T = Case>(folder: string, name = 'cases.jsonl'): readonly T[] {
  const lines = readFileSync(`${fixtures}${folder}/${name}`, 'utf8').split('\n').filter(Boolean);
  return lines.map((line): T => JSON.parse(line));
}

/** @param root the folder that contains the path of the case */
export async function openCase(root: string, c: Case): Promise<ZarrArray> {
  return openHierarchy(await openFixture(`${root}/${c.path}`)).array(c.node);
}

/** Opens the array and compares shape, values and the other properties of the case. */
export async function expectCase(root: string, c: Case): Promise<void> {
  const array = await openCase(root, c);
  expect(array.shape).toEqual(c.shape);
  const block = await array.select({ kind: 'all' }).read();
  expect(block.shape).toEqual(c.shape);
  const got = toLayout(block, c.layout);
  const expected = Buffer.from(c.expected ?? '', 'base64');
  if (!sameValues(got, expected, c, widthOf(block))) expect(got.toString('base64')).toBe(c.expected);
  if (c.dimension_names !== undefined) expect(array.dimensionNames).toEqual(c.dimension_names);
  if (c.attributes !== undefined)
    expect(jsonEntries(array.meta.attributes)).toEqual(jsonEntries(c.attributes));
}

/**
 * JSON with keys sorted and as lists of pairs, so that `__proto__` is an ordinary key. `$float` and `$int`
 * in cases become numbers that plain JSON cannot represent.
 */
export function jsonEntries(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(jsonEntries);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [first] = entries;
  if (entries.length === 1 && first?.[0] === '$float') return Number(first[1]);
  if (entries.length === 1 && first?.[0] === '$int') return BigInt(String(first[1]));
  return {
    pairs: entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, one]) => [key, jsonEntries(one)]),
  };
}

/** A folder or a zip file as a store. */
export async function openFixture(path: string): Promise<KeyStore> {
  if (!path.endsWith('.zip')) return createFilesystemStore({ label: basename(path), root: path });
  const base = createFilesystemStore({ label: basename(path), root: dirname(path) });
  return createZipStore({ label: basename(path), source: { store: base, key: basename(path) } });
}
