/** Reductions and coarsening compared with xarray and NumPy: `test/fixtures/analysis/make_reductions.py`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type Block,
  coarsenMethods,
  coarsenSlice,
  createMemoryStore,
  elementAt,
  type LazySlice,
  openHierarchy,
  reduceSlice,
  reductionNames,
} from '../../../server/zarr/index.js';
import { fixtures } from '../../setup/fixtures.js';

interface Values {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly base64: string;
}

interface Case extends Values {
  readonly results: readonly (Values & { readonly by: string; readonly over: readonly string[] | null })[];
  readonly coarsened: readonly (Values & { readonly method: string; readonly size: number })[];
}

const cases: readonly Case[] = JSON.parse(
  readFileSync(join(fixtures, 'analysis', 'reductions.json'), 'utf8'),
);

/** Names of data types by their code in NumPy. */
const names: Readonly<Record<string, string>> = {
  b1: 'bool', i1: 'int8', i2: 'int16', i4: 'int32', i8: 'int64', u1: 'uint8', u2: 'uint16', u4: 'uint32',
  u8: 'uint64', f2: 'float16', f4: 'float32', f8: 'float64', c16: 'complex128',
}; // prettier-ignore

/** Shape of the chunks, and of the shards. */
const layouts = [
  { chunkShape: [4, 3, 5] },
  { chunkShape: [1, 3, 5] },
  { chunkShape: [2, 1, 2] },
  { chunkShape: [1, 1, 1], shardShape: [2, 3, 4] },
];

async function sliceOf(
  { dtype, shape, base64 }: Values,
  layout: { chunkShape: number[]; shardShape?: number[] },
): Promise<LazySlice> {
  const array = await openHierarchy(createMemoryStore({ label: 'm' })).createArray('/', {
    shape,
    dtype: names[dtype] ?? `<${dtype}`,
    dimensionNames: ['x', 'y', 'z'],
    ...layout,
  });
  const slice = array.select({ kind: 'all' });
  if (!('itemSize' in slice.dtype) || slice.dtype.itemSize === null)
    throw new TypeError('expected a data type of fixed size');
  const { dtype: type } = await slice.read();
  if (type.itemSize === null) throw new TypeError('expected a data type of fixed size');
  await slice.inputs[0]?.write({ dtype: type, shape, bytes: new Uint8Array(Buffer.from(base64, 'base64')) });
  return slice;
}

function expectSame(actual: Block, expected: Values): void {
  expect(actual.shape).toEqual(expected.shape);
  expect(actual.dtype.name).toBe(
    names[expected.dtype] ?? (expected.dtype.startsWith('M') ? 'numpy.datetime64' : 'numpy.timedelta64'),
  );
  if (!('bytes' in actual)) throw new TypeError('expected a data type of fixed size');
  const bytes = new Uint8Array(Buffer.from(expected.base64, 'base64'));
  const expectedValue: Block = { ...actual, bytes };
  const size = actual.shape.reduce((product, length) => product * length, 1);
  for (let i = 0; i < size; i++)
    expectNear(elementAt(actual, i), elementAt(expectedValue, i), actual.dtype.name);
}

/** Integers, booleans and times must be equal. The relative error of floats is bounded. */
function expectNear(actual: unknown, expectedValue: unknown, name: string): void {
  if (Array.isArray(actual) && Array.isArray(expectedValue)) {
    actual.forEach((part, i) => expectNear(part, expectedValue[i], 'float64'));
    return;
  }
  if (
    typeof actual !== 'number' ||
    typeof expectedValue !== 'number' ||
    Object.is(actual, expectedValue) ||
    actual === expectedValue
  ) {
    if (actual !== expectedValue) expect(actual).toEqual(expectedValue);
    return;
  }
  const relative = name === 'float16' ? 1e-3 : name === 'float32' ? 1.2e-7 : 1e-12;
  expect(Math.abs(actual - expectedValue)).toBeLessThanOrEqual(relative * Math.abs(expectedValue));
}

describe.each(cases.map((row, i) => [`${i} (${row.dtype})`, row] as const))('array %s', (_, row) => {
  test.each(layouts)('in chunks %j', async (layout) => {
    const slice = await sliceOf(row, layout);
    for (const { by: name, over, ...expected } of row.results) {
      const by = reductionNames.find((known) => known === name);
      if (by === undefined) throw new TypeError(`unknown reduction ${name}`);
      const request = {
        by,
        over: over ?? undefined,
        ...(by === 'QUANTILE' ? { q: [0, 0.1, 0.5, 0.99, 1] } : {}),
        ...(by === 'STD' || by === 'VAR' ? { ddof: 1 } : {}),
      };
      expectSame(await reduceSlice(slice, request).read(), expected);
    }
    for (const { method: name, size, ...expected } of row.coarsened) {
      const method = coarsenMethods.find((known) => known === name);
      const to = ['x', 'z'].map((dim) => ({ dim, size }));
      expectSame(await coarsenSlice(slice, { to, method }).read(), expected);
    }
  });
});
