import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { get, request } from 'node:http';
import { get as getTls } from 'node:https';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { expect, test } from 'vitest';
import { createFilesystemStore, openHierarchy } from '../../server/zarr/index.js';
import { folderOfTest } from '../setup/temporary-folder.js';
import { type Running, serveStores } from './running.js';

const hash = (token: string): string => createHash('sha256').update(token).digest('hex');

async function makeStore(root: string, name: string, length = 4): Promise<string> {
  const path = join(root, name);
  const array = await openHierarchy(createFilesystemStore({ label: name, root: path })).createArray('a', {
    dtype: 'float64',
    shape: [length],
    chunkShape: [Math.min(length, 2 ** 17)],
    codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
  });
  await array.select({ kind: 'all' }).write(1);
  return path;
}

interface Served extends Running {
  readonly folder: string;
  /** Writes the configuration, sends SIGHUP, and waits for the outcome in the log. */
  reload(config: object): Promise<Record<string, unknown>>;
}

async function serveConfig(
  folder: string,
  config: object,
  env: Record<string, string> = {},
): Promise<Served> {
  const file = join(folder, 'zarrql.json');
  writeFileSync(file, JSON.stringify(config));
  const running = await serveStores(['--config', file], env);
  let log = '';
  running.child.stderr?.on('data', (part: Buffer) => (log += part.toString()));
  return {
    ...running,
    folder,
    async reload(next) {
      log = '';
      writeFileSync(file, JSON.stringify(next));
      running.child.kill('SIGHUP');
      const outcome = /^.*"msg":"the configuration was (?:not )?re[^\n]*$/m;
      await expect.poll(() => outcome.exec(log)?.[0], { timeout: 20_000 }).toBeDefined();
      return JSON.parse(outcome.exec(log)?.[0] ?? '') as Record<string, unknown>;
    },
  };
}

async function query(
  address: string,
  text: string,
  token?: string,
): Promise<{ status: number; body: string }> {
  const headers = {
    'content-type': 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify({ query: text }) });
  return { status: response.status, body: await response.text() };
}

const names = async (address: string, token?: string): Promise<string[]> =>
  [
    ...(await query(address, '{ stores { edges { node { name } } } }', token)).body.matchAll(
      /"name":"(\w+)"/g,
    ),
  ].map(([, name]) => name ?? '');

test('stores appear and disappear, while requests in flight finish and subscriptions of others continue', async () => {
  const folder = folderOfTest('reload');
  const [a, b, c] = [
    await makeStore(folder, 'a'),
    await makeStore(folder, 'b', 2 ** 22),
    await makeStore(folder, 'c'),
  ];
  const served = await serveConfig(folder, {
    stores: [
      { name: 'a', url: a, writable: true },
      { name: 'b', url: b },
      { name: 'm', url: 'memory:', writable: true },
    ],
  });
  const { address } = served;
  await query(address, 'mutation { createGroup(input: { store: "m", path: "kept" }) { group { path } } }');
  const events = await subscribe(address, 'a');
  const ended = await subscribe(address, 'b');
  // A download of 32 MiB that is not read before the reload.
  const link = /"href":"([^"]+)"/.exec(
    (await query(address, '{ store(name: "b") { array(path: "a") { slice { href(format: NPY) } } } }')).body,
  )?.[1];
  const download = await openDownload(new URL(link ?? '', address));

  const outcome = await served.reload({
    stores: [
      { name: 'a', url: a, writable: true },
      { name: 'c', url: c },
      { name: 'm', url: 'memory:', writable: true },
    ],
  });
  expect(outcome).toMatchObject({
    msg: 'the configuration was reloaded',
    stores: { added: ['c'], changed: [], removed: ['b'] },
  });
  expect(await names(address)).toEqual(['a', 'm', 'c']);
  expect((await query(address, '{ store(name: "m") { node(path: "kept") { path } } }')).body).toContain(
    '/kept',
  );
  expect(await download()).toBeGreaterThan(2 ** 25);
  await expect.poll(() => ended.text).toContain('the store is no longer served; the stream ends');
  await query(
    address,
    'mutation { setAttributes(input: { store: "a", path: "a", set: { x: 1 } }) { node { path } } }',
  );
  await expect.poll(() => events.text).toMatch(/event: next\ndata: .*"path":"\/a"/);

  expect(
    await served.reload({
      stores: [
        { name: 'a', url: join(folder, 'none') },
        { name: 'd', url: 'ftp://x' },
      ],
    }),
  ).toMatchObject({
    level: 'error',
    msg: 'the configuration was not reloaded, and nothing changed',
    problems: [expect.stringContaining('store "d": unsupported URL scheme')],
  });
  expect(await names(address)).toEqual(['a', 'm', 'c']);
  events.close();
});

