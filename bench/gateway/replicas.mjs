/**
 * Three replicas behind nginx, one Redis and one S3 server, under mixed load, while replicas are killed (SIGKILL) and
 * Redis is restarted. Needs a build (`npm run build`), nginx, and what the tests need for Redis and S3:
 *
 *     node --import ./scripts/typescript-sources.mjs bench/gateway/replicas.mjs [--seconds 40] [--kill-every 10]
 *
 * Ten minutes: `--seconds 600 --kill-every 20`. It exits with status 1 if an acknowledged write was lost, a value was
 * wrong, a subscriber missed an event or received one twice (by its id) without being told, or a budget was exceeded by
 * more than 10 %.
 */
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Redis } from 'ioredis';
import { freePort, isInstalled } from '../../scripts/proxies.mjs';
import { createBucket } from '../../test/s3/bucket.ts';
import { startS3Server } from '../../test/s3/server.ts';
import { startRedis } from '../../test/setup/redis.ts';

const root = join(import.meta.dirname, '../..');
const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '40' },
    'kill-every': { type: 'string', default: '10' },
  },
});
const seconds = Number(options.seconds);
const killEvery = Number(options['kill-every']);
const REPLICAS = 3;
const WRITERS = 4;
const READERS = 3;
const SUBSCRIBERS = 3;
/** Units of a client per minute. */
const BUDGET = 1200;
const MAX_AGE_MS = 5000;
/** Time after which other replicas are expected to see a write, while Redis is available. */
const FRESH_MS = 500;
const SETTLE_MS = 12_000;

const secrets = Object.fromEntries(
  ['load', 'greedy'].flatMap((kind) =>
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((i) => [`${kind}${i}`, randomBytes(12).toString('hex')]),
  ),
);

function config(s3, bucket, redis, port) {
  return {
    stores: [
      {
        name: 's',
        url: `s3://${bucket}/data`,
        writable: true,
        maxAgeMs: MAX_AGE_MS,
        s3: { endpoint: s3.endpoint, region: 'us-east-1' },
      },
    ],
    port,
    redis: redis.url,
    hrefKeys: ['a key that all replicas share'],
    maxClientCost: BUDGET,
    trustedProxies: 1,
    logLevel: 'error',
    auth: {
      roles: { all: { read: ['*'], write: ['*'], metrics: true } },
      tokens: Object.entries(secrets).map(([name, secret]) => ({
        name,
        sha256: createHash('sha256').update(secret).digest('hex'),
        roles: ['all'],
      })),
    },
  };
}

async function startReplica(folder, settings, env) {
  const file = join(folder, `${settings.port}.json`);
  writeFileSync(file, JSON.stringify(settings));
  const child = spawn(process.execPath, [join(root, 'dist/server/cli.js'), 'serve', '--config', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  });
  const ended = once(child, 'exit');
  await Promise.race([
    once(child.stdout, 'data'),
    ended.then(([code]) => {
      throw new Error(`a replica exited with status ${code}`);
    }),
  ]);
  return { child, ended };
}

