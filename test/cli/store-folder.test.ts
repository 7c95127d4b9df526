/** Stores that appear and disappear below a folder while they are served. */
import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStores } from '../../server/cli/open-stores.js';
import { parseConfig } from '../../server/config.js';
import { createMetrics } from '../../server/http/metrics.js';
import { createGateway, fullAccess } from '../../server/index.js';
import { fixtures } from '../setup/fixtures.js';
import { folderOfTest } from '../setup/temporary-folder.js';
import { serveStores, zarrql } from './running.js';

const coads = 'examples/data/coads.zarr';
const winds = 'examples/data/navy_winds_v2.zarr';

async function gatewayOver(url: string, discover: object = {}) {
  const log: unknown[] = [];
  const write = (fields: object): void => void log.push(fields);
  const config = parseConfig({ stores: [{ name: 'f', url, discover }] });
  const metrics = createMetrics();
  const opened = await openStores(config, metrics, { info: write, warn: write, error: write }, {});
  const gateway = createGateway({ stores: opened.stores });
  onTestFinished(() => gateway.close());
  const names = async () => {
    const result = await gateway.execute({ document: '{ stores { nodes { name } } }' }, fullAccess);
    return JSON.parse(JSON.stringify(result.data)).stores.nodes.map(({ name }: { name: string }) => name);
  };
  const read = async (name: string, array: string) => {
    const document = `{ store(name: ${JSON.stringify(name)}) { array(path: ${JSON.stringify(array)}) { shape } } }`;
    return JSON.parse(JSON.stringify(await gateway.execute({ document }, fullAccess)));
  };
  const search = async () => {
    for (const folder of opened.folders) await folder.search(gateway);
  };
  return { gateway, opened, metrics, log, names, read, search };
}

function copy(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
}

test('new and removed stores appear and disappear', async () => {
  const root = folderOfTest('following');
  copy(coads, join(root, 'ocean/sst.zarr'));
  const { names, read, search, opened, metrics } = await gatewayOver(root);
  expect(await names()).toEqual(['f/ocean/sst.zarr']);
  expect(await read('f/ocean/sst.zarr', 'SST')).toHaveProperty('data.store.array.shape', [12, 90, 180]);
  copy(winds, join(root, 'winds.zarr'));
  await search();
  expect(await names()).toEqual(['f/ocean/sst.zarr', 'f/winds.zarr']);
  expect(opened.health.count).toBe(2);
  rmSync(join(root, 'ocean'), { recursive: true });
  await search();
  expect(await names()).toEqual(['f/winds.zarr']);
  expect(await read('f/ocean/sst.zarr', 'SST')).toHaveProperty('errors.0.extensions.code', 'NOT_FOUND');
  expect(await metrics.text()).not.toContain('store="f/ocean/sst.zarr"');
});

test('Icechunk repositories are served, appear and disappear', async () => {
  const root = folderOfTest('repositories');
  const repository = join(fixtures, 'icechunk/virtual/repository');
  copy(repository, join(root, 'ice'));
  const { gateway, names, search } = await gatewayOver(root);
  expect(await names()).toEqual(['f/ice']);
  const document =
    '{ store(name: "f/ice") { array(path: "/t") { slice(select: { text: "4:6" }) { values } } } }';
  const result = await gateway.execute({ document }, fullAccess);
  expect(JSON.parse(JSON.stringify(result))).toMatchObject({
    data: { store: { array: { slice: { values: [7, 8] } } } },
  });
  copy(repository, join(root, 'more/ice'));
  await search();
  await search();
  expect(await names()).toEqual(['f/ice', 'f/more/ice']);
  rmSync(join(root, 'ice'), { recursive: true });
  copy(coads, join(root, 'ice'));
  await search();
  expect(await names()).toEqual(['f/more/ice', 'f/ice']);
});

