/** Stores over HTTP, read by xarray and zarr-python: folders, archives and S3, of both formats, with and without shards. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '../../server/config.js';
import { type KeyStore, openStoreFromUrl } from '../../server/zarr/index.js';
import { auth } from '../http/access-rights.js';
import { realGateway } from '../http/real-gateway.js';
import { examples, folderStore } from '../resolvers/gateway-client.js';
import { createBucket, storeOn } from '../s3/bucket.js';
import { startS3Server } from '../s3/server.js';
import { findPython, runScript, temporaryFolder } from './python.js';

const python = await findPython('datasets');
const names = ['coads', 'navy_winds_v2', 'etopo20_sharded', 'ocean'];

async function read(url: string, token: string, stores: readonly string[]): Promise<string[]> {
  const command = 'command' in python ? python.command : '';
  const { stdout } = await runScript(command, 'read_over_http.py', [
    url.replace('/graphql', '/zarr'),
    token,
    ...stores,
  ]);
  return stdout.trim().split('\n');
}

test.skipIf('missing' in python)('equal their folders', async () => {
  const stores = names.map((name) => ({ name, store: folderStore(name, `${examples}${name}.zarr`) }));
  const zips = names.map((name) => ({
    name: `${name}-zip`,
    store: openStoreFromUrl(`${name}-zip`, `${examples}${name}.zarr.zip`),
  }));
  const { url } = await realGateway({}, { gateway: { stores: [...stores, ...zips] } });
  const pairs = names.flatMap((name) => ['', '-zip'].map((end) => `${name}${end}=${examples}${name}.zarr`));
  expect(await read(url, '', pairs)).toEqual([
    ...['coads 10', 'coads-zip 10', 'navy_winds_v2 5', 'navy_winds_v2-zip 5'],
    ...['etopo20_sharded 3', 'etopo20_sharded-zip 3', 'ocean 10', 'ocean-zip 10'],
  ]);
});

test.skipIf('missing' in python)('the token of a caller shows its part of a store', async () => {
  const roles = { ...auth.roles, readers: { read: ['all/coads.zarr'] } };
  const stores = [{ name: 'all', store: folderStore('all', examples) }];
  const rights = parseConfig({ auth: { ...auth, roles } }).auth;
  const { url } = await realGateway({}, { auth: rights, gateway: { stores } });
  expect(await read(url, 'reader-secret', [`all/coads.zarr=${examples}coads.zarr`])).toEqual([
    'all/coads.zarr 10',
  ]);
  await expect(read(url, 'reader-secret', [`all/ocean.zarr=${examples}ocean.zarr`])).rejects.toThrow(
    /GroupNotFound/,
  );
});

const server = await startS3Server();

test.skipIf('missing' in python || 'missing' in server)('objects of S3 equal the folder', async () => {
  if ('missing' in server) return;
  onTestFinished(() => server.stop());
  const store: KeyStore = storeOn(server, await createBucket(server));
  const folder = `${examples}etopo20_sharded.zarr`;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) {
      const path = join(entry.parentPath, entry.name);
      await store.set(path.slice(folder.length + 1), await readFile(path));
    }
  const { url } = await realGateway({}, { gateway: { stores: [{ name: 's3', store }] } });
  expect(await read(url, '', [`s3=${folder}`])).toEqual(['s3 3']);
});

test.skipIf('missing' in python)('results of operations are stores', async () => {
  const stores = names.map((name) => ({ name, store: folderStore(name, `${examples}${name}.zarr`) }));
  const { url, query } = await realGateway({}, { gateway: { stores } });
  const { json } = await query(`{
    ocean: store(name: "ocean") {
      variable(path: "/sst") {
        mean: slice { reduce(by: MEAN, over: ["time"]) { zarrUrl } }
        months: slice { group(by: { part: { dim: "time", part: MONTH } }, reduce: MEAN) { zarrUrl } }
        part: slice(select: { named: [{ dim: "lat", by: { between: { from: -5, to: 5 } } }, { dim: "time", by: { slice: { start: 1, stop: 4 } } }] }) { zarrUrl }
        single: slice(select: { text: "2, 45" }) { zarrUrl }
      }
      time: variable(path: "/time") { time: slice { zarrUrl } }
      dataset(path: "/") {
        select(named: [{ dim: "lat", by: { between: { from: -30, to: 30 } } }]) { zarrUrl(variables: ["sst", "air"]) }
        compute(expression: "sst - air") { zarrUrl }
      }
    }
    relief: store(name: "etopo20_sharded") { variable(path: "/relief") { slice(select: { text: "::2" }) { zarrUrl } } }
  }`);
  expect(json.errors).toBeUndefined();
  const { variable, time, dataset } = json.data.ocean;
  const urls = {
    ...Object.fromEntries(Object.entries<{ zarrUrl: string }>({ ...time, ...variable, mean: variable.mean.reduce, months: variable.months.group }).map(([name, { zarrUrl }]) => [name, zarrUrl])), // prettier-ignore
    dataset: dataset.select.zarrUrl,
    expression: dataset.compute.zarrUrl,
    relief: json.data.relief.variable.slice.zarrUrl,
  };
  const command = 'command' in python ? python.command : '';
  const { stdout } = await runScript(command, 'read_computed.py', [url.replace('/graphql', ''), examples], JSON.stringify(urls)); // prettier-ignore
  expect(stdout.trim().split('\n')).toHaveLength(8);
});

const suite = await findPython('stores');

test.skipIf('missing' in suite)("zarr-python's tests of reading from stores pass", async () => {
  const { path, remove } = await temporaryFolder();
  onTestFinished(remove);
  const { url } = await realGateway(
    {},
    { gateway: { stores: [{ name: 's', store: folderStore('s', path) }] } },
  );
  const command = 'command' in suite ? suite.command : '';
  const { stdout } = await runScript(command, 'http_stores.py', [url.replace('/graphql', '/zarr/s'), path]);
  expect(stdout).toMatch(/^60 passed\b/m);
});
