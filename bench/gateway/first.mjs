/**
 * The first answer of a process: each measurement starts a gateway, waits until it answers `/livez`, and sends one request.
 * Kinds of requests and settings alternate, so that other load affects all of them.
 */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { dataFolder, distFolder } from '../folders.mjs';
import { busyShare, cpuMs } from '../machine.mjs';
import { chosen, figure, median, noise, saveResults, table } from '../report.mjs';
import { freePort } from './processes.mjs';

const repetitions = 20;
/** Milliseconds between attempts to reach a process that starts. */
const pollMs = 3;
const waitMs = 60_000;
const codecs = ['raw', 'zstd', 'blosc', 'gzip', 'shard'];
/** A plane of 256 KiB, for which 16 MiB of chunks are decoded. */
const plane = { index: 300, bytes: 512 * 256 * 2 };
/** A time step of 1 MB, for which 31 MB of chunks are decoded. */
const step = { index: 100, bytes: 360 * 720 * 4 };

const sliceQuery = (path, index) =>
  `{ store(name: "s") { array(path: "${path}") { slice(select: { dims: [{ index: ${index} }] }) { values } } } }`;

/** Each kind with its store and request, and the bytes that end the response. */
const kinds = {
  metadata: {
    store: 'gateway/ds.zarr',
    query: '{ store(name: "s") { array(path: "t2m") { shape dtype { name } chunkShape attributes } } }',
    accept: 'application/json',
    isRight: (body) => body.includes('air_temperature') && !body.includes('"errors"'),
  },
  'slice of 1 MB, zstd': slice('gateway/ds.zarr', 't2m', step, 'gateway/t2m.f4'),
  ...Object.fromEntries(
    codecs.map((codec) => [
      `plane of 256 KiB, ${codec}`,
      slice(`engine/${codec}`, '/', plane, 'engine/data.u2'),
    ]),
  ),
};
const settings = { 'chunk cache': [], 'no chunk cache': ['--chunk-cache-bytes', '0'] };

function slice(store, path, { index, bytes }, source) {
  let expected;
  return {
    store,
    query: sliceQuery(path, index),
    accept: 'application/cbor',
    // The raw values are at the end of the response.
    isRight(body) {
      expected ??= partOf(join(dataFolder, source), index * bytes, bytes);
      return body.subarray(-bytes).equals(expected);
    },
  };
}

function partOf(file, start, length) {
  const part = Buffer.alloc(length);
  const opened = openSync(file);
  readSync(opened, part, 0, length, start);
  closeSync(opened);
  return part;
}

export async function benchFirst(options) {
  const names = chosen('scenarios', Object.keys(kinds), options.scenarios);
  const rows = [];
  for (let i = 0; i < repetitions * options.rounds; i++)
    for (const name of names)
      for (const [setting, flags] of Object.entries(settings)) {
        const busy = await busyShare();
        rows.push({ kind: name, setting, busy, ...(await measureFirst(kinds[name], flags)) });
      }
  console.log(firstReport(rows, names));
  console.log(`\nAll results: ${saveResults('first', options, rows)}`);
}

async function measureFirst({ store, query, accept, isRight }, flags) {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(
    process.execPath,
    [
      join(distFolder, 'server/cli.js'),
      ...['serve', '--store', `s=${join(dataFolder, store)}`, '--port', String(port), '--log-level', 'warn'],
      ...flags,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const exited = new Promise((resolve) => child.once('exit', resolve));
  try {
    while ((await send(port, { path: '/livez' })).status !== 200) {
      if (child.exitCode !== null || performance.now() - began > waitMs)
        throw new Error('the gateway did not start');
      await delay(pollMs);
    }
    const readyMs = performance.now() - began;
    const readyCpuMs = cpuMs(child.pid);
    const body = JSON.stringify({ query });
    const headers = { 'content-type': 'application/json', accept };
    const sent = performance.now();
    const first = await send(port, { method: 'POST', path: '/graphql', headers }, body);
    const answered = performance.now();
    const answerCpuMs = cpuMs(child.pid) - readyCpuMs;
    if (first.status !== 200 || !isRight(first.body)) throw new Error('the first response is wrong');
    const next = await send(port, { method: 'POST', path: '/graphql', headers }, body);
    if (next.status !== 200 || !isRight(next.body)) throw new Error('the second response is wrong');
    const answerMs = answered - sent;
    return {
      readyMs,
      readyCpuMs,
      answerMs,
      answerCpuMs,
      startToAnswerMs: answered - began,
      nextMs: performance.now() - answered,
    };
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
}

/** @returns status 0 if there is no connection */
function send(port, options, body) {
  return new Promise((resolve) => {
    const outgoing = httpRequest({ host: '127.0.0.1', port, agent: false, ...options }, (incoming) => {
      const parts = [];
      incoming.on('data', (part) => parts.push(part));
      incoming.on('end', () => resolve({ status: incoming.statusCode, body: Buffer.concat(parts) }));
      incoming.on('error', () => resolve({ status: 0 }));
    });
    outgoing.on('error', () => resolve({ status: 0 }));
    outgoing.end(body);
  });
}

function firstReport(rows, names) {
  const of = (kind, setting, name) =>
    rows.filter((row) => row.kind === kind && row.setting === setting).map((row) => row[name]);
  const cells = (kind, name) =>
    Object.keys(settings).map((setting) => {
      const values = of(kind, setting, name).toSorted((a, b) => a - b);
      return `${figure(median(values))} (${figure(values[0])})`;
    });
  const lines = names.map((kind) => [
    kind,
    ...cells(kind, 'answerMs'),
    ...cells(kind, 'answerCpuMs'),
    ...cells(kind, 'startToAnswerMs'),
    ...cells(kind, 'nextMs'),
  ]);
  const head = ['answer ms', 'CPU ms', 'start to answer ms', 'second answer ms'].flatMap((name) => [
    `${name}, cache`,
    'no cache',
  ]);
  const count = rows.length / names.length / Object.keys(settings).length;
  return [
    `First answers, medians of ${count} processes (least):`,
    table(['', ...head], lines),
    noise(
      rows.map(({ busy }) => busy),
      [],
    ),
  ].join('\n\n');
}
