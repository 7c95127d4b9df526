/** The endpoints of stores over HTTP: results in parts, subscriptions, and callers with different rights. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../server/config.js';
import { until } from '../http/serving.js';
import { array, group, type RealGateway, realGateway } from '../http/real-gateway.js';
import { openEvents } from '../http/sse-client.js';

const along = (names: readonly string[], attributes: object = {}): object => ({
  ...array(
    names.map(() => 4),
    attributes,
  ),
  dimension_names: names,
});

const weather = {
  'zarr.json': group(),
  'time/zarr.json': along(['time'], { units: 'days since 2020-01-01' }),
  't/zarr.json': along(['time']),
  'rain/zarr.json': along(['time']),
};

const family = Object.fromEntries(
  ['a', 'b', 'c'].flatMap((name) => [
    [`stations/${name}/zarr.json`, group()],
    [`stations/${name}/level/zarr.json`, along(['time'])],
  ]),
);

interface Sent {
  readonly accept?: string;
  readonly token?: string;
  readonly path?: string;
}

/** Sends a document to the endpoint of a store. */
function post(
  { url }: RealGateway,
  query: string,
  { accept, token, path = '/s' }: Sent = {},
): Promise<Response> {
  return fetch(url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(accept === undefined ? {} : { accept }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ query }),
  });
}

/** The objects in a multipart response or a stream of events. */
function partsOf(text: string): unknown[] {
  return [...text.matchAll(/^(?:data: )?(\{.*\})\r?$/gm)].map(([, json = '']): unknown => JSON.parse(json));
}

/** The parts of a result, merged by the ids and paths of their announcements. */
function merged(parts: readonly unknown[]): unknown {
  const whole: Record<string, unknown> = {};
  const at = (path: readonly (string | number)[]): unknown => path.reduce((value: unknown, key) => Object(value)[key] as unknown, whole['data']); // prettier-ignore
  const paths = new Map<string, readonly (string | number)[]>();
  for (const part of parts as readonly Part[]) {
    if ('data' in part) whole['data'] = part.data;
    for (const { id, path } of part.pending ?? []) paths.set(id, path);
    for (const { id, subPath = [], data, items } of part.incremental ?? []) {
      const target = at([...(paths.get(id) ?? []), ...subPath]);
      if (data !== undefined) Object.assign(Object(target), data);
      if (items !== undefined && Array.isArray(target)) target.push(...items);
    }
  }
  return whole['data'];
}

interface Part {
  readonly data?: unknown;
  readonly pending?: readonly { readonly id: string; readonly path: readonly (string | number)[] }[];
  readonly incremental?: readonly {
    readonly id: string;
    readonly subPath?: readonly (string | number)[];
    readonly data?: object;
    readonly items?: readonly unknown[];
  }[];
}

test.each([
  ['application/json', 200],
  ['application/graphql-response+json', 400],
])('an invalid document has the status of /graphql for %s', async (accept, status) => {
  const gateway = await realGateway({ s: weather });
  const typed = await post(gateway, '{ snow { shape } }', { accept });
  const generic = await post(gateway, '{ snow { shape } }', { accept, path: '' });
  expect([typed.status, generic.status]).toEqual([status, status]);
  expect(await typed.json()).toMatchObject({ errors: [{ extensions: { code: 'BAD_INPUT' } }] });
});

