/** Mutations of Icechunk repositories: one commit per request, messages, failures, permissions, events, branches and tags. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CallerRights, createGateway, fullAccess, type Gateway } from '../../../server/index.js';
import { createIcechunkStore } from '../../../server/store/icechunk.js';
import { wrapStore } from '../../../server/store/wrap.js';
import { createMemoryStore, type KeyStore, StoreUnavailableError } from '../../../server/zarr/index.js';
import { execute } from '../gateway-client.js';

let gateway: Gateway;
let files: KeyStore;
/** Fails all writes of this object. */
let failing: string | undefined;
/** Called before a write of the head of the repository. */
let beforeHead: () => Promise<void>;

const open = (ref?: { readonly tag: string }): KeyStore =>
  createIcechunkStore({ label: 'ice', files, maxAgeMs: 60_000, deadlineMs: 20_000, writable: true, ref });

beforeEach(async () => {
  const memory = createMemoryStore({ label: 'files' });
  failing = undefined;
  beforeHead = async () => {};
  files = wrapStore(memory, {
    async set(key, ...others) {
      if (key === failing) throw new StoreUnavailableError('the disk is full');
      if (key === 'repo') await beforeHead();
      return memory.set(key, ...others);
    },
    close: async () => {},
  });
  gateway = createGateway({
    stores: [
      { name: 'ice', store: open(), writable: true, watchMs: 100 },
      { name: 'plain', store: createMemoryStore({ label: 'plain' }), writable: true },
    ],
  });
  await mutate('createRepository(input: { store: "ice" }) { store { name } }');
});
afterEach(() => gateway.close());

const mutate = (fields: string, to = gateway) => execute(to, `mutation { ${fields} }`);
const group = (path: string, more = '', store = 'ice') =>
  `createGroup(input: { store: "${store}", path: "${path}" ${more} }) { group { path } }`;
const array = (path: string, more = '') =>
  `createArray(input: { store: "ice", path: "${path}", shape: [4], chunkShape: [1], dtype: "int32" ${more} }) { array { path } }`;
const codes = (errors: readonly { readonly extensions: Record<string, unknown> }[]) =>
  errors.map(({ extensions }) => extensions['code']);

async function history(): Promise<readonly { readonly message: string; readonly id: string }[]> {
  const { data } = await execute(gateway, '{ store(name: "ice") { history(first: 50) { id message } } }');
  return data.store.history;
}

async function paths(): Promise<readonly string[]> {
  const { data } = await execute(gateway, '{ store(name: "ice") { search(first: 100) { nodes { path } } } }');
  return data.store.search.nodes.map(({ path }: { readonly path: string }) => path);
}

test('the mutations of a request are one commit, which later requests see at once', async () => {
  const { data, errors, text } = await mutate(`
    a: ${array('a', 'message: "Set up"')}
    w: writeSlice(input: { store: "ice", path: "a", select: { text: "1:3" }, values: [5, 6], message: "and fill" }) {
      chunksWritten array { slice { values } store { snapshot { message } } }
    }
    p: appendToArray(input: { store: "ice", path: "a", values: [7], message: "Set up" }) { array { shape slice { values } } }
    g: ${group('deep/er')}
    s: setAttributes(input: { store: "ice", path: "a", set: { units: "K" } }) { node { attributes } }`);
  expect(errors).toEqual([]);
  // Selections of a mutation see the changes up to it.
  expect(data.w).toEqual({
    chunksWritten: 2,
    array: { slice: { values: [0, 5, 6, 0] }, store: { snapshot: { message: 'Repository initialized' } } },
  });
  expect(data.p.array).toEqual({ shape: [5], slice: { values: [0, 5, 6, 0, 7] } });
  const [newest, ...others] = await history();
  expect(newest?.message).toBe('Set up\nand fill');
  expect(others).toHaveLength(1);
  expect(JSON.parse(text).extensions).toEqual({ commits: { ice: newest?.id } });
  const after = await execute(gateway, '{ store(name: "ice") { array(path: "a") { slice { values } attribute(name: "units") } } }'); // prettier-ignore
  expect(after.data.store.array).toEqual({ slice: { values: [0, 5, 6, 0, 7] }, attribute: 'K' });
});

