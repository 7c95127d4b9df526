/**
 * Documents generated from the schema, on stores with ordinary and with hostile metadata: no document is an internal
 * error, stops the event loop or ends the process, and neither do the links in the responses.
 */
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import { expect, test } from 'vitest';
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

  async function send(query: string): Promise<string> {
    const [response, live] = await Promise.all([
      get('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      }),
      get('/livez'),
    ]);
    expect(live.status).toBe(200);
    return response.text();
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
    const query = random.chance(0.12) ? generator.mutation(random) : generator.query(random);
    try {
      const text = await send(query);
      expect(text).not.toContain('"code":"INTERNAL"');
      const links = [...text.matchAll(/"(\/(?:files|tiles)\/[^"]+)"/g)].map(([, link]) => link ?? '');
      if (links.length > 0) await follow(random.choose(links));
    } catch (error) {
      throw new Error(`${query}\n${String(error)}`, { cause: error });
    }
    expect(end, query).toBeUndefined();
  }

  expect(await fuzz(round)).toBeGreaterThan(0);
  child.kill('SIGTERM');
  const { stderr } = await ended;
  expect(stderr).not.toMatch(/unhandled|uncaught/i);
});