test('a store that was replaced by another is opened again; by a file, it disappears', async () => {
  const root = folderOfTest('replaced');
  copy(coads, join(root, 'a'));
  copy(winds, join(root, '.other'));
  const { names, read, search } = await gatewayOver(root);
  expect(await read('f/a', 'SST')).toHaveProperty('data.store.array.shape');
  renameSync(join(root, 'a'), join(root, '.old'));
  renameSync(join(root, '.other'), join(root, 'a'));
  await search();
  expect(await read('f/a', 'UWND')).toHaveProperty('data.store.array.shape');
  rmSync(join(root, 'a'), { recursive: true });
  writeFileSync(join(root, 'a'), 'a file');
  await search();
  expect(await names()).toEqual([]);
});

test('stores beyond the bound are reported once, and those that are served stay', async () => {
  const root = folderOfTest('too-many');
  for (const name of ['a', 'b', 'c']) copy(winds, join(root, name));
  const { names, search, log } = await gatewayOver(root, { maxStores: 2 });
  expect(await names()).toEqual(['f/a', 'f/b']);
  mkdirSync(join(root, '0'));
  writeFileSync(join(root, '0/.zgroup'), '{"zarr_format":2}');
  await search();
  expect(await names()).toEqual(['f/a', 'f/b', 'f/0']);
  expect(log.filter((fields) => JSON.stringify(fields).includes('more than 2 stores'))).toHaveLength(1);
});

test('a store with the name of a snapshot is reported once, and hides no other, at the start and later', async () => {
  const root = folderOfTest('snapshot-names');
  for (const name of ['a@SCC7JF0KBE320KSHX7H0', 'b']) copy(winds, join(root, name));
  const { names, search, log } = await gatewayOver(root);
  expect(await names()).toEqual(['f/b']);
  for (const name of ['c@SCC7JF0KBE320KSHX7H0', 'd']) copy(winds, join(root, name));
  await search();
  await search();
  expect(await names()).toEqual(['f/b', 'f/d']);
  const reports = log.map((fields) => JSON.stringify(fields)).filter((text) => text.includes('@SCC7'));
  expect(reports).toEqual([
    '{"store":"f","stores":["a@SCC7JF0KBE320KSHX7H0"]}',
    '{"store":"f","stores":["a@SCC7JF0KBE320KSHX7H0","c@SCC7JF0KBE320KSHX7H0"]}',
  ]);
});

describe('the command line', () => {
  test('serve names the stores of a folder by their path', async () => {
    const root = folderOfTest('serving');
    copy(coads, join(root, 'ocean/sst.zarr'));
    copy(winds, join(root, 'winds.zarr'));
    writeFileSync(join(root, 'not-a-store.zip'), 'PK');
    const { address } = await serveStores([root]);
    const query = encodeURIComponent('{ stores { nodes { name } } }');
    expect(await (await fetch(`${address}?query=${query}`)).json()).toEqual({
      data: { stores: { nodes: [{ name: 'ocean/sst.zarr' }, { name: 'winds.zarr' }] } },
    });
    const typed = encodeURIComponent('{ SST { shape } }');
    expect(await (await fetch(`${address}/ocean/sst.zarr?query=${typed}`)).json()).toEqual({
      data: { SST: { shape: [12, 90, 180] } },
    });
    const schema = await fetch(`${address}/ocean/sst.zarr/schema.graphql`);
    expect(await schema.text()).toContain('type Query');
  });

  test('a folder without stores is an error that says what it contains', async () => {
    const root = folderOfTest('without-stores');
    writeFileSync(join(root, 'a.csv'), '');
    const { code, stderr } = await zarrql(['serve', root]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /no Zarr store at this address.*it contains 0 folders and 1 file: "a.csv"\. A store is/,
      ),
    ]);
  });

  test('discover requires an address that can be listed', async () => {
    expect(() => parseConfig({ stores: [{ name: 'a', url: 'https://example.org/', discover: {} }] })).toThrow(
      /discover: requires a path, or an s3:, gs: or az: URL/,
    );
  });
});