test('if a mutation fails, nothing is changed, and the others say why; other stores are independent', async () => {
  const { data, errors } = await mutate(`
    a: ${group('a')}
    bad: ${group('a')}
    late: ${group('b')}
    other: ${group('a', '', 'plain')}`);
  expect(data).toEqual({ a: null, bad: null, late: null, other: { group: { path: '/a' } } });
  const byPath = new Map(errors.map(({ path, extensions }) => [path?.join(), extensions['code']]));
  expect(Object.fromEntries(byPath)).toEqual({ a: 'CONFLICT', bad: 'ALREADY_EXISTS', late: 'CONFLICT' });
  expect(errors.find(({ path }) => path?.[0] === 'a')?.message).toContain('"bad" of the same request failed');
  expect(await paths()).toEqual([]);
  expect(await history()).toHaveLength(1);
});

test('a result that cannot be returned, and a mutation that is not allowed, discard the changes too', async () => {
  await mutate(array('a'));
  const deleted = await mutate(`
    g: ${group('g')}
    w: writeSlice(input: { store: "ice", path: "nowhere", values: 1 }) { chunksWritten }`);
  expect(new Set(codes(deleted.errors))).toEqual(new Set(['CONFLICT', 'NOT_FOUND']));
  const invalid = await mutate(`g: ${group('g')} h: ${group('/../h')}`);
  expect(invalid.data).toEqual({ g: null, h: null });
  expect(await paths()).toEqual(['/', '/a']);
});

test('a failed commit is the error of all mutations', async () => {
  failing = 'repo';
  const { data, errors } = await mutate(`a: ${group('a')} b: ${group('b')} c: ${group('a', '', 'plain')}`);
  expect(data).toEqual({ a: null, b: null, c: { group: { path: '/a' } } });
  expect(codes(errors)).toEqual(['STORE_UNAVAILABLE', 'STORE_UNAVAILABLE']);
  failing = undefined;
  expect(await paths()).toEqual([]);
  expect((await mutate(group('a'))).errors).toEqual([]);
});

test('commits of others are kept; a conflict changes nothing', async () => {
  await mutate(array('a'));
  const other = createGateway({ stores: [{ name: 'ice', store: open(), writable: true }] });
  const write = (at: number, value: number) =>
    `writeSlice(input: { store: "ice", path: "a", select: { text: "${at}" }, values: ${value}, message: "${value}" }) { chunksWritten }`;
  const meanwhile = (at: number) => {
    beforeHead = async () => {
      beforeHead = async () => {};
      expect((await mutate(write(at, 1), other)).errors).toEqual([]);
    };
  };
  meanwhile(0);
  expect((await mutate(write(1, 2))).errors).toEqual([]);
  meanwhile(3);
  const conflict = await mutate(`w: ${write(3, 3)} g: ${group('g')}`);
  expect(codes(conflict.errors)).toEqual(['CONFLICT', 'CONFLICT']);
  expect(conflict.errors[0]?.message).toContain('nothing was changed');
  const { data } = await execute(gateway, '{ store(name: "ice", at: { branch: "main" }) { array(path: "a") { slice { values } } group(path: "g") { path } } }'); // prettier-ignore
  expect(data.store).toEqual({ array: { slice: { values: [1, 2, 0, 1] } }, group: null });
  expect((await history()).map(({ message }) => message).slice(0, 3)).toEqual(['1', '2', '1']);
  await other.close();
});

test('requests with two repositories in a different order do not wait for each other', async () => {
  const twice = createGateway({
    stores: [
      { name: 'ice', store: open(), writable: true },
      { name: 'b', store: createIcechunkStore({ label: 'b', files: createMemoryStore({ label: 'b' }), maxAgeMs: 0, deadlineMs: 20_000, writable: true }), writable: true }, // prettier-ignore
    ],
  });
  await mutate('createRepository(input: { store: "b", specVersion: 1 }) { store { name } }', twice);
  await mutate(`a: ${group('/')} b: ${group('/', '', 'b')}`, twice);
  const both = [
    mutate(`a: ${group('x1')} b: ${group('x1', '', 'b')}`, twice),
    mutate(`b: ${group('x2', '', 'b')} a: ${group('x2')}`, twice),
  ];
  for (const { errors, text } of await Promise.all(both)) {
    expect(errors).toEqual([]);
    expect(Object.keys(JSON.parse(text).extensions.commits).toSorted()).toEqual(['b', 'ice']);
  }
  await twice.close();
});

