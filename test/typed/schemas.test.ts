/** Schemas follow their stores, and show each caller only what it may read. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createGateway, fullAccess } from '../../server/index.js';
import {
  createMemoryStore,
  type KeyStore,
  openHierarchy,
  StoreUnavailableError,
} from '../../server/zarr/index.js';
import { put } from '../format/documents.js';
import type { CallerRights, GatewayConfig, OperationCost } from '../../server/gateway/options.js';
import { MemoryBudget } from '../../server/memory/budget.js';
import { BusyError } from '../../server/memory/busy-error.js';

type Options = Partial<Omit<GatewayConfig, 'stores'>> & { readonly typedSchema?: GatewayConfig['stores'][number]['typedSchema'] }; // prettier-ignore

function endpointOf(
  store: KeyStore,
  { typedSchema, ...options }: Options = {},
  rights: CallerRights = fullAccess,
) {
  const gateway = createGateway({ stores: [{ name: 's', store, writable: true, typedSchema }], ...options });
  onTestFinished(() => gateway.close());
  return { gateway, store: gateway.as(rights).forStore('s') };
}

const fast = { typedSchemas: { schemaMaxAgeMs: 0 } } as const;

async function weather(): Promise<KeyStore> {
  const store = createMemoryStore({ label: 's' });
  const hierarchy = openHierarchy(store);
  await hierarchy.createGroup('/');
  const time = await hierarchy.createArray('time', { shape: [3], dtype: 'int32', dimensionNames: ['time'], attributes: { units: 'days since 2020-01-01' } }); // prettier-ignore
  await time.select({ kind: 'all' }).write([0, 1, 2]);
  const t = await hierarchy.createArray('t', { shape: [3], dtype: 'float32', dimensionNames: ['time'] });
  await t.select({ kind: 'all' }).write([1, 2, 3]);
  return store;
}

async function dataOf(store: ReturnType<typeof endpointOf>['store'], document: string): Promise<unknown> {
  const result = await store.execute({ document });
  return JSON.parse(JSON.stringify(result.errors ?? result.data));
}

describe('changes', () => {
  test('an append changes no SDL, even if it extends only some variables', async () => {
    const { store } = endpointOf(await weather(), fast);
    const before = await store.sdl();
    expect(await dataOf(store, 'mutation { write_t(time: {slice: {start: 0, stop: 2, step: null}}, _values: [5, 6], _writeEmptyChunks: null) { query { t(time: {slice: {stop: 2}}) { values } } } }')).toEqual({ write_t: { query: { t: { values: [5, 6] } } } }); // prettier-ignore
    expect(await dataOf(store, 'mutation { append_t(values: [4]) { array { shape } query { t(time: {slice: {}}) { shape } } } }')).toMatchObject([{ path: ['append_t', 'query', 't'], extensions: { code: 'INVALID_METADATA' } }]); // prettier-ignore
    expect(await store.sdl()).toBe(before);
    expect(await dataOf(store, 'mutation { append_time(values: [3]) { query { t(time: {index: 3}) { value } } } }')).toEqual({ append_time: { query: { t: { value: 4 } } } }); // prettier-ignore
    expect(await store.sdl()).toBe(before);
  });

  test('the separate consolidated metadata of a group is followed', async () => {
    const stored = await weather();
    const writer = openHierarchy(stored);
    await writer.createGroup('sub');
    await writer.consolidate('/');
    const array = { zarr_format: 3, node_type: 'array', shape: [], data_type: 'int32', chunk_grid: { name: 'regular', configuration: { chunk_shape: [] } }, chunk_key_encoding: { name: 'default' }, fill_value: 1, codecs: [{ name: 'bytes', configuration: { endian: 'little' } }] }; // prettier-ignore
    const listing = async (names: readonly string[]) => {
      const metadata = Object.fromEntries(names.map((name) => [name, array]));
      await put(stored, 'sub/zarr.json', { zarr_format: 3, node_type: 'group', attributes: {}, consolidated_metadata: { kind: 'inline', must_understand: false, metadata } }); // prettier-ignore
    };
    await listing(['pressure']);
    const { store } = endpointOf(stored, fast);
    expect(await store.sdl()).toContain('pressure');
    await listing(['pressure', 'salinity']);
    await vi.waitFor(async () => expect(await store.sdl()).toContain('salinity'));
  });

  test('an array that the gateway creates has a field in the next request', async () => {
    const { gateway, store } = endpointOf(await weather());
    expect(await store.sdl()).not.toContain('humidity');
    const document = 'mutation { createArray(input: {store: "s", path: "humidity", shape: [3], dtype: "float32", dimensionNames: ["time"], fillValue: 7}) { array { path } } }'; // prettier-ignore
    expect(await gateway.execute({ document }, fullAccess)).not.toHaveProperty('errors');
    expect(await dataOf(store, '{ humidity(time: {at: "2020-01-02"}) { value } }')).toEqual({ humidity: { value: 7 } }); // prettier-ignore
  });

  test('a document that is invalid for the last schema waits for a check', async () => {
    const stored = await weather();
    const { store } = endpointOf(stored, { typedSchemas: { schemaMaxAgeMs: 3_600_000 } });
    await store.sdl();
    await openHierarchy(stored).createArray('later', { shape: [], dtype: 'float64', fillValue: 5 });
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(await dataOf(store, '{ later { value } }')).toEqual({ later: { value: 5 } });
  });

  test('a variable that was deleted is NOT_FOUND in the schema of before', async () => {
    const stored = await weather();
    const { store } = endpointOf(stored, { typedSchemas: { schemaMaxAgeMs: 3_600_000 } });
    await store.sdl();
    await openHierarchy(stored).deleteNode('t', { recursive: true });
    expect(await dataOf(store, '{ t { shape } }')).toMatchObject([
      { extensions: { code: 'NOT_FOUND' }, path: ['t'] },
    ]);
  });

  test('stored values are written by label', async () => {
    const { store } = endpointOf(await weather(), fast);
    const document = 'mutation { write_t(time: {at: "2020-01-02"}, _values: 9) { chunksWritten query { t { values } } } }'; // prettier-ignore
    expect(await dataOf(store, document)).toEqual({ write_t: { chunksWritten: 1, query: { t: { values: [1, 9, 3] } } } }); // prettier-ignore
  });
});

describe('rights', () => {
  const without = (hidden: string): CallerRights => ({
    mayRead: (_, path) => path !== hidden,
    mayEnter: (_, path) => path !== hidden,
    mayWrite: () => false,
  });

  test('a hidden variable is an unknown field, in no description and suggestion', async () => {
    const stored = await weather();
    await openHierarchy(stored).createArray('secret', {
      shape: [3],
      dtype: 'float32',
      dimensionNames: ['time'],
    });
    const { gateway, store } = endpointOf(stored);
    const hidden = gateway.as(without('/secret')).forStore('s');
    expect(await store.sdl()).toContain('secret');
    expect(await hidden.sdl()).not.toContain('secret');
    const errors = await dataOf(hidden, '{ secre { shape } }');
    expect(JSON.stringify(errors)).toContain('BAD_INPUT');
    expect(JSON.stringify(errors)).not.toContain('secret');
    expect(await dataOf(hidden, '{ secret { shape } }')).toMatchObject([{ message: expect.not.stringContaining('Did you mean') }]); // prettier-ignore
  });

  test('a name that only a hidden node has changes no other name', async () => {
    const stored = await weather();
    const hierarchy = openHierarchy(stored);
    await hierarchy.createArray('a.b', { shape: [], dtype: 'float32' });
    await hierarchy.createArray('a_b', { shape: [], dtype: 'float32' });
    const { gateway } = endpointOf(stored);
    expect(await gateway.as(without('/a_b')).forStore('s').sdl()).toMatch(/^ {2}a_b: .*@zarr\(name: "a.b"/m);
  });

  test('a caller without the right to write has no mutations', async () => {
    const { gateway } = endpointOf(await weather());
    expect(await gateway.as(without('/x')).forStore('s').sdl()).not.toContain('type Mutation');
  });

  test('callers with different rights see no names of each other, under load and with little memory', async () => {
    const stored = await weather();
    const names = Array.from({ length: 12 }, (_, i) => `secret${String.fromCodePoint(97 + i).repeat(4)}`);
    for (const name of names)
      await openHierarchy(stored).createArray(name, { shape: [3], dtype: 'float32', dimensionNames: ['time'] }); // prettier-ignore
    const { gateway } = endpointOf(stored, {
      typedSchemas: { schemaMaxAgeMs: 0, schemaCacheBytes: 200_000 },
    });
    const callers = names.map((own) => {
      const sees = (_: string, path: string): boolean => !path.startsWith('/secret') || path === `/${own}`;
      return { own, store: gateway.as({ mayRead: sees, mayEnter: sees, mayWrite: () => false }).forStore('s') }; // prettier-ignore
    });
    const answers = callers.flatMap(({ own, store }) =>
      Array.from({ length: 4 }, async () => {
        const introspection = store.execute({ document: '{ __schema { types { name fields { name args { name } } enumValues { name } } } }' }); // prettier-ignore
        const wrong = store.execute({ document: '{ secretaaab { shape } secret { shape } }' });
        const own = store.execute({ document: '{ __type(name: "Query") { fields { name description } } }' });
        return JSON.stringify([await store.sdl(), await introspection, await wrong, await own]);
      }).map(async (answer) => ({ own, text: await answer })),
    );
    for (const { own, text } of await Promise.all(answers)) {
      expect(text).toContain(own);
      const asked = ['secretaaab', 'secret'];
      const seen = new Set(text.match(/secret\w*/g));
      expect([...seen].filter((name) => !asked.includes(name) && name !== own)).toEqual([]);
    }
  });

  test('a hidden store is unknown', async () => {
    const { gateway } = endpointOf(await weather());
    const nothing: CallerRights = { mayRead: () => false, mayEnter: () => false, mayWrite: () => false };
    const request = { document: '{ __typename }' };
    const hidden = await gateway.as(nothing).forStore('s').execute(request);
    const unknown = await gateway.as(fullAccess).forStore('other').execute(request);
    expect(JSON.stringify(hidden)).toBe(JSON.stringify(unknown));
    expect(hidden.errors?.[0]?.extensions['code']).toBe('NOT_FOUND');
  });
});

