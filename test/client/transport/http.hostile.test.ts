/** Redirects and addresses returned by a hostile gateway. */
import { describe, expect, test } from 'vitest';
import { createClient } from '../../../client/index.js';
import { response, createFakeFetch } from '../fake-fetch.js';
import { connect, listen } from '../hostile-server.js';

const json = { 'content-type': 'application/json' };

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) if (all.push(item) > 10) break;
  return all;
}

describe('redirects', () => {
  test.each([301, 302, 303, 307, 308])('with %i to another origin send nothing there', async (status) => {
    const seen: string[] = [];
    const other = await listen((request, response) => {
      seen.push(JSON.stringify(request.headers));
      response.end('{"data":{}}');
    });
    const client = await connect((_, response) => response.writeHead(status, { location: other }).end(), {
      headers: { authorization: 'Bearer x', 'x-api-key': 'y' },
    });
    const calls = [
      () => client.request('{ a }'),
      () => client.request('mutation { a }'),
      () => collect(client.subscribe('subscription { a }')),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'BAD_RESPONSE' });
    expect(seen).toEqual([]);
  });

  test('within the origin keep method and body', async () => {
    const client = await connect((request, response) => {
      if (request.url === '/graphql') return response.writeHead(308, { location: '/elsewhere' }).end();
      request.pipe(response.writeHead(200, json), { end: true });
      return undefined;
    });
    await expect(client.request('{ a }')).rejects.toThrow(/not a GraphQL result.*"query":"\{ a \}"/);
  });

  test('in a cycle end', async () => {
    let count = 0;
    const client = await connect((_, response) => {
      count += 1;
      response.writeHead(307, { location: '/graphql' }).end();
    });
    await expect(client.request('{ a }')).rejects.toMatchObject({ code: 'BAD_RESPONSE' });
    expect(count).toBeLessThan(10);
  });

  test('that a browser hides are rejected', async () => {
    const { fetch } = createFakeFetch(() => response('', 0));
    const client = createClient({ url: '/graphql', fetch, retries: 0 });
    await expect(client.request('{ a }')).rejects.toMatchObject({ code: 'BAD_RESPONSE' });
  });
});

test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'http://', '\tjavascript:x'])(
  'the link %j is rejected',
  async (href) => {
    const data = { store: { array: { slice: { href } } } };
    for (const url of ['http://a/graphql', '/graphql']) {
      const { fetch } = createFakeFetch(() => response({ data }));
      const client = createClient({ url, fetch, format: 'json', retries: 0 });
      await expect(client.store('s').array('a').href()).rejects.toMatchObject({ code: 'BAD_RESPONSE' });
    }
  },
);