test('messages', async () => {
  expect((await mutate(group('a', 'message: "x"', 'plain'))).errors[0]?.extensions['code']).toBe(
    'UNSUPPORTED',
  );
  expect(codes((await mutate(group('a', 'message: " "'))).errors)).toEqual(['BAD_INPUT']);
  expect(codes((await mutate(group('a', `message: "${'x'.repeat(5000)}"`))).errors)).toEqual(['BAD_INPUT']);
  const many = Array.from({ length: 8 }, (_, i) => `g${i}: ${group(`g${i}`)}`).join(' ');
  expect((await mutate(many)).errors).toEqual([]);
  expect((await history())[0]?.message).toBe(
    'createGroup /g0, createGroup /g1, createGroup /g2, createGroup /g3, createGroup /g4, and 3 more',
  );
});

test('branches and tags', async () => {
  await mutate(array('a'));
  const tag = (name: string, more = '') =>
    `createTag(input: { store: "ice", name: "${name}" ${more} }) { tag snapshot store { name } }`;
  const tagged = await mutate(`t: ${tag('v1')} b: createBranch(input: { store: "ice", name: "dev", from: { tag: "v1" } }) { branch snapshot }`); // prettier-ignore
  const id = (await history())[0]?.id ?? '';
  expect(tagged.data).toEqual({
    t: { tag: 'v1', snapshot: id, store: { name: 'ice' } },
    b: { branch: 'dev', snapshot: id },
  });
  expect(codes((await mutate(tag('v1'))).errors)).toEqual(['ALREADY_EXISTS']);
  expect(codes((await mutate(tag('v2', 'at: { tag: "v9" }'))).errors)).toEqual(['NOT_FOUND']);
  expect(codes((await mutate(tag('a/b'))).errors)).toEqual(['BAD_INPUT']);
  const mixed = await mutate(`g: ${group('g')} t: ${tag('v3')}`);
  expect(codes(mixed.errors)).toEqual(['BAD_INPUT']);
  expect(mixed.data.g).not.toBeNull();
  const { data } = await execute(gateway, '{ store(name: "ice") { versions { branches tags } } }');
  expect(data.store.versions).toEqual({ branches: ['dev', 'main'], tags: ['v1'] });
  expect(codes((await mutate('createTag(input: { store: "plain", name: "x" }) { tag }')).errors)).toEqual(['UNSUPPORTED']); // prettier-ignore
  expect(codes((await mutate('createRepository(input: { store: "ice" }) { store { name } }')).errors)).toEqual(['ALREADY_EXISTS']); // prettier-ignore
});

test('tags, snapshots and stores that are not writable are READ_ONLY', async () => {
  await mutate(`a: ${array('a')}`);
  await mutate('createTag(input: { store: "ice", name: "v1" }) { tag }');
  const fixed = createGateway({
    stores: [
      { name: 'tagged', store: open({ tag: 'v1' }), writable: true },
      { name: 'ice', store: open() },
    ],
  });
  const onTag = await mutate(group('g', '', 'tagged'), fixed);
  expect(onTag.errors).toMatchObject([{ extensions: { code: 'READ_ONLY' }, message: expect.stringContaining('tags and snapshots never change') }]); // prettier-ignore
  const notAllowed = await mutate(`g: ${group('g')} t: createTag(input: { store: "ice", name: "v2" }) { tag }`, fixed); // prettier-ignore
  expect(codes(notAllowed.errors)).toEqual(['READ_ONLY', 'READ_ONLY']);
  expect(notAllowed.errors[0]?.message).toContain('--allow-write ice');
  const id = (await history())[0]?.id ?? '';
  expect(codes((await mutate(group('g', '', `ice@${id}`))).errors)).toEqual(['READ_ONLY']);
  await fixed.close();
});

