/**
 * The cases of `test/fixtures/matrix`: every data type, codec and feature of each format, with the values that other
 * implementations read. Each layer reads them once: metadata (`test/format/metadata`), the engine (`matrix.test.ts`),
 * threads (`test/chunks/read/direct`), GraphQL (`test/resolvers.matrix.test.ts`, and mutations), and the SDK.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fixtures } from '../setup/fixtures.js';
import { readCases } from './cases.js';
import type { Case } from './expected-layout.js';

export interface GroupCase {
  readonly id: string;
  readonly type: 'group';
  readonly path: string;
  readonly format: number;
  readonly attributes: unknown;
  /** Every node of the store, bypassing stale consolidated metadata. */
  readonly tree: Readonly<Record<string, 'group' | 'array'>>;
}

export const matrixFolder = `${fixtures}matrix`;

const all = readCases<Case | GroupCase>('matrix');
export const matrixGroups = all.filter((one): one is GroupCase => 'type' in one);
/** Arrays in folders and in zip files. */
export const matrixArrays = all.filter((one): one is Case => !('type' in one));
export const matrixPaths: readonly string[] = [...new Set(all.map(({ path }) => path))];
/** Arrays in folders with known values. */
export const storedArrays = matrixArrays.filter(
  ({ expected, path }) => expected !== null && path.endsWith('.zarr'),
);

const variable = ['var_utf8', 'var_bytes', 'json', 'ragged'];

/** One array per format and data type, and every array of a variable-length type. All their elements are known. */
export const arraysOfTypes: readonly Case[] = chooseByType();

function chooseByType(): Case[] {
  const seen = new Set<string>();
  return storedArrays
    .filter((each) => (each.undefined_chunks ?? []).length === 0)
    .filter(({ format, dtype, layout }) => {
      const key = JSON.stringify([format, dtype]);
      return variable.includes(layout.kind) || (!seen.has(key) && seen.add(key));
    });
}

export function matrixArray(id: string): Case {
  return caseOf(id, matrixArrays);
}

/** The objects of the store of an array or a group, by key. */
export function objectsOfCase(id: string): ReadonlyMap<string, Uint8Array> {
  return objectsOf(caseOf(id, all));
}

function caseOf<T extends Case | GroupCase>(id: string, cases: readonly T[]): T {
  const found = cases.find((one) => one.id === id);
  if (found === undefined) throw new Error(`unknown case ${id}`);
  return found;
}

/** The objects of a store in a folder, by key. */
export function objectsOf({ path }: Pick<Case, 'path'>): ReadonlyMap<string, Uint8Array> {
  const root = `${matrixFolder}/${path}`;
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map((entry) => {
      const file = `${entry.parentPath}/${entry.name}`;
      return [file.slice(root.length + 1), new Uint8Array(readFileSync(file))] as const;
    }),
  );
}
