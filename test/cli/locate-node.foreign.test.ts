/** Folders, files and URLs of other formats: every command and the gateway name the format and what to do. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { locateNode } from '../../server/cli/locate-node.js';
import { openStores } from '../../server/cli/open-stores.js';
import { parseConfig } from '../../server/config.js';
import { createMetrics } from '../../server/http/metrics.js';
import { createGateway, fullAccess } from '../../server/index.js';
import { openStoreFromUrl } from '../../server/zarr/index.js';
import { createBucket, storeOn } from '../s3/bucket.js';
import { startS3Server } from '../s3/server.js';
import { folderOfTest } from '../setup/temporary-folder.js';
import { createFileServer } from './file-server.js';
import { zarrql } from './running.js';

const zarray = { zarr_format: 2, shape: [4], chunks: [2], dtype: '|i1', fill_value: 7, order: 'C' };
const described = {
  '.zgroup': { zarr_format: 2 },
  'v/.zarray': { ...zarray, compressor: null, filters: null },
};
const parquet = (more: object): string => JSON.stringify({ ...more, metadata: described, record_size: 10 });
const icechunk = Buffer.concat([Buffer.from('ICE🧊CHUNK'), Buffer.alloc(100, 255)]);

/** Name of the file or folder, its contents by key ("" for a file), and what messages contain. */
const samples: [name: string, contents: Record<string, string | Buffer>, message: RegExp][] = [
  ['a.nc', { '': '\u0089HDF\r\n\u001a\n' }, /a file of the format HDF5 or NetCDF-4; convert it/],
  ['b.nc', { '': 'CDF\u0001' }, /NetCDF-3; convert it/],
  ['c.tif', { '': 'II*\0' }, /TIFF; convert it/],
  ['d.grib2', { '': 'GRIB' }, /GRIB; convert it/],
  ['e.json', { '': '{"version": 1, "refs": {}}' }, /kerchunk.*; write references\+ before/],
  ['kerchunk', { '.zmetadata': parquet({}), 'v/refs.0.parq': 'PAR1' }, /a folder of the format kerchunk.*; write references\+ before/],
  ['formatted', { '.zmetadata': parquet({ zarr_consolidated_format: 1 }), 'v/refs.0.parq': 'PAR1' }, /a folder of the format kerchunk/],
  ['icechunk1', { 'refs/branch.main/ref.json': '{"snapshot":"1CECHNKREP0F1RSTCMT0"}' }, /a folder of the format Icechunk; write icechunk\+ before/],
  ['icechunk2', { repo: icechunk }, /a folder of the format Icechunk; write icechunk\+ before/],
  ['n5', { 'attributes.json': '{"n5": "4.0.0"}' }, /a folder of the format N5; write n5\+/],
  ['n5array', { 'attributes.json': '{"dataType":"uint8","dimensions":[4],"blockSize":[2]}' }, /N5; write n5\+/],
]; // prettier-ignore

function write(folder: string, name: string, contents: Record<string, string | Buffer>): void {
  for (const [key, value] of Object.entries(contents)) {
    const path = join(folder, name, key);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof value === 'string' ? Buffer.from(value, 'latin1') : value);
  }
}

const log: unknown[] = [];
const logger = {
  info: () => undefined,
  warn: (logged: unknown) => log.push(logged),
  error: (logged: unknown) => log.push(logged),
};

async function answersAbout(url: string): Promise<string[]> {
  const { stores } = await openStores(parseConfig({ stores: [{ name: 's', url }] }), createMetrics(), logger, {});
  const gateway = createGateway({ stores });
  onTestFinished(() => gateway.close());
  const document = '{ store(name: "s") { array(path: "v") { shape } group(path: "/") { path } } }';
  const { errors = [] } = await gateway.execute({ document }, fullAccess);
  expect(errors).toHaveLength(2);
  return errors.map(({ message }) => message);
} // prettier-ignore

describe.each(samples)('%s', (name, contents, message) => {
  test('by path', async () => {
    const folder = folderOfTest('foreign');
    write(folder, name, contents);
    await expect(locateNode(join(folder, name))).rejects.toThrow(message);
    // A store that is a file is unavailable, which its own tests cover.
    if ('' in contents) return;
    for (const answer of await answersAbout(join(folder, name))) expect(answer).toMatch(message);
    expect(JSON.stringify(log.splice(0))).toMatch(message);
  });

  test('by HTTP', async () => {
    const folder = folderOfTest('foreign');
    write(folder, name, contents);
    await using server = await createFileServer(folder);
    await expect(locateNode(`${server.url}/${name}`)).rejects.toThrow(message);
    for (const answer of await answersAbout(`${server.url}/${name}`)) expect(answer).toMatch(message);
    expect(JSON.stringify(log.splice(0))).toMatch(message);
  });
});

test.each(['inspect', 'get', 'stats'])('zarrql %s', async (command) => {
  const folder = folderOfTest('foreign');
  write(folder, 'a', { 'attributes.json': '{"n5": "4.0.0"}' });
  const { code, stderr } = await zarrql([command, join(folder, 'a')]);
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(/format N5; write n5\+/) });
});

test('references of kerchunk are never read as fill values', async () => {
  const folder = folderOfTest('foreign');
  write(folder, 'a', { '.zmetadata': parquet({ zarr_consolidated_format: 1 }), 'v/refs.0.parq': 'PAR1' });
  const { stderr } = await zarrql(['get', join(folder, 'a/v'), '--trust-consolidated']);
  expect(stderr).toMatch(/format kerchunk/);
});

const server = await startS3Server();
if (!('missing' in server)) afterAll(() => server.stop());

describe.skipIf('missing' in server)('on S3', () => {
  if ('missing' in server) return;
  const named = samples.filter(([name]) => ['a.nc', 'icechunk2', 'n5', 'kerchunk'].includes(name));
  test.each(named)('%s', async (name, contents, message) => {
    const bucket = await createBucket(server);
    const target = storeOn(server, bucket, { readonly: false });
    for (const [key, value] of Object.entries(contents))
      await target.set([name, key].filter(Boolean).join('/'), typeof value === 'string' ? Buffer.from(value, 'latin1') : value); // prettier-ignore
    await target.close();
    const { endpoint, credentials } = server;
    const s3 = { endpoint, credentials, region: 'us-east-1' };
    const store = openStoreFromUrl('s', `s3://${bucket}/${name}`, { s3 });
    const gateway = createGateway({ stores: [{ name: 's', store }] });
    onTestFinished(() => gateway.close());
    const document = '{ store(name: "s") { array(path: "v") { shape } } }';
    const { errors } = await gateway.execute({ document }, fullAccess);
    expect(errors?.[0]?.message).toMatch(message);
  });
});
