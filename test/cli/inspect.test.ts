import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buildSchema, isObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { typeDefs } from '../../server/index.js';
import { createFileServer } from './file-server.js';
import { zarrql } from './running.js';
import { fixtures } from '../setup/fixtures.js';
import { folderOfTest } from '../setup/temporary-folder.js';

const coads = 'examples/data/coads.zarr';
// Paths in messages are relative to the working folder.
const real = relative(process.cwd(), `${fixtures}real`);
const nczarr = `${real}/nczarr.zarr`;

test('prints the hierarchy with data types, dimensions, chunks, codecs, fill values and sizes', async () => {
  const { code, stdout, stderr } = await zarrql(['inspect', coads]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(11);
  expect(lines[0]).toBe(`${coads}  group, Zarr v3, consolidated`);
  expect(lines[1]).toBe(
    '├── AIRT  float32 [TIME 12, COADSY 90, COADSX 180]  chunks [4, 45, 90]  ' +
      'bytes zstd  fill NaN  759.4 KiB  "AIR TEMPERATURE", "DEG C"',
  );
  expect(lines.at(-1)).toMatch(/^└── WSPD {2}float32/);
});

test('prints nested groups, shards and dimension names of other conventions', async () => {
  const { stdout } = await zarrql(['inspect', nczarr]);
  expect(stdout).toContain('├── flux/\n│   ├── FSR  float32 [time 12, y 46, x 72]');
  expect(stdout).toContain('numcodecs.shuffle numcodecs.zlib');
  expect(stdout).toMatch(/\n│ {3}└── scalar {2}int32 .*\n├── time {2}/);
  const { stdout: sharded } = await zarrql(['inspect', 'examples/data/etopo20_sharded.zarr']);
  expect(sharded).toContain('relief  int16 [lat 540, lon 1080]  shards [180, 360] of chunks [60, 60]  ');
});

test('--depth limits the levels below', async () => {
  const { stdout } = await zarrql(['inspect', nczarr, '--depth', '1']);
  expect(stdout).toContain('├── flux/\n├── time');
  const { stdout: top } = await zarrql(['inspect', nczarr, '--depth', '0']);
  expect(top).toBe(`${nczarr}  group, Zarr v2\n`);
});

test('stale consolidated metadata: --refresh bypasses it, and a deleted node has a warning and no values', async () => {
  const root = folderOfTest('stale');
  try {
    cpSync(coads, root, { recursive: true });
    rmSync(join(root, 'AIRT'), { recursive: true });
    const { stdout: listed } = await zarrql(['inspect', root]);
    expect(listed).toContain('├── AIRT ');
    const { code, stdout } = await zarrql(['inspect', root, '--refresh']);
    expect(code).toBe(0);
    expect(stdout).not.toContain('AIRT');
    expect(stdout).toContain('├── SST  float32 [TIME 12');
    const { stdout: deleted } = await zarrql(['inspect', join(root, 'AIRT')]);
    expect(deleted).toMatch(/warning +the array has no metadata document/);
    const get = ['get', join(root, 'AIRT'), '--select', '0, 0, :2'];
    const { stderr } = await zarrql(get);
    expect(stderr).toMatch(/no metadata document.*trustConsolidated/);
    expect((await zarrql([...get, '--trust-consolidated'])).stdout).toBe('["NaN","NaN"]\n');
  } finally {
    rmSync(root, { recursive: true });
  }
});

test('prints the chunk grid and attributes of a single array, and with --sizes its stored size', async () => {
  const { code, stdout } = await zarrql(['inspect', `${coads}/SST`, '--sizes']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^examples\/data\/coads\.zarr\/SST {2}array, Zarr v3\n/);
  expect(stdout).toContain('shape   [TIME 12, COADSY 90, COADSX 180], 194400 values, 759.4 KiB');
  expect(stdout).toContain('chunks  [4, 45, 90], grid 3 x 2 x 2');
  expect(stdout).toContain('stored  365.4 KiB in 13 objects, compression ratio 2.08');
  expect(stdout).toContain('units: "Deg C"');
  expect(stdout).toContain('codecs  bytes(endian=little) zstd(level=9, checksum=false)');
  const { stdout: tree } = await zarrql(['inspect', coads, '--sizes']);
  expect(tree).toMatch(/COADSY .* 720 B  stored 879 B in 2 objects, compression ratio 0\.819/);
});

test('--json has the names of the GraphQL schema', async () => {
  const { stdout } = await zarrql(['inspect', coads, '--json', '--sizes']);
  const { store, nodes } = JSON.parse(stdout);
  expect(store).toBe(coads);
  expect(nodes.map(({ path }: { path: string }) => path)).toEqual(
    ['/', '/AIRT', '/COADSX', '/COADSY', '/SLP', '/SPEH', '/SST', '/TIME', '/UWND', '/VWND', '/WSPD'],
  ); // prettier-ignore
  expect(nodes[6]).toMatchObject({
    kind: 'array',
    zarrFormat: 3,
    shape: [12, 90, 180],
    nbytes: 777_600,
    dtype: { name: 'float32', numpy: '<f4', itemSize: 4 },
    fillValue: 'NaN',
    order: 'C',
    chunkShape: [4, 45, 90],
    shardShape: null,
    codecs: [{ name: 'bytes', configuration: { endian: 'little' } }, { name: 'zstd' }],
    attributes: { units: 'Deg C' },
    storage: { objects: 13, storedChunks: 12 },
  });
  expect(nodes[6].dimensions[1]).toEqual({ name: 'COADSY', size: 90, chunkSize: 45, chunkCount: 2 });
  const type = buildSchema(typeDefs).getType('ZarrArray');
  const fields = isObjectType(type) ? Object.keys(type.getFields()) : [];
  expect(Object.keys(nodes[6]).filter((name) => !fields.includes(name))).toEqual([]);
  const { stdout: single } = await zarrql(['inspect', `${coads}/SST`, '--json']);
  expect(JSON.parse(single).nodes).toHaveLength(1);
});

describe('addresses', () => {
  test.each([
    ['a zip archive', `${coads}.zip/SST`, `${coads}.zip/SST`],
    ['a file: URL', new URL(`../../${coads}/SST/`, import.meta.url).href, `${coads}/SST`],
  ])('%s', async (_, address, label) => {
    const { code, stdout } = await zarrql(['inspect', address]);
    expect({ code, first: stdout.split('\n')[0] }).toEqual({ code: 0, first: `${label}  array, Zarr v3` });
  });

  test('finds the root of an HTTP store, and names the nearest nodes for a misspelt path', async () => {
    await using server = await createFileServer(join(process.cwd(), 'examples/data'));
    const { stdout } = await zarrql(['inspect', `${server.url}/coads.zarr/SST`]);
    expect(stdout).toContain(`${server.url}/coads.zarr/SST  array, Zarr v3\n`);
    expect((await zarrql(['inspect', `${server.url}/coads.zarr`])).stdout.split('\n')).toHaveLength(12);
    const { code, stderr } = await zarrql(['inspect', `${server.url}/coads.zarr/SSX`]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `zarrql: no Zarr node at this address; the nearest are "/SST", "/SLP", "/SPEH", "/WSPD", "/AIRT" (store "${server.url}/coads.zarr", path "/SSX")\n`,
    });
  });
});

