/** Answers of stores that keep their history: they depend on the snapshot that the store shows. */
import { expect, onTestFinished, test } from 'vitest';
import { createGateway, fullAccess } from '../../../server/index.js';
import type { AnswerOutcome, CallerOptions, Gateway } from '../../../server/gateway/options.js';
import { createIcechunkStore, type IcechunkStoreOptions } from '../../../server/store/icechunk.js';
import {
  createMemoryStore,
  get,
  type Hierarchy,
  type KeyStore,
  openHierarchy,
  wrapStore,
} from '../../../server/zarr/index.js';
import { defined } from '../../../wire/guards.js';

interface Setting {
  readonly gateway: Gateway;
  readonly outcomes: AnswerOutcome[];
  readonly files: KeyStore;
  /** The files that were read. */
  readonly read: string[];
  /** The store of another process. */
  readonly other: KeyStore;
}

function open(files: KeyStore, options: Partial<IcechunkStoreOptions> = {}): KeyStore {
  const store = createIcechunkStore({
    ...{ label: 's', files, writable: true, maxAgeMs: 0, deadlineMs: 60_000 },
    ...options,
  });
  onTestFinished(() => store.close());
  return store;
}

async function commit(store: KeyStore, body: (hierarchy: Hierarchy) => Promise<unknown>): Promise<string> {
  const session = await defined(store.versions?.writing).begin();
  await body(openHierarchy(session.store));
  return defined(await session.commit('a change')).snapshot;
}

async function createArrays(hierarchy: Hierarchy): Promise<void> {
  await hierarchy.createGroup('/');
  const array = await hierarchy.createArray('/a', { shape: [4], dtype: 'int32', chunkShape: [2] });
  await array.select().write(1);
}

async function setting(options: Partial<IcechunkStoreOptions> = {}): Promise<Setting> {
  const memory = createMemoryStore({ label: 'files' });
  const read: string[] = [];
  const files = wrapStore(memory, {
    getMany(requests, each, readOptions) {
      read.push(...requests.map(({ key }) => key));
      return memory.getMany(requests, each, readOptions);
    },
  });
  const other = open(memory);
  await defined(other.versions?.writing).createRepository();
  await commit(other, createArrays);
  const outcomes: AnswerOutcome[] = [];
  const gateway = createGateway({
    stores: [{ name: 's', store: open(files, options), writable: true }],
    metrics: { chunksDecoded() {}, answerLookup: (outcome) => void outcomes.push(outcome) },
  });
  return { gateway, outcomes, files: memory, read, other };
}

async function send(
  gateway: Gateway,
  query: string,
  caller: CallerOptions = fullAccess,
  store?: string,
): Promise<string> {
  const { body } = await gateway.handleOperation(
    {
      ...{ method: 'POST', query: '', body: Buffer.from(JSON.stringify({ query })), store },
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      signal: new AbortController().signal,
    },
    caller,
  );
  return body === null || body instanceof ReadableStream
    ? new Response(body).text()
    : Buffer.concat(body).toString('utf8');
}

/** Of a check that is repeated. */
const patience = { timeout: 60_000 };

const values = '{ store(name: "s") { array(path: "a") { attributes slice { values } } } }';

