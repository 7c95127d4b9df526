/** Unix sockets, the separate address for health and metrics, and messages to systemd. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOfTest } from '../setup/temporary-folder.js';
import { serveStores, zarrql } from './running.js';

const coads = ['--store', 'coads=examples/data/coads.zarr'];
const onUnix = process.platform !== 'win32';

function textOf(socketPath: string, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ socketPath, path, agent: false }, (response) => {
      let text = `${response.statusCode} `;
      response.on('data', (part: Buffer) => (text += part.toString())).on('end', () => resolve(text));
    }).on('error', reject);
  });
}

test.runIf(onUnix)('a unix socket, which replaces that of a killed process', async () => {
  const socket = join(folderOfTest('socket'), 'zarrql.sock');
  const first = await serveStores([...coads, '--socket', socket]);
  expect(first.address).toBe(`unix:${socket}`);
  expect(await textOf(socket, '/graphql?query={gateway{version}}')).toMatch(/^200 \{"data"/);
  expect((await zarrql(['serve', ...coads, '--socket', socket])).stderr).toContain(
    'choose another path with --socket',
  );
  first.child.kill('SIGKILL');
  await first.ended;
  expect(existsSync(socket)).toBe(true);
  const second = await serveStores([...coads, '--socket', socket]);
  expect(await textOf(socket, '/livez')).toBe('200 ok\n');
  second.child.kill('SIGTERM');
  expect((await second.ended).code).toBe(0);
  expect(existsSync(socket)).toBe(false);
});

test('a file that is no socket is not replaced', async () => {
  const path = join(folderOfTest('socket'), 'file');
  writeFileSync(path, 'kept');
  expect((await zarrql(['serve', ...coads, '--socket', path])).code).toBe(1);
  expect(readFileSync(path, 'utf8')).toBe('kept');
});

test.runIf(onUnix)('health and metrics at a separate address, without a token', async () => {
  const folder = folderOfTest('admin');
  const admin = join(folder, 'admin.sock');
  const config = join(folder, 'zarrql.json');
  const auth = {
    roles: { r: { read: ['*'] } },
    tokens: [{ name: 't', sha256: '0'.repeat(64), roles: ['r'] }],
  };
  writeFileSync(config, JSON.stringify({ auth, adminAddress: admin }));
  const { address, child, ended } = await serveStores([...coads, '--config', config]);
  expect(await textOf(admin, '/metrics')).toMatch(/^200 [^]*zarrql_http_requests_total/);
  expect(await textOf(admin, '/readyz')).toMatch(/^200 ok/);
  expect(await textOf(admin, '/graphql?query={gateway{version}}')).toMatch(/^404 /);
  expect((await fetch(new URL('/metrics', address))).status).toBe(404);
  expect((await fetch(new URL('/livez', address))).status).toBe(200);
  child.kill('SIGTERM');
  expect((await ended).code).toBe(0);
});

test.runIf(onUnix)(
  'systemd is told about the start, a reload, the end, and that the process works',
  async () => {
    const folder = folderOfTest('systemd');
    const [messages, program] = [join(folder, 'messages'), join(folder, 'systemd-notify')];
    // The real program needs the socket of systemd.
    writeFileSync(program, `#!/bin/sh\necho "$@" >> '${messages}'\n`);
    chmodSync(program, 0o755);
    const { child, ended } = await serveStores(coads, {
      PATH: `${folder}:${process.env['PATH'] ?? ''}`,
      NOTIFY_SOCKET: join(folder, 'notify'),
      WATCHDOG_USEC: '200000',
    });
    const sent = (): string => (existsSync(messages) ? readFileSync(messages, 'utf8') : '');
    await expect.poll(sent).toMatch(/^READY=1$/m);
    await expect.poll(sent, { timeout: 10_000 }).toMatch(/(^WATCHDOG=1$[^]*){2}/m);
    child.kill('SIGHUP');
    await expect.poll(sent).toMatch(/^RELOADING=1 MONOTONIC_USEC=\d+\n[^]*^READY=1$/m);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
    expect(sent()).toMatch(/^STOPPING=1$/m);
  },
);

test.runIf(onUnix)('without the program of systemd, the gateway serves', async () => {
  const { address, child, ended } = await serveStores(coads, {
    PATH: folderOfTest('systemd'),
    NOTIFY_SOCKET: '/nowhere',
  });
  expect((await fetch(new URL('/livez', address))).status).toBe(200);
  child.kill('SIGTERM');
  expect((await ended).stderr).toContain('systemd was not notified');
});
