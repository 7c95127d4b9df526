/**
 * Recreates every array of the matrix in memory by mutations: created from the metadata returned by the
 * gateway, written with the returned values (as JSON, and as bytes if the type supports them), and read
 * back.
 */
import { afterAll, describe, expect, test } from 'vitest';
import { createGateway, fullAccess } from '../../server/index.js';
import { createMemoryStore, printJson, type JsonValue } from '../../server/zarr/index.js';
import { openFixture } from '../conformance/cases.js';
import { matrixArrays, matrixFolder } from '../conformance/matrix.js';

const paths = [...new Set(matrixArrays.map((c) => c.path))];
const gateway = createGateway({
  stores: [
    ...(await Promise.all(
      paths.map(async (path) => ({ name: path, store: await openFixture(`${matrixFolder}/${path}`) })),
    )),
    // Groups contain only nodes of the same format.
    ...[1, 2, 3].map((format) => {
      const name = `copy${format}`;
      return { name, store: createMemoryStore({ label: name }), writable: true };
    }),
  ],
});
afterAll(() => gateway.close());

const fields = 'zarrFormat shape metadata dtype { itemSize } slice { values }';
const original = `query ($store: String!, $path: String!) { store(name: $store) { array(path: $path) { ${fields} } } }`;
const create = `mutation ($input: CreateArrayInput!) { createArray(input: $input) { array { shape } } }`;
const write = `mutation ($input: WriteSliceInput!) { writeSlice(input: $input) { array { slice { values } } } }`;
const bytesOf = `query ($store: String!, $path: String!) {
  store(name: $store) { array(path: $path) { slice { base64 { dtype shape data compression } } } }
}`;

// eslint-disable-next-line typescript/no-explicit-any
type Documents = Record<string, any>;

/** Sends a request whose body is written by `printJson`, because JSON.stringify writes -0 as 0. */
async function execute(query: string, variables: unknown) {
  const headers = { 'content-type': 'application/json' };
  const body = printJson({ query, variables: withoutUndefined(variables) });
  const response = await gateway.fetch(
    new Request('http://localhost/graphql', { method: 'POST', headers, body }),
    fullAccess,
  );
  const { data, errors = [] } = JSON.parse(await response.text());
  if (errors.length > 0) throw new Error(errors[0].message);
  return data;
}

function withoutUndefined(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (typeof value !== 'object' || value === null) return value as JsonValue;
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries.map(([key, one]) => [key, withoutUndefined(one)]));
}

/** The input that creates an array equal to the one with these documents. */
function inputOf(zarrFormat: number, documents: Documents): Documents {
  if (zarrFormat === 3) {
    const { data_type, chunk_grid, fill_value, codecs, dimension_names, chunk_key_encoding } =
      documents['zarr.json'];
    return {
      dtype: data_type,
      chunkShape: chunk_grid.configuration.chunk_shape,
      fillValue: fill_value,
      codecs,
      dimensionNames: dimension_names,
      separator: separatorOf(chunk_key_encoding.configuration?.separator),
    };
  }
  const document = documents['.zarray'] ?? documents['meta'];
  const { dtype, chunks, fill_value, order, dimension_separator, compressor, filters } = document;
  // Some fixtures state the number 0 where the fill value is "", {} or false.
  const isOldFill = typeof fill_value === 'number' && !/^.[iufcmM]/.test(dtype);
  return {
    dtype,
    chunkShape: chunks,
    fillValue: isOldFill ? null : fill_value,
    order,
    codecs: zarrFormat === 1 ? { compressor: v1Compressor(document) } : { compressor, filters },
    separator: separatorOf(dimension_separator),
  };
}

function separatorOf(separator: string | undefined): string | undefined {
  return separator === undefined ? undefined : separator === '/' ? 'SLASH' : 'DOT';
}

function v1Compressor({ compression: id, compression_opts: options }: Documents): unknown {
  if (id === null || id === 'none') return null;
  return typeof options === 'object' && options !== null ? { id, ...options } : { id, level: options };
}

describe.each([...matrixArrays.entries()].map(([i, c]) => [c.id, c, i] as const))('%s', (_, c, i) => {
  test('is created, written and read back', async () => {
    const from = { store: c.path, path: `/${c.node}` };
    const { zarrFormat, shape, metadata, dtype, slice } = (await execute(original, from)).store.array;
    const to = { store: `copy${zarrFormat}`, path: `/${i}` };
    const made = await execute(create, {
      input: { ...inputOf(zarrFormat, metadata), ...to, shape, zarrFormat },
    });
    expect(made.createArray.array).toEqual({ shape });

    // JSON cannot represent bytes that are not text.
    if (!JSON.stringify(slice).includes('\ufffd')) {
      const asJson = await execute(write, { input: { ...to, values: slice.values } });
      expect(asJson.writeSlice.array.slice).toEqual(slice);
    }
    if (dtype.itemSize === null) return;

    const { base64 } = (await execute(bytesOf, from)).store.array.slice;
    const asBytes = await execute(write, { input: { ...to, values: base64 } });
    expect(asBytes.writeSlice.array.slice).toEqual(slice);
    expect((await execute(bytesOf, to)).store.array.slice.base64).toEqual(base64);
  });
});
