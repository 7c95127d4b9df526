/**
 * 64 tasks of a scientist's work, each possible in one document of at most 25 lines, compared with xarray:
 * `test/fixtures/analysis/make_tasks.py`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { beforeAll, describe, expect, test } from 'vitest';
import { createCombinedStore, createGateway, fullAccess, type Gateway } from '../server/index.js';
import { createMemoryStore, type KeyStore, openHierarchy, type Selection } from '../server/zarr/index.js';
import { execute } from './resolvers/gateway-client.js';
import { fixtures } from './setup/fixtures.js';

interface Stored {
  readonly dims: readonly string[];
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly values: readonly unknown[];
}

type Variables = Readonly<Record<string, Stored>>;

interface Task {
  readonly item: number;
  readonly name: string;
  readonly document: string;
  /** The leaves of the response, in order. */
  readonly values: readonly unknown[];
}

const { stores, tasks }: { stores: Readonly<Record<string, Variables>>; tasks: readonly Task[] } = JSON.parse(
  readFileSync(join(fixtures, 'analysis', 'tasks.json'), 'utf8'),
);

const maxLines = 25;

/** @param rows the range of positions along the time; undefined for all */
async function storeOf(label: string, variables: Variables, chunk: number, rows?: readonly [number, number]): Promise<KeyStore> {
  const store = createMemoryStore({ label });
  const hierarchy = openHierarchy(store);
  await hierarchy.createGroup('/');
  for (const [name, { dims, shape, dtype, attributes, values }] of Object.entries(variables)) {
    const [first, last] = dims[0] === 'time' && rows !== undefined ? rows : [0, shape[0] ?? 1];
    const each = values.length / (shape[0] ?? 1);
    const own = shape.length === 0 ? [] : [last - first, ...shape.slice(1)];
    const array = await hierarchy.createArray(`/${name}`, {
      shape: own,
      dtype,
      chunkShape: own.map((size) => Math.min(size, chunk)),
      dimensionNames: [...dims],
      attributes,
    });
    const all: Selection = { kind: 'all' };
    await array.select(all).write(nested(values.slice(first * each, last * each).map((value) => value ?? NaN), own));
  }
  return store;
} // prettier-ignore

function nested(values: readonly unknown[], [size = 1, ...inner]: readonly number[]): unknown {
  if (inner.length === 0) return values;
  const length = values.length / size;
  return Array.from({ length: size }, (_, i) => nested(values.slice(i * length, (i + 1) * length), inner));
}

/** The scalars of a response in order. Links are replaced by the files behind them. */
async function leavesOf(found: unknown, gateway: Gateway): Promise<unknown[]> {
  if (Array.isArray(found))
    return (await Promise.all(found.map((one: unknown) => leavesOf(one, gateway)))).flat();
  if (typeof found === 'object' && found !== null) return leavesOf(Object.values(found), gateway);
  if (typeof found !== 'string' || !found.startsWith('/files/')) return [found];
  const file = await gateway.fetch(new Request(`http://localhost${found}`), fullAccess);
  return [(await file.text()).trim().replaceAll('\r', '')];
}

describe.each([7, 1000])('chunks of %i', (chunk) => {
  let gateway: Gateway;
  beforeAll(async () => {
    const { era = {}, extra = {} } = stores;
    const own = await Promise.all(
      Object.entries(stores).map(async ([name, variables]) => ({ name, store: await storeOf(name, variables, chunk) })),
    ); // prettier-ignore
    const member = async (name: string, variables: Variables, rows?: readonly [number, number]) => ({
      name,
      store: await storeOf(name, variables, chunk, rows),
    });
    const files = [await member('late', era, [200, 420]), await member('early', era, [0, 200])];
    const merged = [await member('own', era), await member('other', extra)];
    gateway = createGateway({
      stores: [
        ...own,
        { name: 'files', store: createCombinedStore({ label: 'files', along: 'time', members: files }) },
        { name: 'merged', store: createCombinedStore({ label: 'merged', members: merged }) },
      ],
    });
  });

  test.each(tasks.map((task, i) => [`${i + 1}. ${task.name} (item ${task.item})`, task] as const))('%s', async (_, { document, values }) => {
    const { data, errors } = await execute(gateway, document);
    expect(errors).toEqual([]);
    const found = await leavesOf(data, gateway);
    expect(found).toHaveLength(values.length);
    found.forEach((value, i) => {
      const other = values[i];
      if (typeof other !== 'number') expect(value, `value ${i}`).toEqual(other);
      else expect(Math.abs(Number(value) - other), `value ${i}: ${String(value)} instead of ${other}`).toBeLessThanOrEqual(1e-11 + Math.abs(other) * 1e-9);
    });
  });
}); // prettier-ignore

test('every task is one document of at most 25 lines, and every part of the analysis has one', async () => {
  expect(tasks).toHaveLength(64);
  expect(new Set(tasks.map(({ name }) => name)).size).toBe(64);
  const items = new Set(tasks.map(({ item }) => item));
  // Speed and the command line are no part of a document.
  expect([...items].toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14]);
  for (const { name, document } of tasks) {
    const formatted = await format(document, { parser: 'graphql', printWidth: 120 });
    const lines = formatted.trim().split('\n');
    expect(lines.length, name).toBeLessThanOrEqual(maxLines);
    expect(Math.max(...lines.map(({ length }) => length)), name).toBeLessThanOrEqual(120);
  }
});