describe('stores that do not answer', () => {
  test('the last schema remains if a check fails, also after a change through the gateway', async () => {
    const stored = await weather();
    let isDown = false;
    const store: KeyStore = {
      ...stored,
      getMany: (...args) => {
        if (isDown) throw new StoreUnavailableError('down');
        return stored.getMany(...args);
      },
      list: (...args) => {
        if (isDown) throw new StoreUnavailableError('down');
        return stored.list(...args);
      },
    };
    const { store: endpoint } = endpointOf(store, fast);
    const before = await endpoint.sdl();
    const document = 'mutation { write_t(time: {index: 0}, _values: 9) { chunksWritten } }';
    expect(await dataOf(endpoint, document)).toEqual({ write_t: { chunksWritten: 1 } });
    isDown = true;
    expect(await endpoint.sdl()).toBe(before);
    expect(await endpoint.sdl()).toBe(before);
    const unread = endpointOf(store);
    expect(await dataOf(unread.store, '{ __typename }')).toMatchObject([{ extensions: { code: 'STORE_UNAVAILABLE' } }]); // prettier-ignore
  });
});

test('an invalid document does not wait for a store that hangs', { timeout: 20_000 }, async () => {
  const stored = await weather();
  let hangs = false;
  const store: KeyStore = {
    ...stored,
    getMany: (...args) => (hangs ? new Promise(() => {}) : stored.getMany(...args)),
    list: (...args) => (hangs ? new Promise(() => {}) : stored.list(...args)),
  };
  const { store: endpoint } = endpointOf(store, { typedSchemas: { schemaMaxAgeMs: 3_600_000 } });
  await endpoint.sdl();
  await new Promise((resolve) => setTimeout(resolve, 1100));
  hangs = true;
  expect(await dataOf(endpoint, '{ later { value } }')).toMatchObject([
    { extensions: { code: 'BAD_INPUT' } },
  ]);
});

