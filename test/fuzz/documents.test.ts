/**
 * Documents generated from the schema, on stores with ordinary and with hostile metadata: no document is an internal
 * error, stops the event loop or ends the process, and neither do the links in the responses. Some documents are sent
 * at once, in parts, or over a WebSocket that may close early.
 */
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { typeDefs } from '../../server/index.js';
import { serveStores } from '../cli/running.js';
import type { Random } from '../interop/random.js';
import { folderOfTest } from '../setup/temporary-folder.js';
import { fuzz, fuzzTimeout } from './budget.js';
import { dimensionNames, variableNames, writeDocumentStore } from './document-stores.js';
import { documentGenerator } from './documents.js';

const quoted = (names: readonly string[]): string[] => names.map((name) => JSON.stringify(name));
const dims = [...quoted(dimensionNames), '"0"', '"1"'];
const paths = [...quoted(variableNames), '"/"', '"/sst"', '"new"'];
const labels = [
  '0', '10', '1e300', '-45.5', '"2000-03"', '"2001"', '"2000-02-30"', '"a"', '9007199254740993', '"9007199254740993"',
  '2', '1', '45', '10000000000000000000',
] as const; // prettier-ignore
const dtypes = ['"int8"', '"float32"', '"string"', '"uint64"', '"bool"', '"complex64"', '"<M8[s]"', '"|S3"'];

const generator = documentGenerator(
  buildSchema(typeDefs),
  {
    'Subscription.changes.store': ['"mem"', '"mem"', '"mem"', '"bad"'],
    'Query.store.name': ['"data"', '"data"', '"data"', '"bad"', '"bad"', '"mem"', '"x"'],
    'Store.dataset.path': ['"/"'],
    'DimWeights.values': ['1', '0', '0.5'],
    'Store.group.path': ['"/"'],
    store: ['"data"', '"data"', '"bad"', '"mem"'],
    path: paths,
    name: quoted(variableNames),
    names: paths,
    variable: paths,
    coordinate: [...dims, ...paths],
    dim: dims,
    over: dims,
    along: [...dims, '"p"'],
    dimensionNames: dims,
    dtype: dtypes,
    expression: [
      '"sst * 2"',
      '"v + lat"',
      '"where(truth, longs, 1)"',
      '"sqrt(none)"',
      '"10 ** 400"',
      '"flags // 0"',
    ],
    text: ['""', '"0"', '"::2"', '"t=0"', '"lat=1:3, lon=::-1"', '"..., -1"', '"2:2"', '"1:2:0"'],
    value: labels,
    values: labels,
    edges: labels,
    from: labels,
    to: labels,
    width: ['1', '2', '10', '4096', '100000'],
    size: ['1', '2', '5', '1000000'],
    window: ['1', '3', '24', '100000', '2147483647'],
    shape: ['0', '1', '3', '24', '9007199254740991'],
    first: ['1', '5', '100', '1000'],
    'ColorMapInput.name': ['"viridis"', '"magma"', '"x"'],
    color: ['"#fff"', '"#00ff00"', '"red"'],
  },
  {
    'Query.store': 12,
    'Query.slices': 4,
    'Store.array': 4,
    'Store.dataset': 8,
    'Dataset.variable': 8,
    'Dataset.compute': 2,
    'Variable.slice': 8,
    'ZarrArray.slice': 8,
    'Slice.values': 3,
    'Slice.statistics': 2,
    'Slice.line': 3,
    'Slice.href': 3,
  },
);

/** Bytes of a link that are read at most. */
const MAX_LINK_BYTES = 8 * 2 ** 20;
/** A bound that only a blocked event loop exceeds, also on a busy machine. */
const MAX_SILENCE_MS = 20_000;
/** Maximum number of documents that are sent at once. */
const MAX_PARALLEL = 4;
const partTypes = ['multipart/mixed', 'text/event-stream', 'application/cbor-seq'] as const;
/** Creates events for subscriptions. */
const EVENT =
  'mutation { createGroup(input: {store: "mem", path: "event", ifExists: REPLACE}) { group { path } } }';