test('a caller changes only what it may change, and its commit has nothing else', async () => {
  await mutate(`a: ${array('open/a')} b: ${array('secret/b')}`);
  const rights: CallerRights = {
    mayRead: (_, path) => path === '/' || path.startsWith('/open') || path.startsWith('/read'),
    mayEnter: () => true,
    mayWrite: (_, path) => path.startsWith('/open'),
  };
  const as = async (fields: string) => {
    const result = await gateway.execute({ document: `mutation { ${fields} }` }, rights);
    return { data: { ...result.data }, codes: codes(result.errors ?? []) };
  };
  const write = (path: string) =>
    `writeSlice(input: { store: "ice", path: "${path}", values: 1 }) { chunksWritten }`;
  expect(await as(`x: ${write('open/a')} y: ${write('secret/b')}`)).toEqual({
    data: { x: null, y: null },
    codes: expect.arrayContaining(['NOT_FOUND', 'CONFLICT']),
  });
  expect((await as(`x: ${write('open/a')} y: ${group('read')}`)).codes).toContain('FORBIDDEN');
  expect((await as('createTag(input: { store: "ice", name: "v1" }) { tag }')).codes).toEqual(['FORBIDDEN']);
  expect((await as('createBranch(input: { store: "ice", name: "v1" }) { branch }')).codes).toEqual(['FORBIDDEN']); // prettier-ignore
  expect(await history()).toHaveLength(2);
  const { data } = await as(`writeSlice(input: { store: "ice", path: "open/a", values: 1 }) {
    array { store { group { members(recursive: true) { nodes { path } } } } } }`);
  expect(JSON.stringify(data)).not.toContain('secret');
  expect(await history()).toHaveLength(3);
  const everything: CallerRights = { ...fullAccess, mayWrite: () => false };
  const none = await gateway.execute({ document: `mutation { ${group('g')} }` }, everything);
  expect(codes(none.errors ?? [])).toEqual(['FORBIDDEN']);
});

test('subscribers receive the changes of a commit once, after it, and those of others', async () => {
  await mutate(array('a'));
  const subscription = await gateway.handleMessage(
    {
      parameters: { query: 'subscription { changes(store: "ice") { kind path ... on DataChange { region { start stop } } } }' }, // prettier-ignore
      signal: new AbortController().signal,
    },
    fullAccess,
  );
  const received: { readonly kind: string; readonly path: string }[] = [];
  const reading = (async () => {
    for (;;) {
      const next = await subscription.next();
      if (next.done === true) return;
      const parts = await next.value.write('', '');
      if (parts instanceof ReadableStream) throw new Error('a change is small');
      received.push(JSON.parse(Buffer.concat(parts).toString()).data.changes);
    }
  })();
  const write = (at: number) =>
    `writeSlice(input: { store: "ice", path: "a", select: { text: "${at}" }, values: 1 }) { chunksWritten }`;
  await mutate(`x: ${write(0)} y: ${write(9)}`);
  await mutate(`x: ${write(1)} y: ${group('g')}`);
  const other = createGateway({ stores: [{ name: 'ice', store: open(), writable: true }] });
  await mutate(group('h'), other);
  await expect.poll(() => received.map(({ path }) => path)).toContain('/h');
  // A later comparison of the branch would publish them again.
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(received.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
    'DATA /a',
    'CREATED /g',
    'CREATED /h',
  ]);
  expect(received[0]).toMatchObject({ region: [{ start: 1, stop: 2 }] });
  await subscription.return();
  await reading;
  await other.close();
});

test('a request that is cancelled commits nothing', async () => {
  const cancel = new AbortController();
  const response = gateway.execute(
    {
      document: `mutation { a: ${group('a')} b: ${group('b')} }`,
      signal: cancel.signal,
    },
    fullAccess,
  );
  cancel.abort();
  expect(codes((await response).errors ?? [])).toContain('ABORTED');
  expect(await paths()).toEqual([]);
  expect((await mutate(group('c'))).errors).toEqual([]);
});
