/** Stores in a bucket, by the contract of all stores. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { get } from '../../server/store/define-reading.js';
import { openHierarchy, openStoreFromUrl } from '../../server/zarr/index.js';
import { describeStore, text } from '../contracts/store.js';
import { startGcs } from '../cloud/servers.js';
import { folderOfTest } from '../setup/temporary-folder.js';
import { buildZip } from './build-zip.js';

const server = await startGcs();
if (!('missing' in server)) afterAll(() => server.stop());

describe.skipIf('missing' in server)('against a real server', () => {
  if ('missing' in server) return;
  for (const [name, prefix] of [
    ['a whole bucket', ''],
    ['a prefix', '/some where/100%25'],
  ])
    describeStore(`gcs, ${name}`, {
      async open(contents) {
        const store = server.open(`${await server.createBucket()}${prefix}`);
        await Promise.all(Object.entries(contents).map(([key, bytes]) => store.set(key, bytes)));
        return store;
      },
    });

  test('hierarchies, archives and references in a bucket', async () => {
    const bucket = await server.createBucket();
    const options = { gcs: {}, readonly: false };
    const store = openStoreFromUrl('s', server.urlOf(`${bucket}/x.zarr`), options);
    expect(store).toMatchObject({ kind: 'GCS', can: { write: true, list: true, conditionalWrite: true } });
    const array = await openHierarchy(store).createArray('/a', {
      shape: [6],
      dtype: 'uint8',
      chunkShape: [2],
    });
    await array.select({ kind: 'all' }).write({ shape: [6], data: Uint8Array.of(1, 2, 3, 4, 5, 6) });
    await store.close();
    const top = openStoreFromUrl('t', server.urlOf(bucket), options);
    await top.set('z.zip', buildZip([{ name: 'k', bytes: text('zipped') }]));
    await top.set('file', text('0123456789'));
    await top.close();
    const zip = openStoreFromUrl('z', server.urlOf(`${bucket}/z.zip`), options);
    expect((await get(zip, 'k'))?.bytes).toEqual(text('zipped'));
    await zip.close();
    const root = folderOfTest('gcs');
    const urls = [`gs://${bucket}/file`, `gcs://${bucket}/file`];
    writeFileSync(
      join(root, 'refs.json'),
      JSON.stringify({ version: 1, refs: Object.fromEntries(urls.map((url, i) => [`k${i}`, [url, 2, 3]])) }),
    );
    const { searchParams } = new URL(server.urlOf(bucket));
    const own = { endpoint: searchParams.get('endpoint') ?? '', ...server.credentials };
    const references = openStoreFromUrl('r', `references+file:${join(root, 'refs.json')}`, {
      virtualChunks: [{ prefix: `gs://${bucket}/`, gcs: own }],
    });
    for (const key of ['k0', 'k1']) expect((await get(references, key))?.bytes).toEqual(text('234'));
    await references.close();
    // In the bucket itself, with relative addresses and the options of the store.
    const inside = openStoreFromUrl('i', server.urlOf(bucket), options);
    await inside.set('sets/refs.json', text(JSON.stringify({ refs: { k: ['../file', 1, 2] } })));
    await inside.close();
    const beside = openStoreFromUrl(
      'b',
      `references+${server.urlOf(`${bucket}/sets/refs.json`)}&prefix=./`,
      options,
    );
    await expect(get(beside, 'k')).rejects.toMatchObject({ code: 'STORE_DENIED' });
    await beside.close();
    const allowed = openStoreFromUrl(
      'b',
      `references+${server.urlOf(`${bucket}/sets/refs.json`)}&prefix=gs://${bucket}/`,
      {
        ...options,
        virtualChunks: [{ prefix: `gs://${bucket}/`, gcs: own }],
      },
    );
    expect((await get(allowed, 'k'))?.bytes).toEqual(text('12'));
    await allowed.close();
    const unlisted = openStoreFromUrl(
      'r',
      `references+file:${join(root, 'refs.json')}?prefix=gs://${bucket}-prod/`,
      options,
    );
    await expect(get(unlisted, 'k0')).rejects.toMatchObject({ code: 'STORE_DENIED' });
    await unlisted.close();
  });

  test('repositories of Icechunk are created, written and read', async () => {
    const address = `icechunk+${server.urlOf(`${await server.createBucket()}/repository`)}`;
    const store = openStoreFromUrl('ice', address, { gcs: {}, readonly: false });
    const writing = store.versions?.writing;
    if (writing === undefined) throw new Error('not writable');
    await writing.createRepository();
    const session = await writing.begin();
    const hierarchy = openHierarchy(session.store);
    const array = await hierarchy.createArray('/a', { shape: [2], dtype: 'uint8' });
    await array.select({ kind: 'all' }).write({ shape: [2], data: Uint8Array.of(7, 8) });
    expect(await session.commit('first')).toBeDefined();
    const block = await (await openHierarchy(store).array('/a')).select({ kind: 'all' }).read();
    expect('bytes' in block && [...block.bytes]).toEqual([7, 8]);
    await store.close();
  });
});