test('tokens, roles, limits and keys change; streams of earlier callers end', async () => {
  const folder = folderOfTest('reload');
  const a = await makeStore(folder, 'a');
  const config = (token: string, roles: object, others: object) => ({
    stores: [{ name: 'a', url: a }],
    auth: { roles, tokens: [{ name: 't', sha256: hash(token), roles: ['r'] }] },
    ...others,
  });
  const reader = { r: { read: ['*'] } };
  const served = await serveConfig(folder, config('old', reader, { hrefKeys: ['a'.repeat(32)] }));
  const { address } = served;
  const href = '{ store(name: "a") { array(path: "a") { slice { href(format: NPY) } } } }';
  const link = /"href":"([^"]+)"/.exec((await query(address, href, 'old')).body)?.[1] ?? '';
  const events = await subscribe(address, 'a', 'old');
  expect((await fetch(new URL(link, address))).status).toBe(200);

  const outcome = await served.reload(
    config('new', reader, { hrefKeys: ['b'.repeat(32)], limits: { maxOutputBytes: 16 }, port: 1 }),
  );
  expect(outcome).toMatchObject({ options: expect.arrayContaining(['auth', 'hrefKeys', 'limits']) });
  expect(JSON.stringify(outcome)).not.toContain(hash('new'));
  await events.closed;
  expect((await query(address, href, 'old')).status).toBe(401);
  expect((await fetch(new URL(link, address))).status).toBe(403);
  const tooLarge = await query(
    address,
    '{ store(name: "a") { array(path: "a") { slice { values } } } }',
    'new',
  );
  expect(tooLarge.body).toContain('LIMIT_EXCEEDED');

  await served.reload(config('new', { r: { read: [] } }, {}));
  expect(await names(address, 'new')).toEqual([]);
  expect(await served.reload(config('new', { r: { read: [] } }, {}))).toMatchObject({
    msg: 'the configuration was read again; nothing changed',
  });
});

test('HTTPS with a certificate that is reloaded', async () => {
  const folder = folderOfTest('reload');
  const a = await makeStore(folder, 'a');
  const files = { tlsCertificate: join(folder, 'cert.pem'), tlsKey: join(folder, 'key.pem') };
  const issue = (): string => {
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const args = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
    ];
    execFileSync('openssl', [...args, ...subject, '-keyout', files.tlsKey, '-out', files.tlsCertificate], {
      stdio: 'ignore',
    });
    return readFileSync(files.tlsCertificate, 'utf8');
  };
  const config = { stores: [{ name: 'a', url: a }], ...files };
  const first = issue();
  const served = await serveConfig(folder, config);
  expect(served.address).toMatch(/^https:/);
  expect(await statusOf(served.address, first)).toEqual([200, expect.any(String)]);
  const [, before] = await statusOf(served.address, first);
  const second = issue();
  expect(await served.reload(config)).toMatchObject({ certificate: 'reloaded' });
  const [status, after] = await statusOf(served.address, second);
  expect(status).toBe(200);
  expect(after).not.toBe(before);
  writeFileSync(files.tlsKey, 'not a key');
  expect(await served.reload(config)).toMatchObject({
    level: 'error',
    problems: [expect.stringContaining('tlsKey')],
  });
  expect((await statusOf(served.address, second))[0]).toBe(200);
});

/** Status of a request, and the fingerprint of the server's certificate. */
function statusOf(address: string, ca: string): Promise<[number | undefined, string]> {
  return new Promise((resolve, reject) => {
    getTls(new URL('/livez', address), { ca, agent: false }, (response) => {
      const fingerprint = (response.socket as TLSSocket).getPeerCertificate().fingerprint256;
      response.resume().on('end', () => resolve([response.statusCode, fingerprint]));
    }).on('error', reject);
  });
}

interface Events {
  readonly text: string;
  readonly closed: Promise<void>;
  close(): void;
}

/** Subscribes to the changes of a store. */
function subscribe(address: string, store: string, token?: string): Promise<Events> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    const outgoing = request(address, { method: 'POST', headers, agent: false }, (response) => {
      let text = '';
      response.on('data', (part: Buffer) => (text += part.toString()));
      response.on('error', () => {});
      const closed = new Promise<void>((end) => response.once('close', end));
      resolve({
        get text() {
          return text;
        },
        closed,
        close: () => void outgoing.destroy(),
      });
    });
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify({ query: `subscription { changes(store: "${store}") { path } }` }));
  });
}

/** Opens a download without reading it. The returned function reads it, and returns its size. */
function openDownload(url: URL): Promise<() => Promise<number>> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      response.pause();
      resolve(
        () =>
          new Promise((end, fail) => {
            let bytes = 0;
            response.on('data', (part: Buffer) => (bytes += part.length));
            response.on('end', () => end(bytes)).on('error', fail);
            response.resume();
          }),
      );
    }).on('error', reject);
  });
}

test('limits of clients change with the next request, and the log names them', async () => {
  const folder = folderOfTest('client-limits');
  const a = await makeStore(folder, 'a');
  const config = { stores: [{ name: 'a', url: a }], maxClientCost: 10_000, maxClientConnections: 5 };
  const served = await serveConfig(folder, config);
  expect((await query(served.address, '{ __typename }')).status).toBe(200);
  const lower = await served.reload({ ...config, maxClientCost: 2, maxClientSubscriptions: 7 });
  expect(lower['options']).toEqual(expect.arrayContaining(['maxClientCost', 'maxClientSubscriptions']));
  // One unit was used before, and what was used stays used.
  const statuses = [];
  for (let i = 0; i < 3; i++) statuses.push((await query(served.address, '{ __typename }')).status);
  expect(statuses).toEqual([200, 429, 429]);
  const none = await served.reload({ ...config, maxClientCost: 0 });
  expect(none['options']).toContain('maxClientCost');
  expect((await query(served.address, '{ __typename }')).status).toBe(200);
  await served.reload({ ...config, maxClientCost: 0, maxClientRequests: 0, maxClientConnections: 6 });
  expect((await query(served.address, '{ __typename }')).status).toBe(200);
  const again = await served.reload({ ...config, maxClientCost: 1, maxClientRequests: 1 });
  expect(again['options']).toHaveLength(3);
  expect((await query(served.address, '{ __typename }')).status).toBe(200);
  expect((await query(served.address, '{ __typename }')).status).toBe(429);
});