test('lists OME-Zarr over HTTP without consolidated metadata by the names in attributes', async () => {
  const folder = folderOfTest('inspect');
  const write = (path: string, json: object): void => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), JSON.stringify(json));
  };
  const multiscales = [{ version: '0.4', axes: [{ name: 'x', type: 'space' }], datasets: [{ path: '0' }] }];
  write('.zgroup', { zarr_format: 2 });
  write('.zattrs', { multiscales });
  const array = { zarr_format: 2, shape: [4], chunks: [2], dtype: '|i1', fill_value: 7, order: 'C' };
  write('0/.zarray', { ...array, compressor: null, filters: null });
  write('labels/.zgroup', { zarr_format: 2 });
  write('labels/.zattrs', { labels: ['cells'] });
  write('labels/cells/.zgroup', { zarr_format: 2 });
  await using server = await createFileServer(folder);
  const { code, stdout, stderr } = await zarrql(['inspect', server.url]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/├── 0 {2}int8 \[4\].*\n└── labels\/\n {4}└── cells\//);
});

test('a node with invalid metadata does not hide the others', async () => {
  const folder = join(folderOfTest('inspect'), 'a.zarr');
  cpSync(nczarr, folder, { recursive: true });
  writeFileSync(join(folder, 'x/.zarray'), '{"zarr_format": 2, "shape": [-1]}');
  const { code, stdout } = await zarrql(['inspect', folder]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/├── x {2}! .*\n└── y {2}float64/);
  const { nodes } = JSON.parse((await zarrql(['inspect', folder, '--json'])).stdout);
  expect(nodes.at(-2)).toMatchObject({ path: '/x', kind: 'array', error: { code: 'INVALID_METADATA' } });
});

