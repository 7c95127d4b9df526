/**
 * Three gateways change one Icechunk repository and are killed at random moments: everything acknowledged is stored once,
 * and no reader sees a part of a commit. ZARRQL_CHAOS is the number of kills; each brings ten appends and three changes
 * of three arrays.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataOf, openHierarchy, openStoreFromUrl, type OpenStoreOptions } from '../../server/zarr/index.js';
import { defined } from '../../wire/guards.js';
import { serveStores } from '../cli/running.js';
import { createBucket } from '../s3/bucket.js';
import { startS3Server, type S3Server } from '../s3/server.js';

const kills = Number(process.env['ZARRQL_CHAOS'] ?? 2);
const appends = 10 * kills;
const changes = Math.ceil((10 * kills) / 3);
const gatewayCount = 3;
const clients = 6;
const timeoutMs = 120_000 + kills * 40_000;

let server: S3Server | undefined;
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zarrql-chaos-icechunk-'));
  const started = await startS3Server();
  if (!('missing' in started)) server = started;
}, 900_000);
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Place {
  readonly url: string;
  readonly options: OpenStoreOptions;
  readonly env: Readonly<Record<string, string>>;
}

const places: Record<string, () => Promise<Place | undefined>> = {
  'a folder': async () => ({
    url: `icechunk+file:${await mkdtemp(join(folder, 'repository-'))}`,
    options: {},
    env: {},
  }),
  S3: async () => {
    if (server === undefined) return undefined;
    const { endpoint, credentials } = server;
    const env = {
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      AWS_REGION: 'us-east-1',
    };
    const url = `icechunk+s3://${await createBucket(server)}/repository?endpoint=${endpoint}`;
    return { url, options: { s3: { credentials, region: 'us-east-1' } }, env };
  },
};

interface Answer {
  readonly data?: { readonly [field: string]: unknown } | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions: { readonly code: string };
  }[];
}

/** A gateway that is started again after it was killed. */
class Gateway {
  readonly #args: readonly string[];
  readonly #env: Readonly<Record<string, string>>;
  #running: ReturnType<typeof serveStores>;

  constructor({ url, env }: Place) {
    this.#args = ['--store', `ice=${url}`, '--allow-write', 'ice', '--log-level', 'error'];
    this.#env = env;
    this.#running = this.#start();
  }

  /** Again if it fails: on a busy machine, a gateway may not open its store in time. */
  async #start(attempt = 1): ReturnType<typeof serveStores> {
    try {
      return await serveStores(this.#args, this.#env);
    } catch (error) {
      if (attempt === 5) throw error;
      return this.#start(attempt + 1);
    }
  }

  async kill(): Promise<void> {
    const { child, ended } = await this.#running;
    child.kill('SIGKILL');
    this.#running = this.#start();
    await ended;
  }

  /** @returns undefined if the gateway ended before it answered */
  async send(query: string): Promise<Answer | undefined> {
    const { address } = await this.#running;
    try {
      const response = await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      });
      return await response.json();
    } catch {
      return undefined;
    }
  }
}

const append = (value: number): string =>
  `mutation { appendToArray(input: { store: "ice", path: "log", values: [${value}, ${value}], message: "append ${value}" }) { array { shape } } }`;
const change = (value: number): string =>
  `mutation { ${['a', 'b', 'c']
    .map(
      (name) =>
        `${name}: writeSlice(input: { store: "ice", path: "${name}", select: { text: "${value}" }, values: ${value}, message: "change ${value}" }) { chunksWritten }`,
    )
    .join(' ')} }`;

interface Outcome {
  readonly acknowledged: Set<number>;
  /** Values of requests without an answer. */
  readonly unknown: Set<number>;
}

interface Tally {
  conflicts: number;
  reads: number;
  done: number;
}

/** Sends a change until it is acknowledged; each attempt whose outcome is unknown has another value. */
async function sendUntilDone(
  gateway: Gateway,
  query: (value: number) => string,
  nextValue: () => number,
  { acknowledged, unknown }: Outcome,
  tally: Tally,
): Promise<void> {
  let value = nextValue();
  for (;;) {
    const answer = await gateway.send(query(value));
    if (answer === undefined) {
      unknown.add(value);
      value = nextValue();
    } else if (answer.errors === undefined) {
      acknowledged.add(value);
      tally.done += 1;
      return;
    } else {
      for (const { message, extensions } of answer.errors)
        if (extensions.code !== 'CONFLICT') throw new Error(`${extensions.code}: ${message}`);
      tally.conflicts += 1;
    }
  }
}

async function readUntil(gateways: readonly Gateway[], isOver: () => boolean, tally: Tally): Promise<void> {
  const values = (name: string): string => `${name}: array(path: "${name}") { slice { values } }`;
  for (let i = 0; !isOver(); i++) {
    const gateway = defined(gateways[i % gateways.length]);
    const answer = await gateway.send(
      `{ store(name: "ice") { ${['a', 'b', 'c', 'log'].map(values).join(' ')} } }`,
    );
    if (answer === undefined) continue;
    expect(answer.errors).toBeUndefined();
    const { a, b, c, log } = JSON.parse(JSON.stringify(answer.data?.['store']));
    expect(b).toEqual(a);
    expect(c).toEqual(a);
    const rows: readonly number[] = log.slice.values;
    rows.forEach((value, at) => {
      if (value === 0 || value !== rows[at - (at % 2)])
        throw new Error(`row ${at} of the log is incomplete: ${rows.join()}`);
    });
    tally.reads += 1;
  }
}

