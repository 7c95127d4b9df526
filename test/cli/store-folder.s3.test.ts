/** Stores below an S3 prefix, which appear and disappear while they are served. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStores } from '../../server/cli/open-stores.js';
import { parseConfig } from '../../server/config.js';
import { createMetrics } from '../../server/http/metrics.js';
import { createGateway, fullAccess } from '../../server/index.js';
import { createBucket, storeOn } from '../s3/bucket.js';
import { startS3Server } from '../s3/server.js';

const server = await startS3Server();

describe.skipIf('missing' in server)('a prefix of stores', () => {
  if ('missing' in server) return;

  test('serves each store below it, and follows changes', async () => {
    const bucket = await createBucket(server);
    const objects = storeOn(server, `${bucket}/data`);
    onTestFinished(() => objects.close());
    const group = new TextEncoder().encode('{"zarr_format":3,"node_type":"group"}');
    await objects.set('ocean/my sst.zarr/zarr.json', group);
    await objects.set('notes.txt', group);
    const silent = { info() {}, warn() {}, error() {} };
    const { accessKeyId, secretAccessKey } = server.credentials;
    const url = `s3://${bucket}/data?endpoint=${server.endpoint}&region=us-east-1`;
    const s3 = { credentials: { accessKeyId: { env: 'KEY' }, secretAccessKey: { env: 'SECRET' } } };
    const config = parseConfig({ stores: [{ name: 'f', url, s3, maxAgeMs: 0, discover: {} }] });
    const env = { KEY: accessKeyId, SECRET: secretAccessKey };
    const opened = await openStores(config, createMetrics(), silent, env);
    const gateway = createGateway({ stores: opened.stores });
    onTestFinished(() => gateway.close());
    const nodes = async (): Promise<unknown> => {
      const document = '{ stores { nodes { name kind group { path } } } }';
      const { data } = await gateway.execute({ document }, fullAccess);
      return JSON.parse(JSON.stringify(data)).stores.nodes;
    };
    const first = { name: 'f/ocean/my sst.zarr', kind: 'S3', group: { path: '/' } };
    expect(await nodes()).toEqual([first]);
    await objects.set('new/zarr.json', group);
    for (const folder of opened.folders) await folder.search(gateway);
    expect(await nodes()).toEqual([first, { ...first, name: 'f/new' }]);
    await objects.deletePrefix('ocean');
    for (const folder of opened.folders) await folder.search(gateway);
    expect(await nodes()).toEqual([{ ...first, name: 'f/new' }]);
  });
});
