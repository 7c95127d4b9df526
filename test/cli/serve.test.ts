import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test, onTestFinished } from 'vitest';
import { until } from '../http/serving.js';
import { openEvents } from '../http/sse-client.js';
import { temporaryFolder } from '../interop/python.js';
import { arrayDocument } from '../resolvers/gateway-client.js';
import { folderOfTest } from '../setup/temporary-folder.js';
import { serveStores, zarrql } from './running.js';

const coads = 'examples/data/coads.zarr';

interface QueryResult {
  readonly data: Readonly<Record<string, unknown>>;
  readonly errors?: readonly unknown[];
}

async function query(address: string, text: string): Promise<QueryResult> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: text }),
  });
  const result: QueryResult = await response.json();
  return result;
}

describe('serving', () => {
  test('prints one line on stdout, serves values over HTTP, and exits with 0 on SIGTERM', async () => {
    const { child, address, ended } = await serveStores(['--store', `coads=${coads}`]);
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/graphql$/);
    const { data, errors } = await query(
      address,
      '{ store(name: "coads") { writable array(path: "SST") { shape slice(select: { text: "0, 40, 60:62" }) { values } } } }',
    );
    expect(errors).toBeUndefined();
    expect(data['store']).toEqual({
      writable: false,
      array: { shape: [12, 90, 180], slice: { values: [28.791427612304688, 29.122499465942383] } },
    });
    const metrics = await (await fetch(new URL('/metrics', address))).text();
    expect(metrics).toMatch(/^zarrql_store_requests_total\{store="coads",kind="read",code="OK"\} [1-9]/m);
    expect(metrics).toMatch(/^zarrql_chunks_decoded_total 1$/m);
    child.kill('SIGTERM');
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(0);
    expect(stdout).toBe(`${address}\n`);
    const log = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    // /metrics is logged at level debug only. The log is written in the background: it is complete at the
    // end, but the order of the last lines may vary.
    const messages = log.map((entry) => entry.msg);
    expect(messages).toHaveLength(4);
    expect(messages).toEqual(expect.arrayContaining(['listening', 'request', 'draining', 'closed']));
  });

  test('exits with 0 on SIGINT; logs can be silenced', async () => {
    const { child, ended } = await serveStores(['--store', `coads=${coads}`], { ZARRQL_LOG_LEVEL: 'silent' });
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });

  // Regression: the final write to a closed pipe blocked forever.
  test('serves and exits with 0 without a reader of its log', async () => {
    const { child, address, ended } = await serveStores(['--store', `coads=${coads}`]);
    child.stderr?.destroy();
    for (let i = 0; i < 3; i++)
      expect(await query(address, '{ gateway { limits { maxFirst } } }')).toEqual({
        data: { gateway: { limits: { maxFirst: 1000 } } },
      });
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });

  test('is configured by a file with paths relative to the file', async () => {
    const folder = folderOfTest('serve');
    const config = join(folder, 'zarrql.yaml');
    writeFileSync(
      config,
      `stores:
  - { name: scratch, url: 'memory:', writable: true, description: For trying out }
  - { name: coads, url: ${JSON.stringify(join(process.cwd(), coads))} }
limits: { maxOutputBytes: 1KiB, maxFirst: 200 }
graphiql: false
`,
    );
    const { address } = await serveStores(['--config', config]);
    const { data } = await query(
      address,
      `{ gateway { limits { maxFirst maxOutputBytes } }
         stores { nodes { name description kind writable } }
         store(name: "coads") { array(path: "SST") { slice { values } } } }`,
    );
    expect(data['gateway']).toEqual({ limits: { maxFirst: 200, maxOutputBytes: 1024 } });
    expect(data['stores']).toEqual({
      nodes: [
        { name: 'scratch', description: 'For trying out', kind: 'MEMORY', writable: true },
        { name: 'coads', description: null, kind: 'FILESYSTEM', writable: false },
      ],
    });
    // The limit is smaller than 12 x 90 x 180 values of four bytes.
    expect(data['store']).toEqual({ array: { slice: { values: null } } });
    const page = await fetch(address, { headers: { accept: 'text/html' } });
    expect(await page.text()).not.toContain('GraphiQL');
  });

  test('browsers get the explorer and GraphiQL, forms are rejected', async () => {
    const { address } = await serveStores(['--store', `coads=${coads}`]);
    const explorer = await fetch(new URL('/', address), { headers: { accept: 'text/html' } });
    expect(await explorer.text()).toContain('explorer');
    const page = await fetch(address, { headers: { accept: 'text/html' } });
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await page.text()).toContain('GraphiQL');
    // Any page can post forms without a preflight.
    for (const type of [
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/form-data; boundary=x',
    ]) {
      const form = await fetch(address, {
        method: 'POST',
        headers: { 'content-type': type },
        body: type.startsWith('application') ? 'query={gateway{version}}' : '{"query":"{gateway{version}}"}',
      });
      expect(form.status, type).toBe(415);
      expect(await form.text()).not.toContain('"data"');
    }
  });
});

