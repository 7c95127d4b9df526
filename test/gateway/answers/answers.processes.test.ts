/**
 * Random reads and changes by two processes, with rights that change meanwhile: a gateway that remembers answers responds
 * like one that remembers none.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { decode } from 'cbor2';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { CallerOptions, Gateway, OperationHttpRequest } from '../../../server/gateway/options.js';
import { createGateway, fullAccess } from '../../../server/index.js';
import { createChunkCache, createFilesystemStore } from '../../../server/zarr/index.js';
import { isRecord } from '../../../wire/guards.js';
import { folderOfTest } from '../../setup/temporary-folder.js';
import {
  applyChange,
  type Change,
  edit,
  openFolders,
  openRepository,
  REPOSITORY,
  uncompressed,
} from './changes.js';

const program = fileURLToPath(new URL('change-program.ts', import.meta.url));

/** mulberry32: the same steps on every machine. */
function seededRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

async function startProcess(roots: readonly string[]): Promise<(change: Change) => Promise<void>> {
  const child: ChildProcess = spawn(
    process.execPath,
    ['--conditions=zarrql-source', '--import', 'tsx', program, ...roots],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  onTestFinished(async () => {
    child.stdin?.end();
    if (child.exitCode === null) await once(child, 'close');
  });
  if (child.stdout === null) throw new Error('the process has no output');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async (expected: string): Promise<void> => {
    expect(await lines.next()).toEqual({ value: expected, done: false });
  };
  await line('ready');
  return async (change) => {
    child.stdin?.write(`${JSON.stringify(change)}\n`);
    await line('done');
  };
}

const paths = ['/x', '/y', '/g/u', '/g/v', '/g'];

const queries = [
  '{ store(name: "s0") { name kind writable array(path: "x") { path shape attributes metadata version dtype { name } codecs { name } } } }',
  '{ store(name: "s0") { x: array(path: "x") { shape slice { values } } y: array(path: "y") { slice { values base64 { data } } } } }',
  '{ store(name: "s1") { array(path: "x") { slice { sum: reduce(by: SUM) { values } mean: reduce(by: MEAN) { values } } } } }',
  '{ store(name: "s0") { group(path: "/") { consolidated members(first: 20) { totalCount nodes { path attributes version } } } } }',
  '{ store(name: "s1") { group(path: "g") { members(first: 20, recursive: true) { nodes { __typename path kind } pageInfo { endCursor } } } } }',
  '{ stores { nodes { name group(path: "/") { attributes members { nodes { name } } } } } }',
  '{ a: store(name: "s0") { array(path: "x") { slice(select: { text: "2:5" }) { values } } } b: store(name: "s1") { array(path: "x") { slice(select: { text: "2:5" }) { values } } } }',
  '{ store(name: "s0") { node(path: "g/u") { id __typename ... on ZarrArray { shape parent { path attributes } slice { values statistics { count max } } } ... on ZarrGroup { attributes } } } }',
  '{ store(name: "s0") { dataset { dimensions { name size } variables { name shape attributes } } } }',
  '{ store(name: "s0") { variable(path: "y") { name shape slice { values coordinates { name values } } } } }',
  'query($t: String!, $with: Boolean = true) { store(name: "s0") { array(path: "x") { slice(select: { text: $t }) { shape values @include(if: $with) } } } }',
  '{ slices(requests: [{ store: "s0", path: "x" }, { store: "s1", path: "g/v" }]) { shape values estimate { chunks outputBytes } } }',
  '{ store(name: "s1") { group(path: "g") { attribute(name: "value") metadata } } }',
  '{ store(name: "s0") { group(path: "g") { attributes dataset { children { nodes { path } } } } } }',
];
/** Documents for the endpoint of the second store, which are valid for its first schema. */
const typedQueries = [
  '{ x { shape values mean { value } } }',
  '{ x { values array { attributes } } g { _name u { values coordinates { _all { name values } } } v { max { value } } } }',
  '{ y(x: { slice: { start: 2, stop: 5 } }) { values statistics { count max } } _select(x: { index: 1 }) { x { value } g { u { value } } } }',
  '{ _group { attributes members { nodes { name } } } _dataset { dimensions { name size } } _store { name array(path: "x") { version } } }',
];
/** Documents that read the repository. */
const repositoryQueries = [
  '{ store(name: "s2") { kind array(path: "x") { shape attributes version slice { values sum: reduce(by: SUM) { values } } } } }',
  '{ store(name: "s2") { group(path: "/") { attributes members(first: 20, recursive: true) { totalCount nodes { path kind } } } } }',
  '{ store(name: "s2") { dataset { variables { name shape } } variable(path: "y") { slice { values } } } s0: store(name: "s0") { array(path: "x") { shape slice { values } } } }',
];
const variables = [{ t: '0:4' }, { t: ':' }, { t: '0:4', with: false }];
const accepts = ['application/json', 'application/graphql-response+json', 'application/cbor'];

test.each([1, 2, 3, 4])(
  'responses equal those without answers, steps %i',
  { timeout: 300_000 },
  async (seed) => {
    // Objects that have just been changed are not remembered, which would make the hits depend on the machine.
    const now = Date.now;
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + 200);
    onTestFinished(() => clock.mockRestore());
    const random = seededRandom(seed);
    const pick = <T>(list: readonly T[]): T => list[random(list.length)] ?? expect.fail('nothing to pick');
    const roots = [folderOfTest('answers'), folderOfTest('answers'), folderOfTest('answers')];
    const [first = '', second = '', third = ''] = roots;
    const opened = [first, second, `${REPOSITORY}${third}`];
    const folders = openFolders(opened);
    onTestFinished(async () => {
      await Promise.all(folders.map(({ store }) => store.close()));
    });
    await folders[2]?.store.versions?.writing?.createRepository();
    for (const [store, folder] of folders.entries()) {
      const format = store === 1 ? 2 : 3;
      await edit(folder, async (hierarchy) => {
        await hierarchy.createGroup('/', { zarrFormat: format });
        await hierarchy.createGroup('/g', { attributes: { value: 0 }, zarrFormat: format });
        for (const path of ['/x', '/y', '/g/u', '/g/v'])
          await hierarchy.createArray(path, {
            ...{ shape: [8], dtype: 'int32', chunkShape: [2], fillValue: 7, dimensionNames: ['x'] },
            ...{ codecs: uncompressed(format), zarrFormat: format },
          });
      });
    }
    const applyElsewhere = await startProcess(opened);
    const outcomes = { hit: 0, miss: 0, changed: 0 };
    const open = (resultCacheBytes: number): Gateway =>
      createGateway({
        stores: roots.map((root, i) => ({
          name: `s${i}`,
          store: i === 2 ? openRepository(`s${i}`, root) : createFilesystemStore({ label: `s${i}`, root }),
          writable: true,
        })),
        engine: { chunkCache: createChunkCache(2 ** 20) },
        resultCacheBytes,
        // A schema that is read again would be that of another moment in the other gateway.
        typedSchemas: { schemaMaxAgeMs: 1e9 },
        metrics:
          resultCacheBytes === 0
            ? { chunksDecoded() {} }
            : { chunksDecoded() {}, answerLookup: (outcome) => void outcomes[outcome]++ },
      });
    const gateway = open(2 ** 24);
    const reference = open(0);
    onTestFinished(async () => {
      await gateway.close();
      await reference.close();
    });

    const hidden = new Set<string>();
    const mayRead = (store: string, path: string): boolean => !hidden.has(`${store}${path}`);
    const callers: CallerOptions[] = [
      fullAccess,
      { mayRead, mayEnter: () => true, mayWrite: () => false },
      { mayRead: (_, path) => path !== '/y' && path !== '/g/u', mayEnter: () => true, mayWrite: () => false },
      { mayRead: (store) => store === 's1', mayEnter: (store) => store === 's1', mayWrite: () => false },
    ];

    const applyByGateway = async (change: Change): Promise<void> => {
      // A change through the gateway would read the schema of the second store again.
      if (change.kind !== 'attributes' || change.store === 1) return applyChange(folders, change);
      const { store, path } = change;
      await gateway.execute(
        {
          document:
            'mutation($store: String!, $path: String!, $set: JSON!) { setAttributes(input: { store: $store, path: $path, set: $set }) { node { path } } }',
          variables: { store: `s${store}`, path, set: { value: change.value } },
        },
        fullAccess,
      );
    };
    const randomChange = (): Change => {
      const [store, path, value] = [random(3), pick(paths), random(1000)];
      const kinds = ['attributes', 'attributes', 'write', 'write', 'write', 'unlink', 'replace', 'replace', 'resize', 'delete', 'array', 'array', 'group', 'consolidate'] as const; // prettier-ignore
      const kind = pick(kinds);
      switch (kind) {
        case 'write':
          return { kind, store, path, at: random(6), value };
        case 'resize':
          return { kind, store, path, size: 4 + random(8) };
        case 'consolidate':
          return { kind, store, path: '/' };
        case 'delete':
          return { kind, store, path };
        default:
          return { kind, store, path, value };
      }
    };

    const requests = Array.from({ length: 15 }, (_, i) => {
      const isTyped = i >= 12;
      const query = pick(isTyped ? typedQueries : i >= 10 ? repositoryQueries : queries);
      const parameters = { query, ...(query.includes('$t') ? { variables: pick(variables) } : {}) };
      return {
        parameters,
        store: isTyped ? 's1' : undefined,
        accept: pick(accepts),
        isGet: random(3) === 0,
        caller: pick(isTyped ? callers.slice(0, 2) : callers),
        etag: undefined as string | undefined,
      };
    });
    for (const { store, parameters, caller } of requests)
      if (store !== undefined)
        for (const one of [gateway, reference]) {
          const execute = one.as(caller).forStore(store).execute({ document: parameters.query });
          expect(await execute).not.toHaveProperty('errors');
        }
    for (let step = 0; step < 400; step++) {
      const what = random(10);
      if (what < 2)
        await pick([
          applyElsewhere,
          applyElsewhere,
          (change: Change) => applyChange(folders, change),
          applyByGateway,
        ])(randomChange());
      if (what === 2) {
        const name = `s${random(3)}${pick([...paths, '/'])}`;
        if (!hidden.delete(name)) hidden.add(name);
      }
      const request = pick(requests);
      const { parameters, store, accept, isGet, caller, etag } = request;
      const condition = etag !== undefined && random(2) === 0 ? { 'if-none-match': etag } : {};
      const signal = new AbortController().signal;
      const sent: OperationHttpRequest = isGet
        ? {
            method: 'GET',
            query: new URLSearchParams({
              query: parameters.query,
              variables: JSON.stringify(parameters.variables ?? {}),
            }).toString(),
            headers: { accept, ...condition },
            body: null,
            ...{ signal, store },
          }
        : {
            method: 'POST',
            query: '',
            headers: { accept, 'content-type': 'application/json', ...condition },
            body: Buffer.from(JSON.stringify(parameters)),
            ...{ signal, store },
          };
      const expected = await responseOf(reference, sent, caller);
      const received = await responseOf(gateway, sent, caller);
      expect({ step, ...received }).toEqual({ step, ...expected });
      request.etag = expected.headers['etag'];
    }
    // About half of the steps.
    expect(outcomes.hit).toBeGreaterThan(20);
    expect(outcomes.changed).toBeGreaterThan(5);
  },
);

async function responseOf(gateway: Gateway, request: OperationHttpRequest, caller: CallerOptions) {
  const { status, headers, body } = await gateway.handleOperation(request, caller);
  const bytes =
    body === null || body instanceof ReadableStream
      ? Buffer.from(await new Response(body).arrayBuffer())
      : Buffer.concat(body);
  // On a busy machine, a response that is not remembered may be streamed.
  const { 'content-length': _, ...others } = headers;
  const isText = headers['content-type']?.includes('json') === true;
  const shown: unknown =
    bytes.length === 0 ? undefined : isText ? JSON.parse(bytes.toString()) : decode(bytes);
  // Fields fail in any order.
  if (isRecord(shown) && Array.isArray(shown['errors']))
    return {
      status,
      headers: others,
      body: { ...shown, errors: shown['errors'].map((error) => JSON.stringify(error)).toSorted() },
    };
  return { status, headers: others, body: bytes.toString('latin1') };
}