describe('families', () => {
  async function stations(count: number, parent = 'stations/'): Promise<KeyStore> {
    const store = createMemoryStore({ label: 's' });
    const hierarchy = openHierarchy(store);
    await hierarchy.createGroup('/');
    if (parent !== '') await hierarchy.createGroup(parent.slice(0, -1));
    for (let i = 0; i < count; i++) {
      await hierarchy.createGroup(`${parent}s${i}`);
      await hierarchy.createArray(`${parent}s${i}/t`, { shape: [2], dtype: 'float32', dimensionNames: ['time'], fillValue: i }); // prettier-ignore
      if (i % 2 === 0) await hierarchy.createArray(`${parent}s${i}/rain`, { shape: [2], dtype: 'float32', dimensionNames: ['time'] }); // prettier-ignore
    }
    return store;
  }

  test('20 groups of equal signature share a type; without them, the option decides', async () => {
    expect(await endpointOf(await stations(40)).store.sdl()).toContain('type Member_stations');
    const few = await stations(4);
    expect(await endpointOf(few).store.sdl()).not.toContain('Member_');
    const { store } = endpointOf(few, { typedSchema: { families: { '/stations': true } } });
    const data = await dataOf(store, '{ stations { s1 { t(time: {index: 0}) { value } rain { shape } } _members(names: ["s2", "s9"]) { _name t(time: {index: 0}) { value } } } }'); // prettier-ignore
    expect(data).toMatchObject([{ path: ['stations', '_members', 1], extensions: { code: 'NOT_FOUND' } }]);
    expect(
      await dataOf(
        store,
        '{ stations { s1 { t(time: {index: 0}) { value } rain { shape } } _members(first: 2) { _name t(time: {index: 0}) { value } } } }',
      ),
    ).toEqual({
      // prettier-ignore
      stations: {
        s1: { t: { value: 1 }, rain: null },
        _members: [
          { _name: 's0', t: { value: 0 } },
          { _name: 's1', t: { value: 1 } },
        ],
      },
    });
    expect(await endpointOf(await stations(40), { typedSchema: { families: { '/stations': false } } }).store.sdl()).not.toContain('Member_'); // prettier-ignore
  });

  test('the groups of the root may be a family', async () => {
    const { store } = endpointOf(await stations(40, ''));
    expect(await store.sdl()).toContain('type Member_root');
    expect(await dataOf(store, '{ s3 { t(time: {index: 0}) { value } } }')).toEqual({ s3: { t: { value: 3 } } }); // prettier-ignore
  });

  test('groups that exceed the limit have only the fields of the gateway', async () => {
    const { store } = endpointOf(await stations(6), { typedSchema: { maxFields: 10 } });
    expect(await dataOf(store, '{ stations { s5 { _name _group { path } } } }')).toEqual({ stations: { s5: { _name: 's5', _group: { path: '/stations/s5' } } } }); // prettier-ignore
    expect(await store.sdl()).toContain('too many nodes');
    const collapsed = endpointOf(await stations(2), { typedSchema: { collapse: ['/stations/**'] } });
    expect(await collapsed.store.sdl()).toMatch(/type Group_stations_s0[^}]*_dataset: Dataset[^}]*\}/);
  });
});