async function setUp({ url, options }: Place, specVersion: number): Promise<void> {
  const store = openStoreFromUrl('ice', url, { ...options, readonly: false });
  const writing = defined(store.versions?.writing);
  await writing.createRepository(specVersion);
  const session = await writing.begin();
  const nodes = openHierarchy(session.store);
  const length = 4 * (appends + changes);
  for (const path of ['a', 'b', 'c'])
    await nodes.createArray(path, { shape: [length], chunkShape: [1], dtype: 'int32' });
  await nodes.createArray('log', { shape: [0], chunkShape: [8], dtype: 'int32' });
  await session.commit('set up');
  await store.close();
}

async function readAll({ url, options }: Place) {
  const store = openStoreFromUrl('ice', url, options);
  const numbers = async (path: string): Promise<readonly number[]> => [
    ...dataOf(await (await openHierarchy(store).array(path)).select('...').read(), 'int32'),
  ];
  const snapshot = defined(await store.versions?.resolve());
  const result = {
    log: await numbers('log'),
    arrays: [await numbers('a'), await numbers('b'), await numbers('c')],
    messages: defined(await store.versions?.history({ snapshot, first: 10_000 })).map(
      ({ message }) => message,
    ),
  };
  await store.close();
  return result;
}

/** Each acknowledged value exactly once, each unknown one at most once, and no other. */
function verify(found: readonly number[], { acknowledged, unknown }: Outcome): void {
  expect(new Set(found).size).toBe(found.length);
  const stored = new Set(found);
  for (const value of acknowledged) expect(stored, `acknowledged ${value}`).toContain(value);
  for (const value of stored)
    expect(acknowledged.has(value) || unknown.has(value), `unexpected ${value}`).toBe(true);
}

describe.each([
  ['a folder', 1],
  ['S3', 2],
] as const)('%s, version %d', (kind, specVersion) => {
  test(
    'killed gateways leave everything that they acknowledged, and no part of a commit',
    { timeout: timeoutMs },
    async (context) => {
      const place = await places[kind]?.();
      if (place === undefined) return context.skip();
      await setUp(place, specVersion);
      const gateways = Array.from({ length: gatewayCount }, () => new Gateway(place));
      const appended: Outcome = { acknowledged: new Set(), unknown: new Set() };
      const changed: Outcome = { acknowledged: new Set(), unknown: new Set() };
      const tally: Tally = { conflicts: 0, reads: 0, done: 0 };
      let value = 0;
      const nextValue = (): number => ++value;
      const tasks = [
        ...new Array<'append'>(appends).fill('append'),
        ...new Array<'change'>(changes).fill('change'),
      ];
      tasks.sort(() => Math.random() - 0.5);
      const work = async (gateway: Gateway): Promise<void> => {
        for (let task = tasks.pop(); task !== undefined; task = tasks.pop())
          await (task === 'append'
            ? sendUntilDone(gateway, append, nextValue, appended, tally)
            : sendUntilDone(gateway, change, nextValue, changed, tally));
      };
      let isOver = false;
      const killing = (async () => {
        for (let kill = 1; kill <= kills; kill++) {
          const from = ((kill - 0.5) * (appends + changes)) / kills;
          while (!isOver && tally.done < from) await new Promise((resolve) => setTimeout(resolve, 20));
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 300));
          await defined(gateways[kill % gatewayCount]).kill();
        }
      })();
      const working = Promise.all(
        Array.from({ length: clients }, (_, i) => work(defined(gateways[i % gatewayCount]))),
      ).finally(() => (isOver = true));
      const reading = [0, 1].map(() => readUntil(gateways, () => isOver, tally));
      await Promise.all([working, killing, ...reading]);
      const { log, arrays, messages } = await readAll(place);
      verify(
        log.filter((_, at) => at % 2 === 0),
        appended,
      );
      expect(log.filter((_, at) => at % 2 === 1)).toEqual(log.filter((_, at) => at % 2 === 0));
      expect(appended.acknowledged.size).toBe(appends);
      expect(changed.acknowledged.size).toBe(changes);
      for (const array of arrays) {
        expect(array).toEqual(arrays[0]);
        array.forEach((each, at) => expect([0, at]).toContain(each));
      }
      const [first = []] = arrays;
      verify(
        first.filter((each) => each !== 0),
        changed,
      );
      const commits = messages.filter((message) => /^(?:append|change) \d+$/.test(message));
      expect(commits).toHaveLength(log.length / 2 + first.filter((each) => each !== 0).length);
      console.log(
        `${kind}: ${tally.done} changes, ${tally.conflicts} conflicts, ${tally.reads} reads, ${kills} kills, ${appended.unknown.size + changed.unknown.size} unknown outcomes`,
      );
    },
  );
});
