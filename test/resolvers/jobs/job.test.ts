import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { type CallerRights, createGateway, fullAccess, type Gateway } from '../../../server/index.js';
import { createMemoryStore, openHierarchy, toNested } from '../../../server/zarr/index.js';
import { createCounted } from '../../jobs/memory-stores.js';

const a = createMemoryStore({ label: 'a' });
const b = createMemoryStore({ label: 'b' });
const gateway = createGateway({
  stores: [
    { name: 'a', store: a },
    { name: 'b', store: b, writable: true },
  ],
  jobs: { maxQueued: 3, maxRemembered: 5 },
});
afterAll(() => gateway.close());
await createCounted(openHierarchy(a), '/g/x', {
  shape: [6, 4],
  chunkShape: [2, 2],
  dtype: 'int16',
  dimensionNames: ['y', 'x'],
});
beforeEach(() => b.deletePrefix(''));

const fields =
  'id kind state source { store path } destination { store path } tasks done error { code } failures { code } result';
const START = `mutation ($input: StartJobInput!) { startJob(input: $input) { job { ${fields} } } }`;

async function call(
  query: string,
  variables: unknown,
  caller: CallerRights = fullAccess,
  own: Gateway = gateway,
  // eslint-disable-next-line typescript/no-explicit-any
): Promise<any> {
  const response = await own.fetch(
    new Request('http://localhost/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    }),
    caller,
  );
  return response.json();
}

const copy = { kind: 'COPY', source: { store: 'a', path: '/g/x' }, destination: { store: 'b', path: '/x' } };
const codeOf = (result: { errors?: readonly { extensions: { code: string } }[] }) =>
  result.errors?.[0]?.extensions.code;

/** The events of a subscription. */
async function watch(id: string, caller: CallerRights = fullAccess): Promise<readonly string[]> {
  const response = await gateway.fetch(
    new Request('http://localhost/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({
        query: `subscription ($id: ID!) { jobProgress(id: $id) { state done } }`,
        variables: { id },
      }),
    }),
    caller,
  );
  return [...(await response.text()).matchAll(/^data: (\{.*\})$/gm)].map(([, json = '']) => json);
}

test('a job runs after its request; subscribers see its end', async () => {
  const { data } = await call(START, {
    input: {
      ...copy,
      chunks: [{ dim: 'y', size: 3 }],
      shards: [
        { dim: '0', size: 6 },
        { dim: '1', size: 2 },
      ],
    },
  });
  const { job } = data.startJob;
  expect(job).toMatchObject({
    kind: 'COPY',
    source: { store: 'a', path: '/g/x' },
    destination: { store: 'b', path: '/x' },
    tasks: 1,
  });
  const events = await watch(job.id);
  expect(JSON.parse(events.at(-1) ?? '')).toEqual({ data: { jobProgress: { state: 'SUCCEEDED', done: 1 } } });
  const result = await call(`query ($id: ID!) { job(id: $id) { state done endedAt } jobs { id } }`, {
    id: job.id,
  });
  expect(result.data).toMatchObject({ job: { state: 'SUCCEEDED', done: 1 }, jobs: [{ id: job.id }] });
  const written = await openHierarchy(b).array('/x');
  expect([written.chunkShape, written.shardShape]).toEqual([
    [3, 2],
    [6, 2],
  ]);
  expect(toNested(await written.select().read())).toEqual(
    toNested(await (await openHierarchy(a).array('/g/x')).select().read()),
  );
});

test('sources may be groups, selections by label, expressions and reductions; statistics are results', async () => {
  const group = await call(START, {
    input: { ...copy, source: { store: 'a', path: '/g' }, destination: { store: 'b', path: '/g2' } },
  });
  await watch(group.data.startJob.job.id);
  expect((await openHierarchy(b).array('/g2/x')).shape).toEqual([6, 4]);
  const reduce = {
    kind: 'REDUCE',
    source: {
      store: 'a',
      path: '/g/x',
      select: { text: '0:3' },
      steps: [{ reduce: { by: 'SUM', over: ['y'] } }],
    },
    destination: { store: 'b', path: '/sum' },
  };
  await watch((await call(START, { input: reduce })).data.startJob.job.id);
  expect(toNested(await (await openHierarchy(b).array('/sum')).select().read())).toEqual([
    15n,
    18n,
    21n,
    24n,
  ]);
  const statistics = await call(START, {
    input: { kind: 'STATISTICS', source: { store: 'a', path: '/g/x' } },
  });
  const { id } = statistics.data.startJob.job;
  await watch(id);
  const { data } = await call(`query ($id: ID!) { job(id: $id) { result } }`, { id });
  expect(data.job.result).toMatchObject({ count: 24, min: 1, max: 24 });
  // A second request finds the result.
  expect(
    (await call(START, { input: { kind: 'STATISTICS', source: { store: 'a', path: '/g/x' } } })).data.startJob
      .job,
  ).toMatchObject({ id, state: 'SUCCEEDED' });
});

