/** Tables of random variables, read by Arrow's and Parquet's own readers. */
import { tableFromIPC, Vector } from 'apache-arrow';
import fc from 'fast-check';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { describe, expect, test } from 'vitest';
import { arrowFile } from '../../server/transport/tables/arrow.js';
import type { LabelledSet, LabelledVariable } from '../../server/transport/labelled-set.js';
import { netcdfFile } from '../../server/transport/netcdf/netcdf.js';
import { parquetFile } from '../../server/transport/tables/parquet.js';
import { blockSlice, sizeOf } from '../../server/zarr/index.js';
import { bytesOf, type Cell, randomSets, readOf } from './sets/random-sets.js';

/** A value in one form, regardless of the type in which a reader returns it. */
function plain(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (value instanceof Date) return BigInt(value.getTime());
  if (typeof value === 'bigint' || typeof value === 'boolean' || typeof value === 'string') return value;
  return Object.is(value, -0) ? 0 : value;
}

/** Arrow's reader returns times as milliseconds, rounded. */
function roughly(cell: Cell, shown: unknown): boolean {
  if (typeof cell === 'bigint' && typeof shown === 'number') return true;
  return Object.is(plain(cell), plain(shown)) || String(cell) === String(shown);
}

test('Arrow: rows, labels and missing values', async () => {
  await fc.assert(
    fc.asyncProperty(randomSets, async ({ set, columns }) => {
      const table = tableFromIPC(await bytesOf(arrowFile.open(set, {}).pieces(readOf)));
      expect(table.schema.fields.map(({ name }) => name)).toEqual([...columns.keys()]);
      expect(table.schema.metadata.get('title')).toBe('random');
      expect(table.schema.metadata.get('list')).toBe('[1,"x"]');
      for (const [name, cells] of columns) {
        const column = table.getChild(name);
        expect(column?.length).toBe(cells.length);
        for (const [row, cell] of cells.entries()) {
          const shown: unknown = column?.get(row);
          expect(shown === null || shown === undefined, `${name} ${row}`).toBe(cell === null);
          expect(roughly(cell, shown), `${name} ${row}: ${String(cell)} ${String(shown)}`).toBe(true);
        }
      }
    }),
    { numRuns: 150 },
  );
});

test('Arrow: tensors over the last dimensions', async () => {
  await fc.assert(
    fc.asyncProperty(randomSets, fc.nat({ max: 2 }), async ({ set, columns }, dropped) => {
      const all = set.variables[0]?.dimensions ?? [];
      const rows = all.slice(0, Math.max(0, all.length - dropped));
      const open = () => arrowFile.open(set, { rows });
      const isText =
        rows.length < all.length && set.variables.some(({ slice }) => slice.dtype.name === 'string');
      if (isText) {
        expect(open).toThrow('has texts');
        return;
      }
      const table = tableFromIPC(await bytesOf(open().pieces(readOf)));
      const shape = (set.variables[0]?.slice.shape ?? []).slice(rows.length);
      const perRow = sizeOf(shape);
      for (const name of ['a', 'b']) {
        const cells = columns.get(name) ?? [];
        const column = table.getChild(name);
        expect(column?.length).toBe(cells.length / perRow);
        const metadata = table.schema.fields.find((field) => field.name === name)?.metadata;
        const extension = metadata?.get('ARROW:extension:metadata');
        if (rows.length === all.length) {
          expect(extension).toBeUndefined();
          continue;
        }
        expect(metadata?.get('ARROW:extension:name')).toBe('arrow.fixed_shape_tensor');
        expect(JSON.parse(extension ?? '')).toEqual({ shape, dim_names: all.slice(rows.length) });
        for (const [i, cell] of cells.entries()) {
          const tensor: unknown = column?.get(Math.floor(i / perRow));
          const shown: unknown = tensor instanceof Vector ? tensor.get(i % perRow) : undefined;
          const isNan = typeof shown === 'number' && Number.isNaN(shown);
          if (cell === null) expect(shown === null || isNan).toBe(true);
          else expect(roughly(cell, shown), `${name} ${i}: ${String(cell)} ${String(shown)}`).toBe(true);
        }
      }
      // Coordinates along dimensions of the tensors are no columns.
      expect(table.getChild('d0') !== null).toBe(rows.length > 0);
    }),
    { numRuns: 150 },
  );
});

