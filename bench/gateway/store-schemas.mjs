/**
 * Schemas of stores: warm queries in the typed and the generic form, in one process without HTTP connections, and what
 * a schema of 2,000 variables costs. Requests in the two forms alternate, so that background load affects both alike.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { getIntrospectionQuery } from 'graphql';
import { distFolder } from '../folders.mjs';
import { figure, median, saveResults, table } from '../report.mjs';

const load = (file) => import(pathToFileURL(join(distFolder, file)).href);
const { createGateway, fullAccess } = await load('server/index.js');
const { createMemoryStore, openHierarchy, openStoreFromUrl } = await load('server/zarr/index.js');

const warmUp = 300;
const requests = 1500;
const variables = 2000;

/** Typed and generic documents with the same results, by name. */
const pairs = {
  'one value': [
    '{ SST(TIME: {at: "0000-03"}, COADSY: {near: 40.5}, COADSX: {near: 311}) { value } }',
    '{ store(name: "coads") { dataset { variable(name: "SST") { slice(select: {named: [{dim: "TIME", by: {at: {value: "0000-03"}}}, {dim: "COADSY", by: {at: {value: 40.5, method: NEAREST}}}, {dim: "COADSX", by: {at: {value: 311, method: NEAREST}}}]}) { values } } } } }',
  ],
  'mean of a box': [
    '{ SST(COADSY: {between: {from: -10, to: -4}}) { mean(over: [TIME, COADSX]) { values coordinates { COADSY { values } } } } }',
    '{ store(name: "coads") { dataset { variable(name: "SST") { slice(select: {named: [{dim: "COADSY", by: {between: {from: -10, to: -4}}}]}) { reduce(by: MEAN, over: ["TIME", "COADSX"]) { values coordinates { name values } } } } } } }',
  ],
  '65 KB': [
    '{ SST(TIME: {index: 0}) { base64 { data } } }',
    '{ store(name: "coads") { dataset { variable(name: "SST") { slice(select: {named: [{dim: "TIME", by: {index: 0}}]}) { base64 { data } } } } } }',
  ],
};

export async function benchStoreSchemas(options) {
  const rows = [];
  await measureQueries(options.rounds, rows);
  for (let i = 0; i < 5; i++) rows.push(await measureBuilding());
  console.log(report(rows));
  console.log(`\nAll results: ${saveResults('schemas', options, rows)}`);
}

async function measureQueries(rounds, rows) {
  const folder = pathToFileURL(join(import.meta.dirname, '../../examples/data/coads.zarr')).href;
  const gateway = createGateway({ stores: [{ name: 'coads', store: openStoreFromUrl('coads', folder) }] });
  const send = async (path, query) => {
    const headers = { 'content-type': 'application/json' };
    const request = new Request(`http://localhost${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query }),
    });
    const text = await (await gateway.fetch(request, fullAccess)).text();
    if (text.includes('"errors"')) throw new Error(text);
  };
  for (const [name, [typed, generic]] of Object.entries(pairs))
    // The first requests compile code.
    for (let i = -warmUp; i < requests * rounds; i++) {
      const start = performance.now();
      await send('/graphql/coads', typed);
      const between = performance.now();
      await send('/graphql', generic);
      if (i >= 0)
        rows.push({ query: name, typedMs: between - start, genericMs: performance.now() - between });
    }
  await gateway.close();
}

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const heapMiB = () => {
  collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
};

/** The metadata is read before, by a request in the generic form. */
async function measureBuilding() {
  const store = createMemoryStore({ label: 's' });
  const hierarchy = openHierarchy(store);
  await hierarchy.createGroup('/');
  for (const [name, size] of [
    ['time', 4],
    ['lat', 3],
    ['lon', 5],
  ])
    await hierarchy.createArray(name, { shape: [size], dtype: 'float64', dimensionNames: [name] });
  for (let i = 0; i < variables; i++)
    await hierarchy.createArray(`v${i}`, {
      shape: [4, 3, 5],
      dtype: 'float32',
      dimensionNames: ['time', 'lat', 'lon'],
      attributes: { long_name: `Variable ${i}`, units: 'K' },
    });
  const gateway = createGateway({ stores: [{ name: 's', store }] });
  const generic = await gateway.execute(
    { document: '{ store(name: "s") { dataset { variable(name: "v7") { units } } } }' },
    fullAccess,
  );
  if (generic.errors !== undefined) throw new Error(JSON.stringify(generic.errors));
  const typed = gateway.as(fullAccess).forStore('s');
  const heap = heapMiB();
  const timed = async (work) => {
    const cpu = cpuMs();
    await work();
    return cpuMs() - cpu;
  };
  const buildMs = await timed(() => typed.schema());
  const buildMiB = heapMiB() - heap;
  const introspect = async () => {
    const body = JSON.stringify({ query: getIntrospectionQuery(), operationName: 'IntrospectionQuery' });
    const request = new Request('http://localhost/graphql/s', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    await (await gateway.fetch(request, fullAccess)).arrayBuffer();
  };
  const introspectionMs = await timed(introspect);
  const againMs = await timed(introspect);
  const sdlMs = await timed(() => typed.sdl());
  await gateway.close();
  return { buildMs, buildMiB, introspectionMs, againMs, sdlMs };
}

function report(rows) {
  const queries = Object.keys(pairs).map((name) => {
    const own = rows.filter(({ query }) => query === name);
    const [typed, generic] = ['typedMs', 'genericMs'].map((key) => median(own.map((row) => row[key])));
    return [name, figure(typed), figure(generic), figure(typed / generic)];
  });
  const built = rows.filter(({ buildMs }) => buildMs !== undefined);
  const of = (key) => figure(median(built.map((row) => row[key])));
  const costs = [
    ['build, ms of CPU time', of('buildMs')],
    ['build, MiB of heap', of('buildMiB')],
    ['first introspection, ms of CPU time', of('introspectionMs')],
    ['further introspection, ms of CPU time', of('againMs')],
    ['SDL, ms of CPU time', of('sdlMs')],
  ];
  const head = ['query', 'typed, ms', 'generic, ms', 'typed / generic'];
  return `${table(head, queries)}\n\n${table(['schema of 2,000 variables', ''], costs)}`;
}