test.each([
  ['the generic schema', values, undefined],
  ['the schema of the store', '{ a { values array { attributes } } }', 's'],
])('an answer of %s is sent while the branch is at the same snapshot', async (_, query, store) => {
  const { gateway, outcomes, read, other } = await setting();
  const ask = (): Promise<string> => send(gateway, query, fullAccess, store);
  for (let i = 0; i < 2; i++) expect(await ask()).toContain('"values":[1,1,1,1]');
  read.length = 0;
  expect(await ask()).toContain('"values":[1,1,1,1]');
  expect(read.filter((path) => /^(chunks|manifests|snapshots)\//.test(path))).toEqual([]);
  expect(outcomes).toEqual(['miss', 'miss', 'hit']);
  await commit(other, (hierarchy) => hierarchy.setAttributes('/a', { set: { note: 1 } }));
  for (let i = 0; i < 3; i++) expect(await ask()).toContain('"note":1');
  expect(outcomes.slice(3)).toEqual(['changed', 'miss', 'hit']);
});

test('changes through the gateway are seen at once', async () => {
  const { gateway, outcomes } = await setting();
  for (let value = 0; value < 2; value++) {
    const document = `mutation { setAttributes(input: { store: "s", path: "/a", set: { note: ${value} } }) { node { path } } }`;
    expect(await gateway.execute({ document }, fullAccess)).not.toHaveProperty('errors');
    for (let i = 0; i < 3; i++) expect(await send(gateway, values)).toContain(`"note":${value}`);
  }
  expect(outcomes).toContain('hit');
});

test('a branch that was reset, and a repository that was replaced or deleted, are seen', async () => {
  const { gateway, outcomes, files, other } = await setting();
  const saved = new Map<string, Uint8Array>();
  for await (const { key } of files.walk('')) saved.set(key, defined(await get(files, key)).bytes.slice());
  await commit(other, (hierarchy) => hierarchy.setAttributes('/a', { set: { note: 1 } }));
  for (let i = 0; i < 3; i++) expect(await send(gateway, values)).toContain('"note":1');
  for (const [key, bytes] of saved) await files.set(key, bytes);
  // The snapshot of a branch is up to a millisecond old.
  await expect.poll(() => send(gateway, values), patience).toContain('"attributes":{}');
  for (let i = 0; i < 3; i++) expect(await send(gateway, values)).toContain('"attributes":{}');
  expect(outcomes.at(-1)).toBe('hit');
  await files.deletePrefix('');
  await expect.poll(() => send(gateway, values), patience).toContain('"errors"');
});

test('other snapshots, branches and tags are not remembered', async () => {
  const { gateway, outcomes, other } = await setting();
  const snapshot = await defined(other.versions).resolve();
  await defined(other.versions?.writing).createTag('v1', snapshot);
  for (const at of [`{ snapshot: "${snapshot}" }`, '{ tag: "v1" }', '{ branch: "main" }'])
    for (let i = 0; i < 4; i++)
      expect(await send(gateway, values.replace('"s"', `"s", at: ${at}`))).toContain('[1,1,1,1]');
  for (let i = 0; i < 4; i++)
    expect(await send(gateway, values.replace('"s"', `"s@${snapshot}"`))).toContain('[1,1,1,1]');
  for (let i = 0; i < 4; i++) await send(gateway, '{ store(name: "s") { snapshot { id } } }');
  expect(outcomes).not.toContain('hit');
});

test('rights are compared', async () => {
  const { gateway, outcomes } = await setting();
  let isVisible = true;
  const caller = {
    mayRead: (_: string, path: string) => path !== '/a' || isVisible,
    mayEnter: () => true,
    mayWrite: () => false,
  };
  for (let i = 0; i < 3; i++) expect(await send(gateway, values, caller)).toContain('[1,1,1,1]');
  expect(outcomes.at(-1)).toBe('hit');
  isVisible = false;
  expect(await send(gateway, values, caller)).not.toContain('[1,1,1,1]');
});

test('of a repository whose chunks may be in other files, only metadata is remembered', async () => {
  const virtual = [{ prefix: 'file:///elsewhere/', store: createMemoryStore({ label: 'elsewhere' }) }];
  const { gateway, outcomes } = await setting({ virtual });
  for (let i = 0; i < 4; i++) expect(await send(gateway, values)).toContain('[1,1,1,1]');
  expect(outcomes).not.toContain('hit');
  for (let i = 0; i < 3; i++)
    expect(await send(gateway, '{ store(name: "s") { array(path: "a") { shape } } }')).toContain('[4]');
  expect(outcomes.at(-1)).toBe('hit');
});