test('documents generated from the schema', { timeout: 2 * fuzzTimeout }, async () => {
  const folder = folderOfTest('documents');
  const [data, bad] = [join(folder, 'data'), join(folder, 'bad')];
  writeDocumentStore(data);
  writeDocumentStore(bad);
  const limits = [
    '--max-output-bytes',
    '4MiB',
    '--max-decoded-bytes',
    '64MiB',
    '--max-reduced-bytes',
    '256MiB',
  ];
  const stores = [
    '--store',
    `data=${data}`,
    '--store',
    `bad=${bad}`,
    '--store',
    'mem=memory:',
    '--allow-write',
    'mem',
  ];
  const memory = [
    '--request-memory-bytes',
    '128MiB',
    '--request-timeout-ms',
    '10000',
    '--max-href-bytes',
    '16MiB',
  ];
  const { address, child, ended } = await serveStores([...stores, ...limits, ...memory], {
    ZARRQL_LOG_LEVEL: 'error',
  });
  const base = new URL(address).origin;
  let end: string | undefined;
  let events = 0;
  ended.then(
    ({ code, stderr }) => (end = `exit code ${code}: ${stderr.slice(-2000)}`),
    (error: unknown) => (end = String(error)),
  );

  async function get(path: string, init?: RequestInit): Promise<Response> {
    try {
      return await fetch(new URL(path, base), { ...init, signal: AbortSignal.timeout(MAX_SILENCE_MS) });
    } catch (error) {
      throw new Error(`no response from ${path.slice(0, 100)}: ${end ?? String(error)}`, { cause: error });
    }
  }

  async function send(query: string, accept = 'application/json'): Promise<string> {
    const [response, live] = await Promise.all([
      get('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept },
        body: JSON.stringify({ query }),
      }),
      get('/livez'),
    ]);
    expect(live.status).toBe(200);
    return response.text();
  }

  /** Runs operations over one WebSocket until all have ended, or some have been given up. */
  async function overSocket(queries: readonly string[], random: Random): Promise<string> {
    const socket = new WebSocket(address.replace(/^http/, 'ws'), 'graphql-transport-ws');
    const messages: string[] = [];
    const running = new Set(queries.map((_, i) => String(i)));
    const isSubscription = queries.map((query) => query.startsWith('subscription'));
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`no end of the operations ${[...running].join()}`)),
        MAX_SILENCE_MS,
      );
      const end = (id: string): void => {
        running.delete(id);
        if (running.size === 0) socket.close();
      };
      socket.on('open', () => socket.send('{"type":"connection_init"}'));
      const start = (): void => {
        for (const [id, query] of queries.entries())
          socket.send(JSON.stringify({ id: String(id), type: 'subscribe', payload: { query } }));
        // Events arrive as soon as a subscription has started.
        socket.send(JSON.stringify({ id: 'event', type: 'subscribe', payload: { query: EVENT } }));
      };
      socket.on('message', (data: Buffer) => {
        const text = data.toString();
        messages.push(text);
        const { type, id } = JSON.parse(text);
        if (type === 'connection_ack') start();
        if (type === 'next' && isSubscription[Number(id)] === true) events++;
        if (type === 'complete' || type === 'error') end(id);
        if (id !== 'event' || type !== 'complete') return;
        // Ends the subscriptions, and some of the other operations while they run.
        for (const other of running) {
          if (isSubscription[Number(other)] !== true && random.chance(0.7)) continue;
          socket.send(JSON.stringify({ id: other, type: 'complete' }));
          end(other);
        }
      });
      socket.on('error', reject);
      socket.on('close', (code, reason) => {
        clearTimeout(timer);
        if (code === 1005 || code === 1000) resolve();
        else reject(new Error(`the WebSocket closed with ${code}: ${reason.toString()}`));
      });
    });
    expect((await get('/livez')).status).toBe(200);
    return messages.join('\n');
  }

  async function follow(link: string): Promise<void> {
    const response = await get(link);
    expect(response.status, link).not.toBe(500);
    let bytes = 0;
    try {
      for await (const part of response.body ?? []) if ((bytes += part.length) > MAX_LINK_BYTES) break;
    } catch {
      // The connection of a file that cannot be read to its end is closed.
    }
    expect((await get('/livez')).status).toBe(200);
  }

  async function round(random: Random, n: number): Promise<void> {
    if (n % 25 === 0) writeDocumentStore(bad, random);
    const one = (): string => (random.chance(0.12) ? generator.mutation(random) : generator.query(random));
    const [queries, sent] = random.choose<
      () => readonly [queries: readonly string[], sent: () => Promise<string>]
    >([
      () => {
        const query = one();
        return [[query], () => send(query)];
      },
      () => {
        const together = Array.from({ length: random.int(2, MAX_PARALLEL) }, one);
        return [together, async () => (await Promise.all(together.map((query) => send(query)))).join('\n')];
      },
      () => {
        const query = generator.deferred(random);
        return [[query], () => send(query, random.choose(partTypes))];
      },
      () => {
        const together = [generator.subscription(random), one(), generator.subscription(random)];
        return [together, () => overSocket(together, random)];
      },
    ])();
    const query = queries.join('\n');
    try {
      const text = await sent();
      expect(text).not.toContain('"code":"INTERNAL"');
      const links = [...text.matchAll(/"(\/(?:files|tiles)\/[^"]+)"/g)].map(([, link]) => link ?? '');
      if (links.length > 0) await follow(random.choose(links));
    } catch (error) {
      throw new Error(`${query}\n${String(error)}`, { cause: error });
    }
    expect(end, query).toBeUndefined();
  }

  const rounds = await fuzz(round);
  // Of a hundred rounds, 25 are expected to have subscriptions, most of them to the store that changes.
  if (rounds >= 100) expect(events).toBeGreaterThan(0);
  child.kill('SIGTERM');
  const { stderr } = await ended;
  expect(stderr).not.toMatch(/unhandled|uncaught/i);
});
