/** The Python package in python/: its types, its wheel, its examples and its errors, against a real gateway. */
import { execFile } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { serveStores } from '../cli/running.js';
import { codeBlocks, readText } from '../docs/format-samples.js';
import { findPython } from './python.js';
import { folderOfTest } from '../setup/temporary-folder.js';

const python = await findPython('package');
const command = 'command' in python ? python.command : '';
const root = join(import.meta.dirname, '../..');

async function run(folder: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, PYTHONPATH: join(root, 'python/src'), PYTHONDONTWRITEBYTECODE: '1', MYPY_CACHE_DIR: join(folder, 'mypy') }; // prettier-ignore
  const { stdout } = await promisify(execFile)(command, args, { cwd: folder, env });
  return stdout;
}

/** Runs a program, whose comments after prints state what they print. @returns these comments */
async function commented(name: string, code: string): Promise<readonly string[]> {
  const folder = folderOfTest(name);
  const expected = [...code.matchAll(/^print\(.*\) {2}# (.*)$/gm)].map(([, comment = '']) => comment);
  writeFileSync(join(folder, 'program.py'), code);
  const lines = (await run(folder, ['program.py'])).trim().split('\n');
  for (const line of expected) expect(lines).toContain(line);
  return expected;
}

const serveOcean = () => serveStores(['--store', 'ocean=examples/data/ocean.zarr']);
const withAddress = (code: string, address: string): string =>
  code.replace('http://127.0.0.1:4000', address.replace('/graphql', ''));

test.skipIf(command === '')('the types are complete', async () => {
  expect(await run(root, ['-m', 'mypy', '--strict', 'python/src/zarrql'])).toContain('no issues found');
});

test.skipIf(command === '')(
  'the wheel has the version of the project, the types, and nothing else',
  async () => {
    const folder = folderOfTest('wheel');
    cpSync(join(root, 'python'), join(folder, 'python'), { recursive: true });
    await run(folder, ['-m', 'build', '--wheel', '--no-isolation', 'python']);
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const list = await run(folder, ['-m', 'zipfile', '-l', `python/dist/zarrql-${version}-py3-none-any.whl`]);
    const names = [...list.matchAll(/^(zarrql\/\S+)/gm)].map(([, name = '']) => name);
    expect(names.toSorted()).toEqual(
      ['__init__.py', '_cbor.py', '_client.py', '_labelled.py', '_zarr.py', 'py.typed'].map(
        (name) => `zarrql/${name}`,
      ),
    );
  },
);

test.skipIf(command === '')('the read-me file', async () => {
  const { address } = await serveOcean();
  const [block] = codeBlocks(readText('python/README.md')).filter(({ info }) => info === 'python');
  const code = `${withAddress(block?.code ?? '', address)}\nprint(march.shape, mean.dims)  # (12, 180) ('lat', 'lon')\n`;
  expect(await commented('readme', code.replace('time: { at: "2021-03" }, ', ''))).toHaveLength(1);
});

test.skipIf(command === '')('the notebook', async () => {
  const { address } = await serveOcean();
  const notebook: { cells: { cell_type: string; source: string[] }[] } = JSON.parse(readText('python/examples/ocean.ipynb')); // prettier-ignore
  const cells = notebook.cells.filter(({ cell_type }) => cell_type === 'code');
  const code = cells.map(({ source }) => source.join('')).join('\n');
  expect(await commented('notebook', withAddress(code, address))).toHaveLength(4);
});

test.skipIf(command === '')('datasets, dates, errors and links', async () => {
  const { address } = await serveOcean();
  const code = `
import numpy as np, xarray as xr, zarrql
client = zarrql.Client(${JSON.stringify(address)})
stored = xr.open_zarr(${JSON.stringify(join(root, 'examples/data/ocean.zarr'))})
xr.testing.assert_identical(client.open_dataset("ocean").load(), stored.load())
fields = "values dtype { numpy } dimensions { name } coordinates { name dimensions values dtype { numpy } }"
whole = client.query('{ store(name: "ocean") { variable(path: "/sst") { slice(select: {text: "1:3, :5, 7"}) { ' + fields + ' } } } }')
array = zarrql.data_array(whole["store"]["variable"]["slice"], "sst")
expected = stored.sst.isel(time=slice(1, 3), lat=slice(5), lon=7)
np.testing.assert_array_equal(array.values, expected.values)
assert (array.time.values == expected.time.values).all() and float(array.lon) == float(expected.lon)
try:
    client.query('{ store(name: "ocean") { name missing: array(path: "none") { shape } } }')
except zarrql.QueryError as error:
    print(error.code, error.errors[0].path, error.data["store"]["name"])
try:
    client.query("{ nothing }")
except zarrql.QueryError as error:
    print(error.code, error.data)
try:
    zarrql.data_array({"values": np.zeros(2)})
except ValueError as error:
    print(error)
try:
    client.read("/files/forged/x.npy")
except zarrql.QueryError as error:
    print(error.code)
`;
  const folder = folderOfTest('errors');
  writeFileSync(join(folder, 'program.py'), code);
  expect((await run(folder, ['program.py'])).trim().split('\n')).toEqual([
    "NOT_FOUND ('store', 'missing') ocean",
    'BAD_INPUT None',
    'the slice lacks dimensions; add the fields to the document',
    'FORBIDDEN',
  ]);
});
