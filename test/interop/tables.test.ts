/** Tables and NetCDF files of every data type, read by pyarrow, DuckDB, Polars, netCDF4 and xarray. */
import { expect, test } from 'vitest';
import { createMemoryStore, openHierarchy } from '../../server/zarr/index.js';
import { realGateway } from '../http/real-gateway.js';
import { examples, folderStore } from '../resolvers/gateway-client.js';
import { findPython, runScript } from './python.js';

const python = await findPython('tables');
const forms = ['NPY', 'ARROW', 'PARQUET', 'NETCDF'] as const;
const fields = forms.map((form) => `${form}: href(format: ${form})`).join(' ');

const types = {
  bool: [true, false, true, true, false, false],
  int8: [-128, 127, 0, 1, -1, 5],
  uint8: [0, 255, 1, 2, 3, 4],
  int16: [-32768, 32767, 0, 1, 2, 3],
  uint16: [0, 65535, 1, 2, 3, 4],
  int32: [-(2 ** 31), 2 ** 31 - 1, 0, 1, 2, 3],
  uint32: [0, 2 ** 32 - 1, 1, 2, 3, 4],
  int64: ['-9223372036854775807', '9223372036854775807', 0, 1, 2, 3],
  uint64: ['18446744073709551615', 0, 1, 2, 3, 9007199254740993n],
  float16: [1.5, 'NaN', -0.25, 65504, 0, 1],
  float32: [1.5, 'NaN', 'Infinity', -0.25, 3e38, 0],
  float64: [1.5, 'NaN', '-Infinity', 1e-300, 3, 0],
  '<M8[s]': ['2021-03-01T12:00:00', 'NaT', '1969-12-31T23:59:59', '2262-01-01', '1700-01-01', '2021-03-01'],
  '<M8[ms]': ['2021-03-01T12:00:00.123', 'NaT', '1969-12-31', '2262-01-01', '1700-01-01', '2021-03-01'],
  '<M8[ns]': ['2021-03-01T12:00:00.123456789', 'NaT', '1969-12-31', '2200-01-01', '1700-01-01', '2021-03-01'],
  '<m8[ms]': [0, 'NaT', 1500, -1, 86400000, 2],
} as const;

test.skipIf('missing' in python)('equal the NPY file of the same slice', async () => {
  const store = createMemoryStore({ label: 'types' });
  const hierarchy = openHierarchy(store);
  await hierarchy.createGroup('/');
  const names: string[] = [];
  for (const [dtype, values] of Object.entries(types)) {
    const name = dtype.replaceAll(/\W/g, '_');
    names.push(name);
    await hierarchy.createArray(`/${name}`, {
      shape: [2, 3],
      dtype,
      dimensionNames: ['y', 'x'],
      chunkShape: [1, 2],
    });
    const array = await hierarchy.array(`/${name}`);
    await array.select().write([values.slice(0, 3), values.slice(3)]);
  }
  const { url, query } = await realGateway(
    {},
    {
      gateway: {
        stores: [
          { name: 'types', store },
          { name: 'ocean', store: folderStore('ocean', `${examples}ocean.zarr`) },
        ],
      },
    },
  );
  const slices = names.map((name) => `${name}: array(path: "${name}") { slice { ${fields} } }`);
  const { json } = await query(`{
    types: store(name: "types") { ${slices.join(' ')} }
    ocean: store(name: "ocean") { sst: variable(path: "/sst") { slice(select: { text: "1:3" }) { ${fields} } } }
  }`);
  expect(json.errors).toBeUndefined();
  const urls: Record<string, Record<string, string>> = {};
  const all: Record<string, { slice: Record<string, string> }> = { ...json.data.types, ...json.data.ocean };
  for (const [name, { slice }] of Object.entries(all))
    urls[name] = Object.fromEntries(
      Object.entries(slice).map(([form, path]) => [form, new URL(path, url).href]),
    );
  const command = 'command' in python ? python.command : '';
  const { stdout } = await runScript(command, 'read_tables.py', [], JSON.stringify(urls));
  expect(stdout.trim().split('\n')).toHaveLength(names.length + 1);
  expect(stdout).toContain('sst NETCDF3_64BIT_OFFSET');
  expect(stdout).toContain('uint8 NETCDF3_64BIT_DATA');
});

test.skipIf('missing' in python)('tensors are those of pyarrow', async () => {
  const { url, query } = await realGateway(
    {},
    { gateway: { stores: [{ name: 'ocean', store: folderStore('ocean', `${examples}ocean.zarr`) }] } },
  );
  const { json } = await query(`{ store(name: "ocean") { variable(path: "/sst") { slice {
    ARROW: href(format: ARROW, rows: ["time"])
    NPY: href
    wrong: href(format: CSV, rows: ["time"])
  } } } }`);
  expect(json.errors).toHaveLength(1);
  expect(json.errors[0].message).toContain('only tables have rows');
  const { ARROW, NPY } = json.data.store.variable.slice;
  const urls = { ARROW: new URL(ARROW, url).href, NPY: new URL(NPY, url).href };
  const command = 'command' in python ? python.command : '';
  const { stdout } = await runScript(command, 'read_tensors.py', [], JSON.stringify(urls));
  expect(JSON.parse(stdout)).toEqual({ columns: ['time', 'sst'], dims: ['lat', 'lon'], rows: 12 });
});