describe('reduce with the mode JOB', () => {
  const query = `query ($store: String!, $path: String!) {
    store(name: $store) { array(path: $path) { slice { reduce(by: SUM, over: ["y"], mode: JOB) {
      shape job { id kind state result source { path } destination { path } } values
      slice(select: { text: "1:3" }) { values }
      reduce(by: MAX) { values job { id } }
    } } } } }`;
  const at = { store: 'b', path: '/r' };
  // oxlint-disable-next-line typescript/no-explicit-any
  const reduced = ({ data }: any) => data.store.array.slice.reduce;
  const create = () =>
    createCounted(openHierarchy(b), '/r', {
      shape: [6, 4],
      chunkShape: [2, 2],
      dtype: 'int16',
      dimensionNames: ['y', 'x'],
    });

  test('starts the job; later requests find its result until the source changes', async () => {
    const array = await create();
    const first = await call(query, at);
    const { job } = reduced(first);
    expect(job).toMatchObject({ kind: 'REDUCE', source: { path: '/r' }, destination: null });
    // The job may have ended already.
    if (reduced(first).values === null) expect(codeOf(first)).toBe('LIMIT_EXCEEDED');
    expect(JSON.parse((await watch(job.id)).at(-1) ?? '')).toMatchObject({ data: { jobProgress: { state: 'SUCCEEDED' } } }); // prettier-ignore
    const sums = ['66', '72', '78', '84'];
    expect(reduced(await call(query, at))).toEqual({
      shape: [4],
      job: { ...job, state: 'SUCCEEDED', result: sums },
      values: sums,
      slice: { values: sums.slice(1, 3) },
      reduce: { values: '84', job: { id: job.id } },
    });
    await array.select('0,0').write(2);
    const next = reduced(await call(query, at)).job;
    expect(next.id).not.toBe(job.id);
    await watch(next.id);
    expect(reduced(await call(query, at)).values).toEqual(['67', '72', '78', '84']);
  });

  test('works in lists of slices; its links and its cost are not those of reading the source', async () => {
    await create();
    const list = `query ($requests: [SliceRequest!]!) { slices(requests: $requests) { job { id } values href estimate { chunks } } }`;
    const requests = [{ ...at, steps: [{ reduce: { by: 'MEAN', mode: 'JOB' } }, { select: { text: '' } }] }];
    const first = await call(list, { requests });
    await watch(first.data.slices[0].job.id);
    const { data, errors } = await call(list, { requests });
    expect(data.slices).toMatchObject([{ values: 12.5, href: null, estimate: { chunks: 0 } }]);
    expect(errors).toMatchObject([{ path: ['slices', 0, 'href'], extensions: { code: 'UNSUPPORTED' } }]);
    const nested = await call(START, { input: { kind: 'REDUCE', source: requests[0] } });
    expect(codeOf(nested)).toBe('BAD_INPUT');
  });

  test('requires the right to start jobs, and to read the source', async () => {
    await create();
    const rights: CallerRights = { mayRead: () => true, mayEnter: () => true, mayWrite: () => false };
    expect(codeOf(await call(query, at, rights))).toBe('FORBIDDEN');
    const before = await call('{ jobs { id } }', {});
    expect(codeOf(await call(query, at, { ...rights, mayStartJobs: () => true, mayRead: (_, path) => path !== '/r' }))).toBe('NOT_FOUND'); // prettier-ignore
    expect((await call('{ jobs { id } }', {})).data).toEqual(before.data);
    // Nothing is written.
    const allowed = await call(query, at, { ...rights, mayStartJobs: () => true });
    expect(reduced(allowed).job.id).toEqual(expect.any(String));
    await watch(reduced(allowed).job.id);
  });

  test('works for medians, and for expressions of arrays and of results', async () => {
    await create();
    const group = openHierarchy(b);
    await group.createGroup('/e', {});
    for (const name of ['p', 'q'])
      await createCounted(group, `/e/${name}`, { shape: [6, 4], chunkShape: [2, 2], dtype: 'int16', dimensionNames: ['y', 'x'] }); // prettier-ignore
    const list = `query ($requests: [SliceRequest!]!) { slices(requests: $requests) { job { id } values } }`;
    const asJob = (by: string, more: object = {}) => ({ steps: [{ reduce: { by, mode: 'JOB', ...more } }] });
    const computed = (expression: string, inputs: readonly object[] = []) => ({
      store: 'b',
      compute: { path: '/e', expression, inputs },
    });
    const mean = { name: 'm', slice: { store: 'b', path: '/e/p', steps: [{ reduce: { by: 'MEAN', over: ['y'] } }] } }; // prettier-ignore
    const requests = [
      { ...at, ...asJob('MEDIAN') },
      { ...at, ...asJob('MEDIAN', { over: ['y'] }) },
      { ...computed('p + 2 * q'), ...asJob('SUM') },
      { ...computed('p - m', [mean]), ...asJob('MAX', { over: ['y'] }) },
    ];
    const first = await call(list, { requests });
    for (const { job } of first.data.slices) await watch(job.id);
    const { data, errors } = await call(list, { requests });
    expect(errors).toBeUndefined();
    expect(data.slices.map(({ values }: { values: unknown }) => values)).toEqual([
      12.5,
      [11, 12, 13, 14],
      '900',
      [10, 10, 10, 10],
    ]);
    // A job shows what its results read.
    const { id } = data.slices[3].job;
    const hidden: CallerRights = { ...fullAccess, mayRead: (_, path) => path !== '/e/p' };
    expect(codeOf(await call(`query ($id: ID!) { job(id: $id) { id } }`, { id }, hidden))).toBe('NOT_FOUND');
  });
});

