/**
 * Zarr over HTTP: objects of 1 MiB in a folder, sent to 16 connections by zarrql, by nginx (two processes, sendfile),
 * and by a server that only calls node:fs and node:http. Only one server receives requests at a time.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { distFolder } from '../folders.mjs';
import { startServer } from '../gateway/processes.mjs';
import { busyShare } from '../machine.mjs';
import { figure, median, noise, saveResults, table } from '../report.mjs';

const count = 64;
const bytes = 2 ** 20;
const quietly = (port) => ['--port', String(port), '--log-level', 'warn'];
const hasNginx = () => {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

export async function benchObjects({ rounds, seconds, clients: [clients] = [16], json }) {
  const folder = mkdtempSync(join(tmpdir(), 'zarrql-objects-'));
  // The processes of nginx may run as another user.
  chmodSync(folder, 0o755);
  const running = [];
  const start = async (name, how, prefix) => {
    const server = await startServer(`objects ${name}`, how);
    running.push(server);
    return { name, server, url: `${server.base}${prefix}` };
  };
  try {
    const root = writeObjects(folder);
    const servers = [
      await start(
        'zarrql',
        {
          start: (port) => [
            process.execPath,
            [join(distFolder, 'server/cli.js'), 'serve', '--store', `s=${root}`, ...quietly(port)],
          ],
          ready: '/readyz',
        },
        '/zarr/s/c/',
      ),
      await start(
        'node:http',
        {
          start: (port) => [
            process.execPath,
            [join(import.meta.dirname, 'file-server.mjs'), root, String(port)],
          ],
          ready: '/zarr.json',
        },
        '/c/',
      ),
    ];
    if (hasNginx()) servers.push(await start('nginx', nginx(folder, root), '/c/'));
    else console.log('nginx is not installed: its figures are missing');
    const rows = [];
    for (let round = 1; round <= rounds; round++)
      for (const { name, server, url } of servers) {
        const busy = await busyShare();
        const cpu = server.cpuMs();
        const gigabytes = load(url, clients, seconds);
        rows.push({
          ...{ round, name, clients, busy, gbPerSecond: gigabytes / seconds },
          cpuSecondsPerGb: (server.cpuMs() - cpu) / 1000 / gigabytes,
          residentMb: server.memory(),
        });
      }
    console.log(
      report(
        rows,
        servers.map(({ name }) => name),
      ),
    );
    console.log(`\nAll results: ${saveResults('objects', { json, rounds, seconds, clients }, rows)}`);
  } finally {
    await Promise.all(running.map((server) => server.stop()));
    rmSync(folder, { recursive: true });
  }
}

/** Writes a Zarr array of uncompressed chunks. @returns its folder */
function writeObjects(folder) {
  const root = join(folder, 'array.zarr');
  mkdirSync(join(root, 'c'), { recursive: true });
  const metadata = {
    ...{ zarr_format: 3, node_type: 'array', shape: [count * bytes], data_type: 'uint8', fill_value: 0 },
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [bytes] } },
    chunk_key_encoding: { name: 'default' },
    codecs: [{ name: 'bytes' }],
  };
  writeFileSync(join(root, 'zarr.json'), JSON.stringify(metadata));
  for (let i = 0; i < count; i++) writeFileSync(join(root, 'c', String(i)), randomBytes(bytes));
  return root;
}

function nginx(folder, root) {
  return {
    start: (port) => {
      const file = join(folder, 'nginx.conf');
      writeFileSync(
        file,
        `worker_processes 2; daemon off; error_log stderr crit; pid nginx.pid; events {}
http { sendfile on; access_log off; keepalive_requests 1000000;
  server { listen 127.0.0.1:${port}; root ${root}; } }`,
      );
      return ['nginx', ['-p', folder, '-c', file]];
    },
    ready: '/zarr.json',
  };
}

/** @returns the number of gigabytes that a client in another process received; every response must be complete */
function load(url, clients, seconds) {
  const client = join(import.meta.dirname, 'client.mjs');
  const args = [client, url, String(count), String(bytes), String(clients), String(seconds)];
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

function report(rows, names) {
  const of = (name, key) => rows.filter((row) => row.name === name).map((row) => row[key]);
  const lines = names.map((name) => {
    const rate = median(of(name, 'gbPerSecond'));
    const peer = names.includes('nginx') ? median(of('nginx', 'gbPerSecond')) : undefined;
    return [
      name,
      figure(rate),
      figure(peer && rate / peer),
      name === 'nginx' ? '' : figure(median(of(name, 'cpuSecondsPerGb'))),
      name === 'nginx' ? '' : Math.max(...of(name, 'residentMb').map(({ peak }) => peak)),
    ];
  });
  return [
    `Objects of 1 MiB, medians of the rounds`,
    table(['server', 'GB/s', "of nginx's", 'CPU s per GB', 'peak MB'], lines),
    noise(
      rows.map(({ busy }) => busy),
      names.map((name) => of(name, 'gbPerSecond')),
    ),
  ].join('\n\n');
}