describe('reading a store and building its schema', () => {
  test('are charged to the client that causes them, once', async () => {
    const { gateway } = endpointOf(await weather());
    const fields: number[] = [];
    const rights = { ...fullAccess, client: 'a', charge: (cost: OperationCost) => void fields.push(cost.fields) }; // prettier-ignore
    await gateway.as(rights).forStore('s').sdl();
    // The root with two arrays, and the fields of the types of the store.
    expect(fields).toEqual([3, expect.any(Number)]);
    expect(fields[1]).toBeGreaterThan(100);
    await gateway.as(rights).forStore('s').sdl();
    expect(fields).toHaveLength(2);
  });

  test('reserve memory of the process for the client, and release it', async () => {
    const memory = new MemoryBudget({ maxBytes: 2 ** 30, maxRequestBytes: 2 ** 29, waitMs: 100 });
    const take = vi.spyOn(memory, 'take');
    const { gateway } = endpointOf(await weather(), { memory });
    await gateway
      .as({ ...fullAccess, client: 'a' })
      .forStore('s')
      .sdl();
    // Three nodes with their facts and documents, and the types of two variables.
    const taken = take.mock.calls.map(([request, bytes]) => [request.client, bytes > 3 * 1024]);
    expect(taken).toEqual([
      ['a', true],
      ['a', true],
    ]);
    expect(memory.stats().heldBytes).toBe(0);
  });

  test('fail without memory, and keep the last schema', async () => {
    const stored = await weather();
    const memory = new MemoryBudget({ maxBytes: 2 ** 25, maxRequestBytes: 2 ** 24, waitMs: 10 });
    const { store } = endpointOf(stored, { ...fast, memory });
    const fill = () => {
      const others = ['b', 'c'].map((client) => memory.open(client));
      for (const other of others) other.add(2 ** 25);
      // One request uses the reserve.
      const large = memory.open('d');
      const waiting = large.take(2 ** 23);
      return async () => {
        await waiting;
        for (const request of [...others, large]) request.end();
      };
    };
    const empty = fill();
    await expect(store.sdl()).rejects.toBeInstanceOf(BusyError);
    await empty();
    const before = await store.sdl();
    const emptyAgain = fill();
    await openHierarchy(stored).createArray('later', { shape: [], dtype: 'float64' });
    expect(await store.sdl()).toBe(before);
    await emptyAgain();
    await vi.waitFor(async () => expect(await store.sdl()).toContain('later'));
  });
});