describe('results in parts', () => {
  const document = '{ _name ... @defer(label: "t") { t(time: {slice: {stop: 2}}) { values ... @defer { mean { value } } } } ... @defer { rain { count { value } } } }'; // prettier-ignore
  const expected = { _name: '', t: { values: [7, 7], mean: { value: 7 } }, rain: { count: { value: 4 } } };

  test.each(['multipart/mixed', 'text/event-stream'])('@defer over %s', async (accept) => {
    const gateway = await realGateway({ s: weather });
    const response = await post(gateway, document, { accept });
    expect(response.headers.get('content-type')).toContain(accept);
    const parts = partsOf(await response.text());
    expect(parts.length).toBeGreaterThan(1);
    expect(parts[0]).toMatchObject({ data: { _name: '' }, hasNext: true });
    expect(merged(parts)).toEqual(expected);
  });

  test('@defer as a CBOR sequence, and as one result for clients that accept only JSON', async () => {
    const gateway = await realGateway({ s: weather });
    const sequence = await post(gateway, document, { accept: 'application/cbor-seq' });
    expect(sequence.headers.get('content-type')).toBe('application/cbor-seq');
    expect(Buffer.from(await sequence.arrayBuffer()).includes(Buffer.from([0xd8, 40, 0x82, 0x81, 2, 0xd8, 78, 0x48]))).toBe(true); // prettier-ignore
    const whole = await post(gateway, document);
    expect(await whole.json()).toEqual({ data: expected });
  });

  test('@stream of the members of a family', async () => {
    const gateway = await realGateway(
      { s: { ...weather, 'stations/zarr.json': group(), ...family } },
      { policies: { s: { typedSchema: { families: { '/stations': true } } } } },
    );
    const response = await post(
      gateway,
      '{ stations { _members @stream(initialCount: 1) { _name level(time: {index: 0}) { value } } } }',
      { accept: 'multipart/mixed' },
    );
    const parts = partsOf(await response.text());
    expect(parts[0]).toMatchObject({
      data: { stations: { _members: [{ _name: 'a', level: { value: 7 } }] } },
    });
    const members = ['a', 'b', 'c'].map((_name) => ({ _name, level: { value: 7 } }));
    expect(merged(parts)).toEqual({ stations: { _members: members } });
  });

  test('errors in parts have codes and paths of the document', async () => {
    const gateway = await realGateway({ s: weather });
    const response = await post(gateway, '{ _name ... @defer { t(time: {at: "2031"}) { value } } }', { accept: 'multipart/mixed' }); // prettier-ignore
    const text = await response.text();
    expect(text).toContain('"path":["t"]');
    expect(text).toContain('"code":"BAD_SELECTION"');
  });

  test('thousands of parts are rejected', async () => {
    const gateway = await realGateway({ s: weather });
    const many = Array.from({ length: 3000 }, (_, i) => `... @defer(label: "${i}") { t { shape } }`).join(
      ' ',
    );
    const response = await post(gateway, `{ ${many} }`, { accept: 'multipart/mixed' });
    expect(await response.text()).toContain('LIMIT_EXCEEDED');
  });
});

describe('subscriptions', () => {
  test('server-sent events have fields of the store as they are after the change', async () => {
    const gateway = await realGateway({ s: weather, other: weather });
    const port = Number(new URL(gateway.url).port);
    const query = 'subscription { changes { kind path query { t(time: {index: 0}) { value } } } }';
    const stream = await openEvents(port, query, { path: '/graphql/s' });
    const seen = () => stream.events.filter(({ event }) => event === 'next').map(({ data }): unknown => JSON.parse(data)); // prettier-ignore
    // A subscription misses changes before it has started.
    while (seen().length === 0)
      await (await post(gateway, 'mutation { write_t(time: {index: 0}, _values: 5) { query { _name } } }')).text(); // prettier-ignore
    await (await post(gateway, 'mutation { write_t(_values: [1, 2, 3, 4]) { query { _name } } }', { path: '/other' })).text(); // prettier-ignore
    await (
      await post(gateway, 'mutation { write_t(time: {index: 0}, _values: 9) { query { _name } } }')
    ).text();
    const last = { data: { changes: { kind: 'DATA', path: '/t', query: { t: { value: 9 } } } } };
    await until(() => JSON.stringify(seen().at(-1)) === JSON.stringify(last));
    expect(new Set(seen().map((event) => JSON.stringify(event)))).toEqual(
      new Set([5, 9].map((value) => JSON.stringify({ data: { changes: { kind: 'DATA', path: '/t', query: { t: { value } } } } }))), // prettier-ignore
    );
    stream.leave();
  });

  test('an invalid subscription, an unknown store and a hidden field are errors', async () => {
    const gateway = await realGateway({ s: weather });
    const accept = 'text/event-stream';
    expect(await (await post(gateway, 'subscription { changes { rain } }', { accept })).text()).toContain(
      'BAD_INPUT',
    );
    expect((await post(gateway, 'subscription { changes { kind } }', { accept, path: '/none' })).status).toBe(
      404,
    );
  });
});