// Names and attributes are untrusted, and terminals interpret escape sequences.
test('store content cannot control the terminal', async () => {
  const folder = join(folderOfTest('inspect'), 'a.zarr');
  cpSync(`${coads}/TIME`, folder, { recursive: true });
  const text = JSON.stringify({
    zarr_format: 3,
    node_type: 'array',
    shape: [1],
    data_type: 'int8',
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [1] } },
    chunk_key_encoding: { name: 'default' },
    fill_value: 0,
    codecs: ['bytes'],
    dimension_names: ['\u001b[31mred'],
    attributes: { '\u202e\u009b': '\u0007\u2028' },
  });
  writeFileSync(join(folder, 'zarr.json'), text);
  const { code, stdout } = await zarrql(['inspect', folder]);
  expect(code).toBe(0);
  expect(stdout).toContain('\\u{1b}[31mred');
  const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
  expect(stdout.replaceAll('\n', '')).not.toMatch(invisible);
  const json = (await zarrql(['inspect', folder, '--json'])).stdout;
  expect(json.replaceAll('\n', '')).not.toMatch(invisible);
  expect(JSON.parse(json).nodes[0].attributes).toEqual({ '\u202e\u009b': '\u0007\u2028' });
});

describe('errors', () => {
  test.each<[string, string[], number, RegExp]>([
    ['a misspelt name', [`${coads}/sst`], 1, /the nearest are "\/SST"/],
    ['a folder of stores', ['examples/data'], 1, /no Zarr node at examples\/data; the nodes below it are "coads.zarr", /],
    ['no such folder', ['examples/nothing'], 1, /no such folder or file: examples\/nothing/],
    ['no Zarr at all', ['server/cli'], 1, /no Zarr node at server\/cli or in a folder above it; a node is a folder/],
    ['no such archive', ['/nowhere/x.zip/SST'], 1, /no such folder or file: \/nowhere\/x\.zip\/SST/],
    ['an unknown scheme', ['gopher://x/y'], 2, /unsupported URL scheme/],
    ['a store in memory, which is empty', ['memory:'], 1, /no Zarr node at memory:/],
    ['no address', [], 2, /missing required argument 'ADDRESS'/],
    ['two addresses', [coads, coads], 2, /too many arguments/],
    ['an invalid depth', [coads, '--depth', '-1'], 2, /--depth.*number of levels/],
    ['a misspelt option', [coads, '--size'], 2, /Did you mean --sizes\?/],
  ])('%s', async (_, args, expected, message) => {
    const { code, stdout, stderr } = await zarrql(['inspect', ...args]);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
  });
}); // prettier-ignore

test('--help explains addresses', async () => {
  const { code, stdout } = await zarrql(['inspect', '--help']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/ADDRESS is the address of a store/);
});
