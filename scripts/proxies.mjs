/** Starts the proxies of `docs/proxies` on this machine, with the configurations of that folder. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../docs/proxies');

const proxies = {
  nginx: {
    file: 'nginx.conf',
    // The file is included in the block `http`. All other files of nginx are in a temporary folder.
    wrap: (config) =>
      `daemon off; error_log stderr warn; pid nginx.pid; events {} http { access_log off; client_body_temp_path b; proxy_temp_path p; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;\n${config}\n}`,
    args: (work, file) => ['-p', work, '-c', file],
  },
  haproxy: { file: 'haproxy.cfg', wrap: (config) => config, args: (_, file) => ['-db', '-f', file] },
};

/** @returns {string[]} */
export const proxyNames = Object.keys(proxies);

/** @param {string} name */
export function isInstalled(name) {
  return spawnSync(name, ['-v']).error === undefined;
}

/** @returns {Promise<number>} */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Starts a proxy, which may not listen yet.
 * @param {string} name
 * @param {number} port the proxy's own
 * @param {readonly [number, number]} gateways ports of the two gateways of the configuration
 * @returns {{ stop(): Promise<void> }}
 */
export function startProxy(name, port, gateways) {
  const { file, wrap, args } = proxies[name];
  const work = mkdtempSync(join(tmpdir(), 'zarrql-proxy-'));
  const path = join(work, file);
  const config = wrap(readFileSync(join(folder, file), 'utf8'))
    .replaceAll(':4000', `:${port}`)
    .replaceAll(':4001', `:${gateways[0]}`)
    .replaceAll(':4002', `:${gateways[1]}`);
  writeFileSync(path, config);
  const child = spawn(name, args(work, path), { stdio: ['ignore', 'ignore', process.env.DEBUG ? 'inherit' : 'ignore'] }); // prettier-ignore
  const ended = once(child, 'exit');
  return {
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(work, { recursive: true, force: true });
    },
  };
}
