/**
 * Compares servers. All of them run, and one at a time receives requests. Measurements of one scenario are adjacent, so
 * that background load affects all servers alike. The order of servers rotates between cells.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { busyShare } from '../machine.mjs';
import { saveResults, chosen } from '../report.mjs';
import { watchHealth } from './health.mjs';
import { checkResponses, measureLoad } from './load.mjs';
import { startServer } from './processes.mjs';
import { gatewayReport } from './report.mjs';
import { scenarios } from './scenarios.mjs';
import { servers } from './servers.mjs';

/** Time in which a server may give back the memory that it used under load. */
const restMs = 10_000;

export async function benchGateways(options) {
  const names = chosen('servers', Object.keys(servers), options.servers);
  const requested = chosen('scenarios', Object.keys(scenarios), options.scenarios);
  const clients = options.clients ?? [1, 16];
  const running = new Map();
  const rows = [];
  const stopAll = () => Promise.all([...running.values()].map((server) => server.stop()));
  const exit = () => process.exit(1);
  // Stop the servers if the run is interrupted.
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => {
      stopAll().then(exit, exit);
    });
  try {
    for (const name of names) rows.push(await start(name, running));
    const up = names.filter((name) => running.has(name));
    let turn = 0;
    for (let round = 1; round <= options.rounds; round++)
      for (const scenario of requested)
        for (const count of clients) {
          turn++;
          for (let k = 0; k < up.length; k++) {
            const server = up[(k + turn) % up.length];
            const load = { clients: count, seconds: options.seconds };
            const row = {
              round,
              server,
              scenario,
              ...(await measure(server, scenario, running.get(server), load)),
            };
            console.error(progress(row));
            rows.push(row);
          }
        }
    const ends = up.map((name) => ({ server: name, scenario: 'end', ...running.get(name).memory() }));
    await delay(restMs);
    for (const end of ends) rows.push({ ...end, restMb: running.get(end.server).memory().now });
  } finally {
    await stopAll();
  }
  console.log(gatewayReport(rows, names));
  const settings = { ...options, servers: names, scenarios: requested, clients };
  console.log(`\nAll results: ${saveResults('gateway', settings, rows)}`);
  if (rows.some((row) => row.problem !== undefined)) process.exitCode = 1;
  return rows;
}

/** Also measures the first slice of a cold server. */
async function start(name, running) {
  const row = { server: name, scenario: 'start' };
  try {
    console.error(`starting ${name} ...`);
    const server = await startServer(name, servers[name]);
    running.set(name, server);
    const idle = server.memory().now;
    const began = performance.now();
    await checkResponses(server.base, servers[name].requests.slice, scenarios.slice.operations.slice(0, 1));
    return {
      ...row,
      readySeconds: server.readySeconds,
      firstSliceMs: performance.now() - began,
      idleMb: idle,
    };
  } catch (error) {
    return { ...row, problem: error.message };
  }
}

/** Compares the values of three operations before and after; in between, status and size of every response. */
async function measure(server, scenario, { base }, load) {
  const { kind, operations } = scenarios[scenario];
  const requests = servers[server].requests[kind];
  const busy = await busyShare();
  try {
    await checkResponses(base, requests, operations.slice(-3));
    const measured = await measureLoad(base, requests, operations, load);
    await checkResponses(base, requests, operations.slice(0, 3));
    if (servers[server].kind === 'ours')
      Object.assign(measured, { health: await measureHealth(base, requests, operations, load) });
    const { faults, firstFault } = measured;
    const problem = faults > 0 ? { problem: `${faults} responses were incorrect: ${firstFault}` } : {};
    return { busy, clients: load.clients, ...measured, ...problem };
  } catch (error) {
    return { busy, clients: load.clients, problem: error.message };
  }
}

/** Under the same load once more: the requests would slow down what is measured. */
async function measureHealth(base, requests, operations, load) {
  const watch = watchHealth(base);
  await measureLoad(base, requests, operations, { ...load, seconds: load.seconds / 2 });
  return watch.stop();
}

function progress({ scenario, clients, server, problem, perSecond, p50Ms }) {
  return `${scenario} c=${clients} ${server}: ${problem ?? `${perSecond}/s, median ${p50Ms} ms`}`;
}
