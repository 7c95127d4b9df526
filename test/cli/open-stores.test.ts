/** Opening stores at startup: unavailable stores, and missing folders. */
import { once } from 'node:events';
import { chmodSync, renameSync, writeFileSync, existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type OpenedStores, openStores } from '../../server/cli/open-stores.js';
import { parseConfig } from '../../server/config.js';
import { createMetrics } from '../../server/http/metrics.js';
import { createGateway, fullAccess } from '../../server/index.js';
import { folderOfTest } from '../setup/temporary-folder.js';
import { serveStores, zarrql } from './running.js';

const coads = 'examples/data/coads.zarr';
/** A file that has the extension of archives but is none. */
function damagedArchive(): string {
  const path = join(folderOfTest('broken'), 'damaged.zip');
  writeFileSync(path, 'PK'.repeat(5000));
  return path;
}

interface Opening {
  readonly opened: Promise<OpenedStores>;
  readonly log: Record<string, unknown>[];
}

function open(stores: readonly Record<string, unknown>[], strictStores = false): Opening {
  const log: Record<string, unknown>[] = [];
  const write =
    (level: string) =>
    (fields: object, msg?: string): void => {
      log.push({ ...fields, level, msg });
    };
  const logger = { info: write('info'), warn: write('warn'), error: write('error') };
  const opened = openStores(parseConfig({ stores, strictStores }), createMetrics(), logger, {});
  return { opened, log };
}

const closed: [string, () => Record<string, unknown>] = [
  'a folder without read permission',
  () => ({ url: closedFolder() }),
];
const good = { name: 'good', url: coads };
const read =
  '{ good: store(name: "good") { array(path: "SST") { shape } } bad: store(name: "bad") { array(path: "SST") { shape } } }';
const shape = { array: { shape: [12, 90, 180] } };

describe('an unavailable store', () => {
  test('fails its own fields until it can be opened', async () => {
    const url = damagedArchive();
    const { opened, log } = open([good, { name: 'bad', url }]);
    const { stores, health } = await opened;
    expect(log).toMatchObject([
      { level: 'error', store: 'bad', problem: expect.stringMatching(/archive|zip/i) },
    ]);
    expect([health.count, health.unusable()]).toEqual([2, ['bad']]);
    const gateway = createGateway({ stores });
    onTestFinished(() => gateway.close());
    const before = await gateway.execute({ document: read }, fullAccess);
    expect(before.data).toEqual({ good: shape, bad: { array: null } });
    expect(before.errors).toMatchObject([{ path: ['bad', 'array'], extensions: { store: 'bad' } }]);

    expect((await zarrql(['zip', coads, `${url}.new.zip`])).code).toBe(0);
    renameSync(`${url}.new.zip`, url);
    expect((await gateway.execute({ document: read }, fullAccess)).data).toEqual({ good: shape, bad: shape });
    await health.recheck();
    expect(health.unusable()).toEqual([]);
    expect(log.at(-1)).toMatchObject({ level: 'info', store: 'bad', msg: 'the store is available' });
  });

  test.each<[string, () => Record<string, unknown>]>([
    ['a folder that does not exist', () => ({ url: join(folderOfTest('broken'), 'missing') })],
    ['an archive that does not exist', () => ({ url: join(folderOfTest('broken'), 'missing.zip') })],
    ['an empty archive', () => ({ url: emptyFile() })],
    ['an archive below a file', () => ({ url: join(emptyFile(), 'below.zip') })],
    [
      'a folder that cannot be created',
      () => ({ url: join(emptyFile(), 'below'), writable: true, filesystem: { create: true } }),
    ],
    // For the root user, the folder is readable and empty.
    ...(process.getuid?.() === 0 ? [] : [closed]),
  ])('fails its own fields: %s', async (_, make) => {
    const { opened, log } = open([good, { name: 'bad', ...make() }]);
    const { stores, health } = await opened;
    expect(health.unusable()).toEqual(['bad']);
    expect(log).toMatchObject([{ level: 'error', store: 'bad' }]);
    const gateway = createGateway({ stores });
    onTestFinished(() => gateway.close());
    const { data, errors } = await gateway.execute({ document: read }, fullAccess);
    expect(data?.['good']).toEqual(shape);
    expect(errors).toMatchObject([{ extensions: { store: 'bad' } }]);
  });

  test('prevents startup with strictStores, or if all stores are unavailable local paths', async () => {
    const bad = { name: 'bad', url: damagedArchive() };
    await expect(open([good, bad], true).opened).rejects.toThrow(/store "bad"/);
    await expect(open([bad, { ...bad, name: 'worse' }]).opened).rejects.toThrow(/"bad".*\n.*"worse"/);
    const server = createServer((_, response) => response.writeHead(403).end()).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/x.zarr`;
    const far = { name: 'far', url, retries: 0 };
    expect((await open([bad, far]).opened).health.unusable()).toEqual(['bad', 'far']);
    await expect(open([good, far], true).opened).rejects.toThrow(/store "far"/);
  });

  test('an unsupported URL scheme prevents startup without strictStores', async () => {
    await expect(open([good, { name: 'bad', url: 'gopher://x' }]).opened).rejects.toThrow(
      /"bad".*unsupported URL scheme/,
    );
  });
});

test('serve starts with an unavailable store and reports it in the log and at /readyz', async () => {
  const args = ['--store', `good=${coads}`, '--store', `bad=${damagedArchive()}`];
  const { address, child, ended } = await serveStores(args);
  const ready = await fetch(new URL('/readyz', address));
  expect([ready.status, await ready.text()]).toEqual([200, 'ok, but 1 of 2 stores are unavailable: bad\n']);
  child.kill('SIGTERM');
  const { code, stderr } = await ended;
  expect(code).toBe(0);
  expect(stderr).toMatch(/"level":"error".*"store":"bad".*"problem":/);
  expect(await zarrql(['serve', ...args, '--strict-stores'])).toMatchObject({ code: 1, stdout: '' });
});

function emptyFile(): string {
  const path = join(folderOfTest('broken'), 'empty.zip');
  writeFileSync(path, '');
  return path;
}

function closedFolder(): string {
  const folder = folderOfTest('broken');
  chmodSync(folder, 0);
  return folder;
}

// Store folders at startup: created only if configured.
test('a missing folder is created only with filesystem.create', async () => {
  const folder = folderOfTest('folders');
  const url = join(folder, 'new', 'store');
  const open = (more: Record<string, unknown>) => {
    const config = parseConfig({ stores: [{ name: 's', url, writable: true, ...more }] });
    const logger = { info() {}, warn() {}, error() {} };
    return openStores(config, createMetrics(), logger, {});
  };
  await expect(open({})).rejects.toThrow(/folder does not exist.*filesystem\.create/s);
  await expect(open({ writable: false, filesystem: { create: true } })).rejects.toThrow(/does not exist/);
  expect(existsSync(url)).toBe(false);
  const {
    stores: [served],
  } = await open({ filesystem: { create: true } });
  expect(existsSync(url)).toBe(true);
  await rm(url, { recursive: true });
  await expect(served?.store.set('zarr.json', Buffer.from('x'))).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
  });
  expect(existsSync(url)).toBe(false);
});

test('a file is not a valid store folder', async () => {
  const folder = folderOfTest('folders');
  const url = join(folder, 'notes.txt');
  await writeFile(url, 'x');
  const config = parseConfig({ stores: [{ name: 's', url }] });
  const logger = { info() {}, warn() {}, error() {} };
  await expect(openStores(config, createMetrics(), logger, {})).rejects.toThrow(
    /is a file; expected a folder/,
  );
});
