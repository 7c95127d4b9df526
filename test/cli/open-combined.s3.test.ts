/** Members below an S3 prefix, found by a pattern, with chunks that align and others that do not. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStores } from '../../server/cli/open-stores.js';
import { parseConfig } from '../../server/config.js';
import { createMetrics } from '../../server/http/metrics.js';
import { get, openHierarchy, openStoreFromUrl, toNested } from '../../server/zarr/index.js';
import { createBucket, storeOn } from '../s3/bucket.js';
import { startS3Server } from '../s3/server.js';
import { fixtures } from '../setup/fixtures.js';

const server = await startS3Server();
const folder = join(fixtures, 'combined');

describe.skipIf('missing' in server)('members on S3', () => {
  if ('missing' in server) return;

  test.each(['aligned-v3', 'months-v2'])('%s, as folders and as archives', async (name) => {
    const bucket = await createBucket(server);
    const objects = storeOn(server, bucket);
    onTestFinished(() => objects.close());
    for (const file of readdirSync(join(folder, name))) {
      const bytes = readFileSync(join(folder, name, file));
      await objects.set(`archives/${file}`, bytes);
      const member = openStoreFromUrl('m', join(folder, name, file));
      for await (const { key } of member.walk('')) {
        const result = await get(member, key);
        if (typeof result === 'object')
          await objects.set(`folders/${file.replace('.zip', '')}/${key}`, result.bytes);
      }
      await member.close();
    }
    const { accessKeyId, secretAccessKey } = server.credentials;
    const s3 = { credentials: { accessKeyId: { env: 'KEY' }, secretAccessKey: { env: 'SECRET' } } };
    const at = (path: string) => `s3://${bucket}/${path}?endpoint=${server.endpoint}&region=us-east-1`;
    const combined = (store: string, paths: string) => ({ name: store, kind: 'combined', s3, maxAgeMs: 0, concat: { along: 'time', paths } }); // prettier-ignore
    const config = parseConfig({
      stores: [
        combined('local', `${folder}/${name}/*.zarr.zip`),
        combined('folders', at('folders/*.zarr')),
        combined('archives', at('archives/*.zarr.zip')),
      ].map(({ s3: own, ...store }) => (store.name === 'local' ? store : { ...store, s3: own })),
    });
    const silent = { info() {}, warn() {}, error() {} };
    const opened = await openStores(config, createMetrics(), silent, { KEY: accessKeyId, SECRET: secretAccessKey }); // prettier-ignore
    onTestFinished(async () => void (await Promise.all(opened.stores.map(({ store }) => store.close()))));
    expect(opened.health.unusable()).toEqual([]);
    const [local, ...remote] = opened.stores;
    for (const path of ['t2m', 'rain', 'time', 'station']) {
      const read = async (store: NonNullable<typeof local>) =>
        toNested(await (await openHierarchy(store.store).array(path)).select().read());
      if (local === undefined) throw new TypeError('no store');
      const expected = await read(local);
      for (const store of remote) expect(await read(store), `${store.name} ${path}`).toEqual(expected);
    }
  });
});