function startNginx(folder, port, ports) {
  const servers = ports.map((p) => `server 127.0.0.1:${p} max_fails=1 fail_timeout=1s;`).join(' ');
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; error_log stderr crit; pid nginx.pid; events {}
http { access_log off; client_body_temp_path b; proxy_temp_path p; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;
upstream zarrql { ${servers} keepalive 32; }
server { listen 127.0.0.1:${port}; location / {
proxy_pass http://zarrql; proxy_http_version 1.1; proxy_set_header Connection ''; proxy_set_header Host $host;
proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; proxy_connect_timeout 2s; proxy_read_timeout 75s;
proxy_next_upstream error timeout; proxy_buffering off; } } }`,
  );
  return spawn('nginx', ['-p', folder, '-c', file], { stdio: 'ignore' });
}

/** @returns the status (0 without a response) and the body */
function send(port, agent, token, document, onPart) {
  return new Promise((resolve) => {
    const body = JSON.stringify({ query: document });
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      authorization: `Bearer ${secrets[token]}`,
      ...(onPart === undefined ? {} : { accept: 'text/event-stream' }),
    };
    let text = '';
    const outgoing = request(
      { host: '127.0.0.1', port, path: '/graphql', method: 'POST', headers, agent },
      (incoming) => {
        incoming.setEncoding('utf8').on('data', (part) => {
          if (onPart === undefined) text += part;
          else onPart(part);
        });
        const end = () => resolve({ status: incoming.statusCode ?? 0, text });
        incoming.on('end', end).on('error', end).on('close', end);
      },
    );
    outgoing.on('error', () => resolve({ status: 0, text }));
    outgoing.setTimeout(onPart === undefined ? 30_000 : 0, () => outgoing.destroy());
    outgoing.end(body);
  });
}

const failures = [];
const fail = (message) => {
  failures.push(message);
  if (failures.length <= 20) console.log(`FAILED: ${message}`);
};

const s3 = await startS3Server();
const redis = await startRedis({ own: true, args: ['--appendonly', 'yes', '--appendfsync', 'always'] });
if ('missing' in s3 || 'missing' in redis || !isInstalled('nginx')) {
  console.log(`skipped: ${s3.missing ?? redis.missing ?? 'nginx is not installed'}`);
  process.exit(process.env.ZARRQL_REQUIRE_ALL === '1' ? 1 : 0);
}
const folder = mkdtempSync(join(tmpdir(), 'zarrql-replicas-'));
const bucket = await createBucket(s3);
const env = {
  ...process.env,
  AWS_ACCESS_KEY_ID: s3.credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
};
const [front, ...ports] = await Promise.all(Array.from({ length: REPLICAS + 1 }, () => freePort()));
const replicas = await Promise.all(
  ports.map((port) => startReplica(folder, config(s3, bucket, redis, port), env)),
);
const nginx = startNginx(folder, front, ports);
const agent = new Agent({ keepAlive: true });
while ((await send(front, agent, 'load9', '{ stores { nodes { name } } }')).status !== 200) await pause(100);

const created = await send(
  front,
  agent,
  'load9',
  `mutation { createGroup(input: { store: "s", path: "/", zarrFormat: 3 }) { group { path } }
   ${Array.from({ length: WRITERS }, (_, i) => `w${i}: createArray(input: { store: "s", path: "/w${i}", shape: ["8"], dtype: "int32", chunkShape: ["8"] }) { array { path } }`).join('\n')}
   shared: createArray(input: { store: "s", path: "/shared", shape: ["${WRITERS}"], dtype: "int32", chunkShape: ["${WRITERS}"] }) { array { path } } }`,
);
if (created.status !== 200 || created.text.includes('errors')) throw new Error(created.text);

let isRunning = true;
let redisAwayUntil = 0;
const counts = {
  writes: 0,
  failedWrites: 0,
  reads: 0,
  failedReads: 0,
  late: 0,
  events: 0,
  gaps: 0,
  resumed: 0,
};

/** Writes of each writer: `acknowledged` lists value and time. */
const written = Array.from({ length: WRITERS }, () => ({ tried: 0, acknowledged: [{ value: 0, at: 0 }] }));

async function writer(i) {
  const state = written[i];
  for (let value = 1; isRunning; value++) {
    state.tried = value;
    for (;;) {
      const answer = await send(
        front,
        agent,
        `load${i}`,
        `mutation { a: writeSlice(input: { store: "s", path: "/w${i}", values: ${value} }) { array { path } }
          b: writeSlice(input: { store: "s", path: "/shared", select: { text: "${i}:${i + 1}" }, values: [${value}] }) { array { path } } }`,
      );
      if (answer.status === 200 && !answer.text.includes('"errors"')) break;
      counts.failedWrites++;
      if (!isRunning) return;
      await pause(answer.status === 429 ? 500 : 50);
    }
    counts.writes++;
    state.acknowledged.push({ value, at: performance.now() });
    if (state.acknowledged.length > 5000) state.acknowledged.splice(0, 1000);
    await pause(250);
  }
}

/** The last value that was acknowledged before a time. */
function acknowledgedBefore({ acknowledged }, time) {
  let value = 0;
  for (const one of acknowledged) if (one.at <= time) value = Math.max(value, one.value);
  return value;
}

async function reader(r) {
  while (isRunning) {
    const i = Math.floor(Math.random() * WRITERS);
    const started = performance.now();
    const { status, text } = await send(
      front,
      agent,
      `load${WRITERS + r}`,
      `{ store(name: "s") { array(path: "/w${i}") { slice { values reduce(by: MAX) { values } } } shared: array(path: "/shared") { slice { values } } } }`,
    );
    if (status !== 200 || text.includes('"errors"')) counts.failedReads++;
    else {
      counts.reads++;
      const { array, shared } = JSON.parse(text).data.store;
      const [value] = array.slice.values;
      const greatest = Number(array.slice.reduce.values);
      if (array.slice.values.some((other) => other !== value)) fail(`torn values ${text}`);
      for (const [name, seen, w] of [
        ['values', value, i],
        ['reduce', greatest, i],
        ...shared.slice.values.map((v, k) => ['shared', v, k]),
      ]) {
        if (seen > written[w].tried) fail(`${name}: ${seen} was never written`);
        if (seen < acknowledgedBefore(written[w], started - MAX_AGE_MS - FRESH_MS))
          fail(`${name}: ${seen} is older than maxAgeMs`);
        else if (
          seen < acknowledgedBefore(written[w], started - FRESH_MS) &&
          performance.now() > redisAwayUntil
        )
          counts.late++;
      }
    }
    await pause(150);
  }
}

/** Events of each subscriber, in parts between gaps that it was told of. */
const received = Array.from({ length: SUBSCRIBERS }, () => [[]]);
let isSubscribed = true;

async function subscriber(i) {
  const parts = received[i];
  let last;
  while (isSubscribed) {
    let rest = '';
    const after = last === undefined ? '' : `, after: ${JSON.stringify(last)}`;
    await send(
      front,
      false,
      `load${WRITERS + READERS}`,
      `subscription { changes(store: "s"${after}) { id path kind } }`,
      (part) => {
        const events = (rest + part).split('\n\n');
        rest = events.pop() ?? '';
        for (const event of events) {
          const data = /^data: (.+)$/m.exec(event)?.[1];
          if (data === undefined) continue;
          const { data: found, errors } = JSON.parse(data);
          if (found?.changes !== undefined && found.changes !== null) {
            last = found.changes.id;
            parts.at(-1).push(last);
            counts.events++;
          } else if (
            errors?.some(
              ({ extensions }) =>
                extensions?.limit === 'maxRecentChanges' || /may be missing/.test(JSON.stringify(errors)),
            )
          ) {
            counts.gaps++;
            last = undefined;
            if (parts.at(-1).length > 0) parts.push([]);
          }
        }
      },
    );
    if (last !== undefined) counts.resumed++;
    await pause(50);
  }
}

/** All events in the order of the stream, as Redis has them. */
const order = [];
async function observe() {
  const client = new Redis(redis.url, { maxRetriesPerRequest: null });
  client.on('error', () => {});
  let cursor = '0-0';
  const seen = new Set();
  while (isSubscribed) {
    const reply = await client
      .xread('COUNT', 1000, 'BLOCK', 500, 'STREAMS', 'zarrql:changes', cursor)
      .catch(() => null);
    for (const [id, fields] of reply?.[0]?.[1] ?? []) {
      cursor = id;
      if (seen.has(fields[1])) continue;
      seen.add(fields[1]);
      order.push(fields[1]);
    }
  }
  client.disconnect();
}

const greedy = { admitted: 0, refused: 0, startedAt: performance.now() };
async function greedyClient() {
  while (isRunning) {
    const { status, text } = await send(front, agent, 'greedy0', '{ stores { nodes { name } } }');
    if (status === 200 && !text.includes('"errors"')) greedy.admitted++;
    else greedy.refused++;
    if (status === 429) await pause(20);
  }
}

async function killReplicas() {
  let kills = 0;
  while (isRunning) {
    await pause(killEvery * 1000);
    if (!isRunning) break;
    const which = kills % REPLICAS;
    replicas[which].child.kill('SIGKILL');
    await replicas[which].ended;
    await pause(500);
    replicas[which] = await startReplica(folder, config(s3, bucket, redis, ports[which]), env);
    kills++;
  }
  return kills;
}

async function restartRedis() {
  for (let i = 0; i < 2; i++) {
    await pause((seconds * 1000) / 3);
    redisAwayUntil = Infinity;
    await redis.restart();
    redisAwayUntil = performance.now() + 5000;
  }
}

const observing = observe();
const subscribers = Array.from({ length: SUBSCRIBERS }, (_, i) => subscriber(i));
await pause(1000);
const running = [
  ...Array.from({ length: WRITERS }, (_, i) => writer(i)),
  ...Array.from({ length: READERS }, (_, i) => reader(i)),
  ...Array.from({ length: 4 }, () => greedyClient()),
];
const killing = killReplicas();
const restarting = restartRedis();
greedy.startedAt = performance.now();
await pause(seconds * 1000);
isRunning = false;
const elapsed = (performance.now() - greedy.startedAt) / 1000;
await Promise.all(running);
const kills = await killing;
await restarting;
await pause(SETTLE_MS);

// Every acknowledged write is there, in every replica.
for (const port of ports) {
  const { text } = await send(
    port,
    agent,
    'load8',
    `{ store(name: "s") { ${written.map((_, i) => `w${i}: array(path: "/w${i}") { slice { values } }`).join(' ')} shared: array(path: "/shared") { slice { values } } } }`,
  );
  const { store } = JSON.parse(text).data;
  written.forEach((state, i) => {
    const least = state.acknowledged.at(-1).value;
    for (const value of [store[`w${i}`].slice.values[0], store.shared.slice.values[i]])
      if (value < least || value > state.tried)
        fail(`port ${port}, writer ${i}: ${value} instead of ${least}`);
  });
}
isSubscribed = false;
for (const { child } of replicas) child.kill('SIGKILL');
await Promise.all([...subscribers, observing]);

// Every subscriber received a part of the stream without omissions and repetitions, up to its end.
const positions = new Map(order.map((id, i) => [id, i]));
for (const [i, parts] of received.entries()) {
  const ids = parts.flat();
  if (new Set(ids).size !== ids.length) fail(`subscriber ${i}: received an event twice`);
  for (const part of parts) {
    const known = part.map((id) => positions.get(id));
    if (known.includes(undefined)) fail(`subscriber ${i}: received an event that is not in the stream`);
    const jump = known.findIndex((position, k) => k > 0 && position !== known[k - 1] + 1);
    if (jump >= 0) fail(`subscriber ${i}: event ${known[jump]} follows ${known[jump - 1]}`);
  }
  const end = positions.get(ids.at(-1));
  if (end !== order.length - 1) fail(`subscriber ${i}: ended at ${end} of ${order.length - 1}`);
}

const allowed = BUDGET + (BUDGET / 60) * elapsed;
const ratio = greedy.admitted / allowed;
if (ratio > 1.1) fail(`the budget admitted ${greedy.admitted} requests instead of ${Math.round(allowed)}`);
console.log(
  [
    `${seconds} s, ${kills} replicas killed, Redis restarted twice`,
    `${counts.writes} writes acknowledged, ${counts.failedWrites} failed or refused and repeated`,
    `${counts.reads} reads, ${counts.failedReads} failed; ${counts.late} values older than ${FRESH_MS} ms, none older than maxAgeMs`,
    `${order.length} events, received ${counts.events} times by ${SUBSCRIBERS} subscribers, ${counts.resumed} continued, ${counts.gaps} told that events may be missing`,
    `budget: ${greedy.admitted} admitted, ${(100 * ratio).toFixed(1)} % of ${Math.round(allowed)}; ${greedy.refused} refused`,
    failures.length === 0 ? 'ok' : `${failures.length} FAILURES`,
  ].join('\n'),
);
agent.destroy();
nginx.kill('SIGTERM');
await redis.stop();
await s3.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(failures.length === 0 ? 0 : 1);