test('Parquet: rows, labels and missing values', async () => {
  await fc.assert(
    fc.asyncProperty(randomSets, async ({ set, columns }) => {
      const bytes = await bytesOf(parquetFile.open(set, {}).pieces(readOf));
      const file = new Uint8Array(bytes).buffer;
      const rows = await parquetReadObjects({ file });
      expect(rows).toHaveLength(columns.get('a')?.length ?? 0);
      const metadata = new Map(
        parquetMetadata(file).key_value_metadata?.map(({ key, value }) => [key, value]),
      );
      expect(metadata.get('a.units')).toBe('K');
      for (const [name, cells] of columns)
        for (const [row, cell] of cells.entries()) {
          const shown = plain(rows[row]?.[name]);
          expect(shown === null, `${name} ${row}`).toBe(cell === null);
          const isTime = rows[row]?.[name] instanceof Date;
          if (!isTime) expect(String(shown), `${name} ${row}`).toBe(String(plain(cell)));
        }
    }),
    { numRuns: 150 },
  );
});

describe('what is no table', () => {
  const variable = (name: string, dimensions: readonly string[], shape: readonly number[]) => ({
    name,
    dimensions,
    attributes: {},
    slice: blockSlice({ dtype: { name: 'int8', itemSize: 1 }, shape, bytes: new Uint8Array(shape.reduce((a, b) => a * b, 1)) }, {}), // prettier-ignore
  });

  test('variables of different dimensions', () => {
    const variables = [variable('a', ['x', 'y'], [1, 2]), variable('b', ['y', 'x'], [2, 1])];
    expect(() => arrowFile.open({ variables, coordinates: [], attributes: {} }, {})).toThrow(
      /"a" has \(x, y\), but "b" \(y, x\)/,
    );
  });

  test('rows that the variables or the form lack', () => {
    const variable = blockSlice({ dtype: { name: 'float64', itemSize: 8 }, shape: [2, 300_000], bytes: new Uint8Array(4_800_000) }, {}); // prettier-ignore
    const set = (name: string, more: LabelledVariable[] = []): LabelledSet => ({
      variables: [{ name, dimensions: ['t', 'x'], attributes: {}, slice: variable }, ...more],
      coordinates: [],
      attributes: {},
    });
    expect(() => arrowFile.open(set('a'), { rows: ['x'] })).toThrow('"a" has (t, x)');
    expect(() => arrowFile.open(set('a'), { rows: ['t', 'x', 'y'] })).toThrow('"a" has (t, x)');
    const many = Array.from({ length: 8 }, (_, i) => ({ name: `b${i}`, dimensions: ['t', 'x'], attributes: {}, slice: variable })); // prettier-ignore
    expect(() => arrowFile.open(set('a', many), { rows: ['t'] })).toThrow('a row has 21600000 bytes');
    expect(() => parquetFile.open(set('a'), { rows: ['t'] })).toThrow('Parquet has no tensors');
    expect(() => netcdfFile.open(set('a'), { rows: ['t'] })).toThrow('only tables have rows');
  });

  test('types without a column', () => {
    const struct = blockSlice({ dtype: { name: 'struct', itemSize: 0, fields: [] }, shape: [1], bytes: new Uint8Array(0) }, {}); // prettier-ignore
    const variables = [{ name: 's', dimensions: ['x'], attributes: {}, slice: struct }];
    for (const form of [arrowFile, parquetFile])
      expect(() => form.open({ variables, coordinates: [], attributes: {} }, {})).toThrow(
        /"s" has values of type struct/,
      );
  });

  test('a single value is one row; no elements are none', async () => {
    for (const [shape, rows] of [
      [[], 1],
      [[0], 0],
      [[2, 0], 0],
    ] as const) {
      const set = { variables: [variable('a', shape.map((_, d) => `d${d}`), shape)], coordinates: [], attributes: {} }; // prettier-ignore
      const table = tableFromIPC(await bytesOf(arrowFile.open(set, {}).pieces(readOf)));
      expect([table.numRows, table.schema.fields.at(-1)?.name]).toEqual([rows, 'a']);
      const bytes = await bytesOf(parquetFile.open(set, {}).pieces(readOf));
      expect(await parquetReadObjects({ file: new Uint8Array(bytes).buffer })).toHaveLength(rows); // prettier-ignore
    }
  });
});
