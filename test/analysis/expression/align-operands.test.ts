/** Results as operands of expressions, compared with xarray: `test/fixtures/analysis/make_results.py`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createGateway, type Gateway } from '../../../server/index.js';
import { createMemoryStore, openHierarchy, type KeyStore } from '../../../server/zarr/index.js';
import { execute } from '../../resolvers/gateway-client.js';
import { fixtures } from '../../setup/fixtures.js';

interface Stored {
  readonly dims: readonly string[];
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly values: readonly unknown[];
}

interface Case {
  readonly request: {
    readonly compute?: { readonly expression: string };
    readonly steps: readonly unknown[];
  };
  readonly dims: readonly string[];
  readonly labels: Readonly<Record<string, readonly unknown[]>>;
  readonly values: readonly (number | null)[];
}

const { a, b, cases }: { a: Readonly<Record<string, Stored>>; b: Readonly<Record<string, Stored>>; cases: readonly Case[] } = JSON.parse(
  readFileSync(join(fixtures, 'analysis', 'results.json'), 'utf8'),
); // prettier-ignore

function nested(values: readonly unknown[], [size = 1, ...inner]: readonly number[]): unknown {
  if (inner.length === 0) return values;
  const length = values.length / size;
  return Array.from({ length: size }, (_, i) => nested(values.slice(i * length, (i + 1) * length), inner));
}

async function storeOf(
  name: string,
  variables: Readonly<Record<string, Stored>>,
  chunk: number,
): Promise<KeyStore> {
  const store = createMemoryStore({ label: name });
  const hierarchy = openHierarchy(store);
  await hierarchy.createGroup('/');
  for (const [path, { dims, shape, dtype, attributes, values }] of Object.entries(variables)) {
    const array = await hierarchy.createArray(`/${path}`, {
      shape: [...shape],
      dtype,
      chunkShape: shape.map((size) => Math.min(size, chunk)),
      dimensionNames: [...dims],
      attributes,
    });
    await array.select({ kind: 'all' }).write(
      nested(
        values.map((value) => value ?? NaN),
        shape,
      ),
    );
  }
  return store;
}

const query = `query ($requests: [SliceRequest!]!) {
  slices(requests: $requests) {
    dimensions { name } shape values(nonFinite: NULL)
    coordinates { name dimensions values }
    estimate { allowed }
  }
}`;

interface Found {
  readonly dimensions: readonly { readonly name: string }[];
  readonly shape: readonly number[];
  readonly values: unknown;
  readonly coordinates: readonly { readonly name: string; readonly dimensions: readonly string[]; readonly values: readonly unknown[] }[];
} // prettier-ignore

function expectClose(values: unknown, wanted: readonly (number | null)[]): void {
  const found = Array.isArray(values) ? values.flat(Infinity) : [values];
  expect(found).toHaveLength(wanted.length);
  found.forEach((value: unknown, i) => {
    const other = wanted[i] ?? null;
    if (other === null) expect(value, `element ${i}`).toBeNull();
    else expect(Math.abs(Number(value) - other), `element ${i}: ${String(value)} instead of ${other}`).toBeLessThanOrEqual(1e-11 + Math.abs(other) * 1e-9); // prettier-ignore
  });
}

describe.each([3, 100])('chunks of %i', (chunk) => {
  let gateway: Gateway;
  beforeAll(async () => {
    const stores = [
      { name: 'a', store: await storeOf('a', a, chunk) },
      { name: 'b', store: await storeOf('b', b, chunk) },
    ];
    gateway = createGateway({ stores });
  });

  async function slice(request: object): Promise<Found> {
    const { data, errors } = await execute(gateway, query, { requests: [request] });
    expect(errors).toEqual([]);
    return (data as { slices: Found[] }).slices[0] as Found;
  }

  test.each(cases.map((one, i) => [`${i}: ${one.request.compute?.expression ?? JSON.stringify(one.request.steps)}`, one] as const))('%s', async (_, one) => {
    const found = await slice(one.request);
    expect(found.dimensions.map(({ name }) => name)).toEqual(one.dims);
    for (const [name, labels] of Object.entries(one.labels)) {
      const own = found.coordinates.find((coordinate) => coordinate.name === name);
      expect(own?.values, name).toEqual(labels);
    }
    expectClose(found.values, one.values);
  }); // prettier-ignore

  test.each(cases.map((one, i) => [`${i}: ${one.request.compute?.expression ?? JSON.stringify(one.request.steps)}`, one] as const))('a part and a reduction of %s', async (_, one) => {
    const { dims, shape, wanted } = { dims: one.dims, shape: one.dims.map((name) => one.labels[name]?.length ?? 1), wanted: one.values }; // prettier-ignore
    if (dims.length === 0) return;
    const steps = [{ select: { named: [{ dim: dims[0], by: { slice: { start: 1, step: 2 } } }] } }];
    const part = await slice({ ...one.request, steps: [...one.request.steps, ...steps] });
    const inner = wanted.length / (shape[0] ?? 1);
    const rows = wanted.filter((__, i) => Math.floor(i / inner) % 2 === 1);
    expectClose(part.values, rows);
    const most = await slice({ ...one.request, steps: [...one.request.steps, { reduce: { by: 'MAX' } }] });
    const present = wanted.filter((value) => value !== null);
    expectClose(most.values, [present.length === 0 ? null : Math.max(...present)]);
  }); // prettier-ignore
});
