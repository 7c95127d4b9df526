// Restarts two gateways in turn behind nginx and HAProxy, with the configurations of docs/proxies, under load:
//   node scripts/rolling-restarts.mjs [--restarts 10] [--clients 8] [nginx] [haproxy]
// Needs a build. Exits with status 1 if a request failed. A missing proxy is skipped; with ZARRQL_REQUIRE_ALL=1 it is a failure.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort, isInstalled, proxyNames, startProxy } from './proxies.mjs';

const root = join(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { restarts: { type: 'string', default: '10' }, clients: { type: 'string', default: '8' } },
});
const restarts = Number(values.restarts);
const clients = Number(values.clients);
/** Time in which a proxy detects that a gateway is available again. */
const settleMs = 2500;

const query =
  '{ store(name: "coads") { array(path: "SST") { slice(select: { text: "0, 40, 60:62" }) { values } } } }';
const body = JSON.stringify({ query });
const expected = '[28.791427612304688,29.122499465942383]';

async function startGateway(port) {
  const args = [
    'serve',
    '--port',
    String(port),
    '--store',
    `coads=${join(root, 'examples/data/coads.zarr')}`,
  ];
  const child = spawn(process.execPath, [join(root, 'dist/server/cli.js'), ...args, '--log-level', 'warn'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  await Promise.race([
    once(child.stdout, 'data'),
    ended.then(([code]) => {
      throw new Error(`the gateway exited with status ${code}; run "npm run build" if dist/ is missing`);
    }),
  ]);
  return { child, ended };
}

async function stopGateway({ child, ended }) {
  child.kill('SIGTERM');
  const [code] = await ended;
  if (code !== 0) throw new Error(`a gateway exited with status ${code}`);
}

/** @returns undefined for correct values, otherwise the response */
function sendRequest(port, agent) {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const outgoing = request(
      { host: '127.0.0.1', port, path: '/graphql', method: 'POST', headers, agent },
      (incoming) => {
        let text = '';
        incoming.setEncoding('utf8').on('data', (part) => (text += part));
        incoming.on('end', () => {
          resolve(
            incoming.statusCode === 200 && text.includes(expected)
              ? undefined
              : `${incoming.statusCode} ${text.slice(0, 100)}`,
          );
        });
        incoming.on('error', (error) => resolve(String(error)));
      },
    );
    outgoing.on('error', (error) => resolve(String(error)));
    outgoing.end(body);
  });
}

/** Clients that send requests one after the other until they are stopped, half of them on persistent connections. */
function startLoad(port) {
  const agent = new Agent({ keepAlive: true });
  const counts = { requests: 0, failures: [] };
  let isRunning = true;
  const client = async (i) => {
    while (isRunning) {
      const failure = await sendRequest(port, i % 2 === 0 ? agent : false);
      counts.requests++;
      if (failure !== undefined) counts.failures.push(failure);
    }
  };
  const all = Promise.all(Array.from({ length: clients }, (_, i) => client(i)));
  return {
    counts,
    async stop() {
      isRunning = false;
      await all;
      agent.destroy();
    },
  };
}

async function check(name) {
  const [port, ...ports] = [await freePort(), await freePort(), await freePort()];
  const gateways = [await startGateway(ports[0]), await startGateway(ports[1])];
  const proxy = startProxy(name, port, ports);
  try {
    while ((await sendRequest(port, false)) !== undefined) await pause(100);
    await pause(settleMs);
    const load = startLoad(port);
    const start = performance.now();
    for (let i = 0; i < restarts; i++) {
      await pause(settleMs);
      const which = i % 2;
      await stopGateway(gateways[which]);
      gateways[which] = await startGateway(ports[which]);
    }
    await pause(settleMs);
    await load.stop();
    const { requests, failures } = load.counts;
    const seconds = Math.round((performance.now() - start) / 1000);
    console.log(
      `${name}: ${restarts} restarts in ${seconds} s, ${requests} requests, ${failures.length} failed`,
    );
    for (const failure of failures.slice(0, 10)) console.log(`  ${failure}`);
    return failures.length === 0;
  } finally {
    await proxy.stop();
    for (const { child } of gateways) child.kill('SIGKILL');
  }
}

let isFine = true;
for (const name of positionals.length > 0 ? positionals : proxyNames) {
  if (!isInstalled(name)) {
    console.log(`${name}: skipped, because it is not installed`);
    isFine &&= process.env.ZARRQL_REQUIRE_ALL !== '1';
  } else isFine = (await check(name)) && isFine;
}
process.exitCode = isFine ? 0 : 1;
