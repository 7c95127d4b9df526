import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, symlink, writeFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, afterAll, beforeAll } from 'vitest';
import { namedStores, storeNameOf } from '../server/cli/store-names.js';
import { fullAccess } from '../server/index.js';
import { createFilesystemStore, get, openStoreFromUrl } from '../server/zarr/index.js';
import { listen } from './client/listen.js';
import { collect } from './contracts/store-reading.js';
import { root, sampleStores } from './docs/format-samples.js';
import { folderOfSuite, folderOfTest } from './setup/temporary-folder.js';
import { zarrql, serveStores, startProgram } from './cli/running.js';

const source = 'examples/data/coads.zarr';
const folder = folderOfSuite('cli-zip');

describe('zarrql zip', () => {
  test('an archive contains all objects of the store', async () => {
    const archive = join(folder, 'coads.zip');
    expect(await zarrql(['zip', source, archive])).toEqual({ code: 0, stdout: '', stderr: '' });
    const [from, to] = [
      createFilesystemStore({ label: 'from', root: source }),
      openStoreFromUrl('to', archive),
    ];
    const objects = await collect(from.walk(''));
    expect(await collect(to.walk(''))).toEqual(objects);
    for (const { key } of objects) expect((await get(to, key))?.bytes).toEqual((await get(from, key))?.bytes);
  });

  test('files that cannot be copied are an error', async () => {
    const holder = join(folder, 'links');
    await mkdir(join(holder, 'c'), { recursive: true });
    await writeFile(join(holder, 'zarr.json'), '{}');
    await writeFile(join(folder, 'elsewhere'), 'x');
    for (const target of [join(folder, 'elsewhere'), 'nothing', '0', '..']) {
      await symlink(target, join(holder, 'c', '0'));
      const archive = join(folder, 'links.zip');
      const { code, stderr } = await zarrql(['zip', holder, archive]);
      expect({ target, code }).toEqual({ target, code: 1 });
      expect(stderr).toContain('key "c/0"');
      await rm(join(holder, 'c', '0'));
    }
    expect(await readdir(folder)).not.toContain('links.zip');
  });

  test('existing archives are not overwritten, and stores that cannot be copied are an error', async () => {
    await writeFile(join(folder, 'there.zip'), 'mine');
    expect(await zarrql(['zip', source, join(folder, 'there.zip')])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('already exists'),
    });
    expect(await readFile(join(folder, 'there.zip'), 'utf8')).toBe('mine');
    expect((await zarrql(['zip', join(folder, 'none'), join(folder, 'x.zip')])).code).toBe(1);
    expect((await zarrql(['zip', 'http://127.0.0.1:9/x', join(folder, 'x.zip')])).stderr).toContain(
      'do not support listing',
    );
    expect(await readdir(folder)).not.toContain('x.zip');
  });
});

test('a generated token authenticates its bearer only', async () => {
  const { stdout } = await zarrql(['token']);
  const [, token = '', sha256 = ''] =
    /^token: {2}(zql_[\w-]{43})\nsha256: ([0-9a-f]{64})\n$/.exec(stdout) ?? [];
  expect(createHash('sha256').update(token).digest('hex')).toBe(sha256);
  const file = join(folderOfTest('token'), 'zarrql.yaml');
  const auth = { roles: { r: { read: ['coads'] } }, tokens: [{ name: 'me', sha256, roles: ['r'] }] };
  writeFileSync(file, JSON.stringify({ auth }));
  const { address } = await serveStores(['--config', file, '--store', 'coads=examples/data/coads.zarr']);
  const send = (headers: Record<string, string>) =>
    fetch(`${address}?query={stores{nodes{name}}}`, { headers }).then((response) => response.json());
  expect(await send({ authorization: `Bearer ${token}` })).toEqual({
    data: { stores: { nodes: [{ name: 'coads' }] } },
  });
  expect(await send({})).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
});

// `zarrql open`, and stores without a name.

const coads = 'examples/data/coads.zarr';

test.each([
  ['/data/sst.zarr', 'sst'],
  ['/data/sst.zarr/', 'sst'],
  ['sst.zarr.zip', 'sst'],
  ['https://example.org/a/sst.zarr?token=secret/x', 'sst'],
  ['s3://bucket/a b/été 1.zarr', '_t_1'],
  ['file:///data/x', 'x'],
  ['memory:', 'memory'],
  ['.', 'store'],
  ['/', 'store'],
  ['..hidden', 'hidden'],
])('the store at %s is named %s', (address, name) => {
  expect(storeNameOf(address)).toBe(name);
});