describe('startup errors', () => {
  test.each<[string, string[], RegExp]>([
    ['no store', ['serve'], /no store is configured.*--store NAME=URL/],
    ['a missing folder', ['serve', '--store', 'a=/nowhere/x'], /store "a": .*does not exist/],
    ['a missing archive', ['serve', '--store', 'a=/nowhere/x.zip'], /store "a": .*check its path/],
    ['an unknown scheme', ['serve', '--store', 'a=gopher://x'], /store "a": .*unsupported URL scheme/],
    ['a store without a name', ['serve', '--store', coads], /--store: expected NAME=URL/],
    [
      'write access to an unknown store',
      ['serve', '--store', `a=${coads}`, '--allow-write', 'b'],
      /unknown store "b"/,
    ],
    [
      'an invalid port',
      ['serve', '--store', `a=${coads}`, '--port', 'x'],
      /port \(--port\): expected a port/,
    ],
    ['a missing configuration file', ['serve', '--config', '/nowhere.yaml'], /no such file/],
  ])('%s', async (_, args, message) => {
    const { code, stdout, stderr } = await zarrql(args);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });

  test.each([
    ['flag', ['serve', '--prot', '1'], /Did you mean --port\?/],
    ['command', ['serv'], /Did you mean serve\?/],
  ])('a misspelt %s suggests the intended one', async (_, args, message) => {
    const { code, stdout, stderr } = await zarrql(args);
    expect(stderr).toMatch(message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  test('a port in use is reported', async () => {
    const { address } = await serveStores(['--store', `a=${coads}`]);
    const { port } = new URL(address);
    const { code, stderr } = await zarrql(['serve', '--store', `a=${coads}`, '--port', port]);
    expect(code).toBe(1);
    expect(stderr).toContain(`port ${port} of 127.0.0.1 is already in use`);
  });
});

test('--version is that of package.json, --help names every command', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(await zarrql(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n` });
  const help = await zarrql(['--help']);
  expect(help.code).toBe(0);
  for (const command of [
    'serve',
    'open',
    'token',
    'inspect',
    'get',
    'stats',
    'image',
    'zip',
    'icechunk',
    'codegen',
  ])
    expect(help.stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
});

// Memory use during a large download.

const GiB = 2 ** 30;

/** Peak memory of a process in bytes; Linux only. */
async function peakMemory(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return 1024 * Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]);
}

test.skipIf(process.platform !== 'linux')(
  '2 GiB are sent with less than 400 MB of memory',
  async () => {
    const folder = await temporaryFolder();
    onTestFinished(folder.remove);
    const chunk_grid = { name: 'regular', configuration: { chunk_shape: [16, 256, 256] } };
    // No chunk is stored, so that the test needs no disk space: all values are the fill value.
    const document = arrayDocument('float32', [512, 1024, 1024], { chunk_grid, fill_value: 1.5 });
    await writeFile(join(folder.path, 'zarr.json'), JSON.stringify(document));
    const { child, address } = await serveStores(['--store', `s=${folder.path}`, '--log-level', 'warn']);
    const query = '{ store(name: "s") { array { slice { href(format: RAW) } } } }';
    const response = await fetch(`${address}?query=${encodeURIComponent(query)}`);
    const { data } = (await response.json()) as {
      data: { store: { array: { slice: { href: string } } } };
    };
    const [incoming]: [IncomingMessage] = (await once(
      get(new URL(data.store.array.slice.href, address)),
      'response',
    )) as [IncomingMessage];
    expect(incoming.headers['content-length']).toBe(String(2 * GiB));
    let bytes = 0;
    for await (const part of incoming as AsyncIterable<Buffer>) bytes += part.length;
    expect(bytes).toBe(2 * GiB);
    expect(await peakMemory(child.pid)).toBeLessThan(400e6);
  },
  120_000,
);

// A writable gateway process: written values survive a restart, and SIGTERM ends its streams.

async function send(address: string, query: string) {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  return JSON.parse(await response.text());
}

test('writes only to stores named by --allow-write, and ends subscriptions on SIGTERM', async () => {
  const root = folderOfTest('writing');
  const writing = await serveStores(['--store', `a=${root}`, '--store', 'b=memory:', '--allow-write', 'a']);
  const subscriber = await openEvents(
    Number(new URL(writing.address).port),
    'subscription { changes(store: "a") { kind path } }',
  );
  const { data, errors } = await send(
    writing.address,
    `mutation {
      createArray(input: { store: "a", path: "x", shape: [3], dtype: "float32" }) { array { path } }
      writeSlice(input: { store: "a", path: "x", select: { text: "1:" }, values: [1.5, "NaN"] }) { chunksWritten }
      other: createGroup(input: { store: "b" }) { group { path } }
    }`,
  );
  expect(data).toEqual({
    createArray: { array: { path: '/x' } },
    writeSlice: { chunksWritten: 1 },
    other: null,
  });
  expect(errors).toMatchObject([{ extensions: { code: 'READ_ONLY', store: 'b' } }]);
  expect(errors[0].message).toContain('--allow-write b');
  await until(() => subscriber.events.length >= 3);
  writing.child.kill('SIGTERM');
  await subscriber.closed;
  expect(subscriber.events.at(-1)?.event).toBe('complete');
  expect((await writing.ended).code).toBe(0);

  const reading = await serveStores(['--store', `a=${root}`]);
  const again = await send(
    reading.address,
    '{ store(name: "a") { writable array(path: "x") { slice { values } } } }',
  );
  expect(again).toEqual({
    data: { store: { writable: false, array: { slice: { values: [0, 1.5, 'NaN'] } } } },
  });
});