describe('permissions', () => {
  const rights = (more: Partial<CallerRights>): CallerRights => ({
    mayRead: () => true,
    mayEnter: () => true,
    mayWrite: () => true,
    mayStartJobs: () => true,
    ...more,
  });
  const noJobs: CallerRights = { mayRead: () => true, mayEnter: () => true, mayWrite: () => true };

  test.each([
    ['the right to start jobs is missing', noJobs, 'FORBIDDEN'],
    ['the right is not true', rights({ mayStartJobs: (() => 1) as unknown as () => boolean }), 'FORBIDDEN'],
    ['the source may not be read', rights({ mayRead: (store) => store !== 'a' }), 'NOT_FOUND'],
    ['a part of the source may not be read', rights({ mayRead: (_, path) => path !== '/g/x' }), 'NOT_FOUND'],
    ['the destination may not be written', rights({ mayWrite: () => false }), 'FORBIDDEN'],
    ['the destination may not be seen', rights({ mayRead: (store) => store !== 'b' }), 'NOT_FOUND'],
  ] as const)('%s', async (_, caller, code) => {
    expect(codeOf(await call(START, { input: copy }, caller))).toBe(code);
    expect(await openHierarchy(b).node('/x')).toBeUndefined();
  });

  test('members of a group that may not be read are not copied', async () => {
    const caller = rights({ mayRead: (_, path) => path !== '/g/x' });
    const { data } = await call(
      START,
      { input: { ...copy, source: { store: 'a', path: '/g' }, destination: { store: 'b', path: '/h' } } },
      caller,
    );
    expect(data.startJob.job.tasks).toBe(0);
    await watch(data.startJob.job.id);
    expect(await openHierarchy(b).node('/h/x')).toBeUndefined();
  });

  test('jobs are hidden from callers who may not start them or read their nodes', async () => {
    const { data } = await call(START, { input: { ...copy, destination: { store: 'b', path: '/seen' } } });
    const { id } = data.startJob.job;
    await watch(id);
    const query = `query ($id: ID!) { job(id: $id) { id } jobs { id } }`;
    for (const caller of [
      noJobs,
      rights({ mayRead: (store) => store !== 'b' }),
      rights({ mayRead: (store) => store !== 'a' }),
    ]) {
      const result = await call(query, { id }, caller);
      expect(codeOf(result)).toBe('NOT_FOUND');
      expect(result.data.job).toBeNull();
      expect(result.data.jobs.map((job: { id: string }) => job.id)).not.toContain(id);
      expect((await watch(id, caller)).join()).toContain('NOT_FOUND');
    }
    const cancel = 'mutation ($id: ID!) { cancelJob(input: { id: $id }) { job { state } } }';
    expect(codeOf(await call(cancel, { id }, rights({ mayWrite: () => false })))).toBe('FORBIDDEN');
    expect(codeOf(await call(cancel, { id }, noJobs))).toBe('FORBIDDEN');
    expect((await call(cancel, { id })).data.cancelJob.job.state).toBe('SUCCEEDED');
    expect(codeOf(await call(cancel, { id: 'unknown' }))).toBe('NOT_FOUND');
  });

  test('a job of an expression is hidden from callers who may not read its variables', async () => {
    const source = { store: 'a', compute: { path: '/g', expression: 'x * 2' } };
    const { data, errors } = await call(START, {
      input: { ...copy, source, destination: { store: 'b', path: '/twice' } },
    });
    expect(errors).toBeUndefined();
    const { id } = data.startJob.job;
    await watch(id);
    const query = `query ($id: ID!) { job(id: $id) { id } }`;
    expect((await call(query, { id })).data.job).toEqual({ id });
    const limited = rights({ mayRead: (_, path) => path !== '/g/x' });
    expect(codeOf(await call(query, { id }, limited))).toBe('NOT_FOUND');
  });

  test('a job is hidden from callers who may not read a coordinate that is inherited from a group above', async () => {
    const source = openHierarchy(a);
    await source.createGroup('/above', {});
    await source.createGroup('/above/inner', {});
    for (const [path, name] of [
      ['/above/time', 'time'],
      ['/above/inner/v', 'time'],
    ] as const)
      await createCounted(source, path, {
        shape: [4],
        chunkShape: [4],
        dtype: 'float64',
        dimensionNames: [name],
      });
    const { data, errors } = await call(START, {
      input: {
        ...copy,
        source: { store: 'a', compute: { path: '/above/inner', expression: 'v * time' } },
        destination: { store: 'b', path: '/product' },
      },
    });
    expect(errors).toBeUndefined();
    const { id } = data.startJob.job;
    await watch(id);
    expect(toNested(await (await openHierarchy(b).array('/product')).select().read())).toEqual([1, 4, 9, 16]);
    const query = `query ($id: ID!) { job(id: $id) { id } }`;
    // Reading the inputs suffices: names of functions and of other groups do not matter.
    const below = rights({ mayRead: (store, path) => store === 'b' || ['/above', '/above/inner', '/above/inner/v', '/above/time'].includes(path) }); // prettier-ignore
    expect((await call(query, { id }, below)).data.job).toEqual({ id });
    for (const hidden of ['/above/time', '/above/inner/v', '/above/inner']) {
      const limited = rights({ mayRead: (_, path) => path !== hidden });
      expect(codeOf(await call(query, { id }, limited))).toBe('NOT_FOUND');
    }
  });

  test('a store that may not be written stays as it is', async () => {
    const input = { ...copy, destination: { store: 'a', path: '/copy' } };
    expect(codeOf(await call(START, { input }))).toBe('READ_ONLY');
  });

  test('a gateway runs no jobs unless it is told to', async () => {
    const closed = createGateway({ stores: [{ name: 'a', store: createMemoryStore({ label: 'a' }) }] });
    expect(codeOf(await call(START, { input: copy }, fullAccess, closed))).toBe('UNSUPPORTED');
    expect((await call('{ jobs { id } }', {}, fullAccess, closed)).data).toEqual({ jobs: [] });
    await closed.close();
  });
});