describe('callers', () => {
  test('who may read only nodes below hidden groups see these nodes', async () => {
    const deep = { 'zarr.json': group(), 'a/zarr.json': group(), 'a/b/zarr.json': group(), 'a/b/x/zarr.json': along(['n']), 'a/b/y/zarr.json': along(['n']), 'a/c/zarr.json': group(), 'a/c/t/zarr.json': along(['n']), 'd/zarr.json': group() }; // prettier-ignore
    const sha256 = createHash('sha256').update('token').digest('hex');
    const auth = { roles: { some: { read: ['s/a/b/x', 's/a/c'] } }, tokens: [{ name: 'c', sha256, roles: ['some'] }] }; // prettier-ignore
    const gateway = await realGateway({ s: deep }, { auth: parseConfig({ auth }).auth });
    const send = async (query: string): Promise<unknown> => (await post(gateway, query, { token: 'token' })).json(); // prettier-ignore
    expect(
      await send('{ a { _name b { x(n: {index: 1}) { values } } c { t { mean { value } } } } }'),
    ).toEqual({
      data: { a: { _name: 'a', b: { x: { values: 7 } }, c: { t: { mean: { value: 7 } } } } },
    });
    expect(await send('{ a { b { _dataset { path } } } }')).toMatchObject({ data: { a: { b: { _dataset: null } } }, errors: [{ extensions: { code: 'NOT_FOUND' } }] }); // prettier-ignore
    for (const hidden of ['{ a { b { y { shape } } } }', '{ d { _name } }'])
      expect(await send(hidden)).toMatchObject({ errors: [{ extensions: { code: 'BAD_INPUT' } }] });
  });

  const count = 300;
  const letters = (i: number): string => Array.from(String(i), (digit) => String.fromCodePoint(97 + Number(digit))).join('').padStart(4, 'q'); // prettier-ignore
  const secret = (i: number): string => `secret_${letters(i)}`;

  test('hundreds with different rights at once see only their nodes, also while schemas are removed', async () => {
    const ids = Array.from({ length: count }, (_, i) => i);
    const nodes = Object.fromEntries(ids.map((i) => [`${secret(i)}/zarr.json`, along(['time'])]));
    const auth = {
      roles: Object.fromEntries(ids.map((i) => [`r${i}`, { read: ['s/time', 's/t', `s/${secret(i)}`] }])),
      tokens: ids.map((i) => ({ name: `c${i}`, sha256: createHash('sha256').update(`c${i}`).digest('hex'), roles: [`r${i}`] })), // prettier-ignore
    };
    const gateway = await realGateway(
      { s: { ...weather, ...nodes } },
      {
        auth: parseConfig({ auth }).auth,
        gateway: { typedSchemas: { schemaMaxAgeMs: 0, schemaCacheBytes: 2 ** 20 } },
      },
    );
    const ask = async (i: number): Promise<void> => {
      const token = `c${i}`;
      const own = await post(gateway, `{ t(time: {index: 0}) { value } ${secret(i)} { shape } }`, { token });
      expect(await own.json()).toEqual({ data: { t: { value: 7 }, [secret(i)]: { shape: [4] } } });
      const other = secret((i + 1) % count);
      const hidden = await post(gateway, `{ ${other} { shape } }`, { token });
      const text = await hidden.text();
      const names = new Set(text.match(/secret_[a-z]+/g));
      expect([...names].filter((name) => name !== other && name !== secret(i))).toEqual([]);
      expect(text).toContain('BAD_INPUT');
      const listed = await post(gateway, '{ __type(name: "Query") { fields { name } } }', { token });
      expect([...new Set((await listed.text()).match(/secret_[a-z]+/g))]).toEqual([secret(i)]);
    };
    await Promise.all(ids.map(ask));
    // Again, while most schemas have been removed.
    await Promise.all(ids.toReversed().map(ask));
  }, 120_000);
});