test('a number is added to duplicate names', () => {
  expect(namedStores(['a/x.zarr', 'b/x.zarr'], ['x=/other'])).toEqual(['x-2=a/x.zarr', 'x-3=b/x.zarr']);
});

test('serve accepts a folder', async () => {
  const { address } = await serveStores([coads]);
  const response = await fetch(`${address}?query=${encodeURIComponent('{ stores { nodes { name } } }')}`);
  expect(await response.json()).toEqual({ data: { stores: { nodes: [{ name: 'coads' }] } } });
});

test.each([
  [coads, '#/coads'],
  [`${coads}/SST`, '#/coads/SST'],
])('open %s prints the address of its page', async (address, fragment) => {
  const { address: page } = await startProgram(['open', address]);
  expect(page).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/${fragment}$`));
  const response = await fetch(page, { headers: { accept: 'text/html' } });
  expect(response.headers.get('content-type')).toContain('text/html');
});

test('open reports a missing folder', async () => {
  const { code, stderr, stdout } = await zarrql(['open', 'nowhere.zarr']);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('nowhere.zarr');
});

test('open accepts the flags of serve, except --store', async () => {
  const { address: page } = await startProgram(['open', coads, '--no-explorer']);
  const { status } = await fetch(page, { headers: { accept: 'text/html' }, redirect: 'manual' });
  expect(status).toBe(302);
  const { code, stderr } = await zarrql(['open', coads, '--store', 'a=b']);
  expect(code).toBe(2);
  expect(stderr).toContain("unknown option '--store'");
});

// `zarrql codegen` on the command line.
describe('zarrql codegen', () => {
  const gateway = sampleStores();
  let server: Awaited<ReturnType<typeof listen>>;
  let folder: string;
  let headers: (string | null)[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zarrql-codegen-'));
    server = await listen((request) => {
      headers.push(request.headers.get('authorization'));
      return gateway.fetch(request, fullAccess);
    });
  });
  afterAll(async () => {
    server.close();
    await gateway.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('writes a file, and sends the given header', async () => {
    headers = [];
    const out = join(folder, 'stores.gen.ts');
    const given = ['--url', server.url, '--out', out, '--header', 'authorization: Bearer secret'];
    const { code, stdout, stderr } = await zarrql([
      'codegen',
      ...given,
      '--runtime',
      '../../../client/index.js',
    ]);
    expect([code, stdout, stderr]).toEqual([0, '', '']);
    expect(await readFile(out, 'utf8')).toBe(
      await readFile(join(root, 'test/types/generated/stores.ts'), 'utf8'),
    );
    expect(new Set(headers)).toEqual(new Set(['Bearer secret']));
  });

  test('writes one store to stdout', async () => {
    const { code, stdout } = await zarrql(['codegen', '--url', server.url, '--out', '-', '--store', 'etopo20', '--name', 'Relief']); // prettier-ignore
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\/\/ Written by[^]*export interface Relief \{\n {2}readonly etopo20: \{/);
    expect(stdout).not.toContain('coads');
  });

  test('an unknown store is rejected', async () => {
    const { code, stderr } = await zarrql(['codegen', '--url', server.url, '--out', '-', '--store', 'sea']);
    expect(code).toBe(2);
    expect(stderr).toContain('--store: the gateway has no store "sea"');
  });

  test.each([
    [
      ['--url', 'http://127.0.0.1:9/graphql', '--out', '-'],
      1,
      /no response from http:\/\/127\.0\.0\.1:9\/graphql/,
    ],
    [['--out', '-'], 2, /--url/],
    [
      ['--url', 'http://127.0.0.1:9/', '--out', '-', '--header', 'secret'],
      2,
      /--header must have the form "Name: value"/,
    ],
    [['--url', 'http://127.0.0.1:9/', '--out', '-', '--name', 'a b'], 2, /--name is a b/],
  ])('%j fails', async (args, code, message) => {
    const ended = await zarrql(['codegen', ...args]);
    expect([ended.code, ended.stdout]).toEqual([code, '']);
    expect(ended.stderr).toMatch(message);
    expect(ended.stderr).not.toContain('secret');
  });
});