test('invalid jobs are errors of the request', async () => {
  const bad = async (input: object): Promise<string | undefined> => codeOf(await call(START, { input }));
  expect(await bad({ kind: 'COPY', source: copy.source })).toBe('BAD_INPUT');
  expect(await bad({ kind: 'VERIFY', source: copy.source, destination: copy.destination })).toBe('BAD_INPUT');
  expect(await bad({ kind: 'CONSOLIDATE', source: copy.source, destination: copy.destination })).toBe(
    'BAD_INPUT',
  );
  expect(await bad({ ...copy, kind: 'REDUCE' })).toBe('BAD_INPUT');
  expect(await bad({ kind: 'REDUCE', source: copy.source })).toBe('BAD_INPUT');
  expect(await bad({ ...copy, format: 7 })).toBe('BAD_INPUT');
  expect(await bad({ ...copy, chunks: [{ dim: 'y', size: 0 }] })).toBe('BAD_INPUT');
  expect(
    await bad({
      ...copy,
      chunks: [
        { dim: 'y', size: 1 },
        { dim: 'y', size: 2 },
      ],
    }),
  ).toBe('BAD_INPUT');
  expect(
    await bad({ ...copy, source: { store: 'b', path: '/' }, destination: { store: 'b', path: '/x' } }),
  ).toBe('NOT_FOUND');
  await openHierarchy(b).createGroup('/', { zarrFormat: 3 });
  expect(
    await bad({ ...copy, source: { store: 'b', path: '/' }, destination: { store: 'b', path: '/x' } }),
  ).toBe('BAD_INPUT');
});
