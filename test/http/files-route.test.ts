/** Downloads over real connections, read by NumPy or interrupted. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createGateway, type Gateway, type GatewayConfig, fullAccess } from '../../server/index.js';
import { createMemoryStore, type KeyStore } from '../../server/zarr/index.js';
import { findPython, temporaryFolder } from '../interop/python.js';
import { promisify } from 'node:util';
import { execFile } from 'node:child_process';
import { arrayDocument, examples, folderStore } from '../resolvers/gateway-client.js';
import { send, serve, type Serving, takeTurns, until } from './serving.js';

const run = promisify(execFile);

async function serveStore(store: KeyStore, config: Partial<GatewayConfig> = {}) {
  const gateway = createGateway({ stores: [{ name: 's', store }], ...config });
  onTestFinished(() => gateway.close());
  return { gateway, serving: await serve(gateway.fetch, {}, gateway) };
}

async function linkTo(gateway: Gateway, path: string, format = 'NPY', select = '...'): Promise<string> {
  const document = `{ store(name: "s") { array(path: "${path}") { slice(select: { text: "${select}" }) { href(format: ${format}) } } } }`;
  const result: unknown = JSON.parse(JSON.stringify(await gateway.execute({ document }, fullAccess)));
  return (result as { data: { store: { array: { slice: { href: string } } } } }).data.store.array.slice.href;
}

/** 4 GiB without stored chunks. */
async function hugeStore(): Promise<KeyStore> {
  const store = createMemoryStore({ label: 's' });
  const chunk_grid = { name: 'regular', configuration: { chunk_shape: [4, 1024, 1024] } };
  const document = arrayDocument('float32', [1024, 1024, 1024], { chunk_grid, fill_value: 1.5 });
  await store.set('huge/zarr.json', Buffer.from(JSON.stringify(document)));
  return store;
}

const python = await findPython('wire');

test.skipIf('missing' in python)('numpy.load reads the downloaded file', async () => {
  const { gateway, serving } = await serveStore(folderStore('s', `${examples}coads.zarr`));
  const folder = await temporaryFolder();
  onTestFinished(folder.remove);
  const file = join(folder.path, 'sst.npy');
  const href = await linkTo(gateway, 'SST', 'NPY', '0, 40, 60:64');
  const response = await fetch(new URL(href, `http://127.0.0.1:${serving.port}`));
  await writeFile(file, Buffer.from(await response.arrayBuffer()));
  const code = `import numpy, sys; a = numpy.load(sys.argv[1], allow_pickle=False); print(a.dtype, a.tolist())`;
  const { stdout } = await run('command' in python ? python.command : '', ['-c', code, file]);
  expect(stdout.trim()).toBe(
    'float32 [28.791427612304688, 29.122499465942383, 28.69344711303711, 29.03708267211914]',
  );
});

test('HEAD, ranges and validators work over HTTP', async () => {
  const { gateway, serving } = await serveStore(folderStore('s', `${examples}coads.zarr`));
  const path = await linkTo(gateway, 'SST', 'RAW', '0, 40, 60:64');
  const head = await send(serving.port, { path, method: 'HEAD' });
  expect([head.status, head.headers['content-length'], head.body]).toEqual([200, '16', '']);
  const { etag = '' } = head.headers;
  expect((await send(serving.port, { path, headers: { 'if-none-match': etag } })).status).toBe(304);
  const part = await send(serving.port, { path, headers: { range: 'bytes=4-7', 'if-range': etag } });
  expect([part.status, part.headers['content-range'], part.headers['content-length']]).toEqual([
    206,
    'bytes 4-7/16',
    '4',
  ]);
  const behind = await send(serving.port, { path, headers: { range: 'bytes=16-' } });
  expect([behind.status, JSON.parse(behind.body).errors[0].extensions.code]).toEqual([416, 'BAD_INPUT']);
  const forged = await send(serving.port, { path: path.replace('/files/', '/files/A') });
  expect([forged.status, JSON.parse(forged.body).errors[0].extensions.code]).toEqual([403, 'FORBIDDEN']);
  expect((await send(serving.port, { path, method: 'POST' })).status).toBe(405);
  expect((await send(serving.port, { path, headers: { host: 'elsewhere.example' } })).status).toBe(403);
});

test('the log contains no links', async () => {
  const { gateway, serving } = await serveStore(folderStore('s', `${examples}coads.zarr`));
  const path = await linkTo(gateway, 'SST');
  await send(serving.port, { path });
  await until(() => serving.log.length > 0);
  expect(serving.log[0]).toMatchObject({ path: '/files/', status: 200 });
  expect(JSON.stringify(serving.log)).not.toContain(path.split('/')[2]);
});

/** Reads the first bytes of a download, then stops reading. */
async function beginDownload(serving: Serving, path: string) {
  const outgoing = request({ host: '127.0.0.1', port: serving.port, path, agent: false });
  outgoing.end();
  const [incoming] = await once(outgoing, 'response');
  await once(incoming, 'readable');
  return { outgoing, incoming };
}

test('a client that stops reading pauses the download, and one that disconnects ends it', async () => {
  const store = await hugeStore();
  let requestCount = 0;
  const { getMany } = store;
  const counting: KeyStore = {
    ...store,
    getMany(requests, each, options) {
      if (requests.some(({ range }) => range === undefined)) requestCount++;
      return getMany.call(store, requests, each, options);
    },
  };
  const { gateway, serving } = await serveStore(counting);
  const { outgoing, incoming } = await beginDownload(serving, await linkTo(gateway, 'huge', 'NPY', ':500'));
  let stopped = -1;
  while (requestCount !== stopped) {
    stopped = requestCount;
    await takeTurns(serving.port);
  }
  expect(stopped).toBeLessThan(20);
  incoming.on('error', () => {});
  outgoing.destroy();
  await until(() => serving.log.some(({ aborted }) => aborted === true));
  await takeTurns(serving.port);
  expect(requestCount).toBe(stopped);
});

test('a change during the download closes the connection, so that a partial file does not look complete', async () => {
  const store = await hugeStore();
  const { gateway, serving } = await serveStore(store);
  const { incoming } = await beginDownload(serving, await linkTo(gateway, 'huge', 'NPY', ':500'));
  await store.set('huge/c/100/0/0', Buffer.alloc(4 * 2 ** 22));
  const ending = new Promise((resolve) => {
    incoming
      .on('end', () => resolve('a whole file'))
      .on('error', (error: NodeJS.ErrnoException) => {
        resolve(error.code);
      });
  });
  incoming.resume();
  expect(await ending).toBe('ECONNRESET');
});
