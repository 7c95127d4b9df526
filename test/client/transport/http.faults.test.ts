/** Network faults on real connections: each read succeeds after retries or fails with a typed error. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { createClient, type ClientOptions, type FetchLike } from '../../../client/index.js';
import { sampleStores } from '../../docs/format-samples.js';
import { fullAccess } from '../../../server/index.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

const open = new Set<Server>();
const gateway = sampleStores();
afterEach(() => {
  for (const server of open) {
    server.closeAllConnections();
    server.close();
  }
  open.clear();
});

/** Each request uses the next handler; the last handler is reused. */
async function listen(
  handlers: readonly Handler[],
  port = 0,
): Promise<{ server: Server; port: number; count(): number }> {
  let count = 0;
  const server = createServer((request, response) => {
    const handle = handlers[Math.min(count, handlers.length - 1)];
    count += 1;
    Promise.resolve(handle?.(request, response)).catch(() => response.destroy());
  });
  open.add(server);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address();
  return { server, port: typeof address === 'object' ? (address?.port ?? 0) : 0, count: () => count };
}

interface FakeReply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}
const replies = new Map<string, Promise<FakeReply>>();

/** Equal requests are computed once, so a repeated request completes quickly even on a busy machine. */
async function replyTo(request: IncomingMessage): Promise<FakeReply> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const body = Buffer.concat(pieces);
  const key = `${request.headers.accept} ${body.toString()}`;
  const known = replies.get(key) ?? compute(String(request.headers.accept), body);
  replies.set(key, known);
  return known;
}

async function compute(accept: string, body: Buffer<ArrayBuffer>): Promise<FakeReply> {
  const headers = { accept, 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body };
  const reply = await gateway.fetch(new Request('http://localhost/graphql', init), fullAccess);
  const type = reply.headers.get('content-type') ?? '';
  return {
    status: reply.status,
    headers: { 'content-type': type },
    body: Buffer.from(await reply.arrayBuffer()),
  };
}

const serve: Handler = async (request, response) => {
  const { status, headers, body } = await replyTo(request);
  response.writeHead(status, headers).end(body);
};
const refuse: Handler = (_, response) => void response.destroy();
const hang: Handler = () => undefined;
const busy: Handler = (_, response) => void response.writeHead(503, { 'retry-after': '0' }).end('starting');
/** Sends the headers and half of the body, then calls `end`. */
const halfway =
  (end: (response: ServerResponse) => void): Handler =>
  async (request, response) => {
    const { status, headers, body } = await replyTo(request);
    response.writeHead(status, { ...headers, 'content-length': body.length });
    response.write(body.subarray(0, body.length / 2), () => end(response));
  };

function send(port: number, options: Partial<ClientOptions> = {}) {
  const client = createClient({ url: `http://127.0.0.1:${port}/graphql`, retryDelayMs: 1, ...options });
  return client.store('coads').array('SST', { dtype: 'float32' });
}

const part = '4, 57, 96:100';

beforeAll(async () => {
  const { port } = await listen([serve]);
  await Promise.all([part, '0'].map((text) => send(port, { stallMs: 0 }).slice(text)));
});

test.each([
  ['a refused connection', [refuse, serve]],
  ['503 with Retry-After', [busy, busy, serve]],
  [
    'a connection that is cut in the middle of the response',
    [halfway((response) => response.destroy()), serve],
  ],
  ['silence', [hang, serve]],
  ['silence in the middle of the response', [halfway(() => undefined), serve]],
])('%s: the read is retried', async (what, handlers) => {
  const { port, count } = await listen(handlers);
  const stallMs = what.startsWith('silence') ? 500 : 0;
  const slice = await send(port, { stallMs }).slice(part);
  expect(slice.get(2)).toBe(21.99945831298828);
  // On a busy machine, the response of the server can be late too.
  if (stallMs > 0) expect(count()).toBeGreaterThanOrEqual(handlers.length);
  else expect(count()).toBe(handlers.length);
});

test.each([
  ['refused connections', refuse, 'NETWORK'],
  ['503 for every request', busy, 'HTTP'],
  ['truncated responses', halfway((response) => response.destroy()), 'NETWORK'],
  ['no response', hang, 'STALLED'],
  ['responses that stop halfway', halfway(() => undefined), 'STALLED'],
])('%s: a typed error after the retries', async (_what, handler, code) => {
  const { port, count } = await listen([handler]);
  const stallMs = code === 'STALLED' ? 500 : 0;
  await expect(send(port, { stallMs, retries: 1 }).slice('0')).rejects.toMatchObject({ code });
  expect(count()).toBe(2);
});

test('a slice is read from a server that restarts', async () => {
  const first = await listen([serve]);
  let attempted = 0;
  const counting: FetchLike = (url, init) => {
    attempted += 1;
    return fetch(url, init);
  };
  const sst = send(first.port, { retries: 20, fetch: counting });
  await sst.slice('0');
  first.server.closeAllConnections();
  await new Promise((resolve) => first.server.close(resolve));
  const attempts = attempted;
  const slice = sst.slice('0');
  await expect.poll(() => attempted).toBeGreaterThan(attempts + 1);
  await listen([serve], first.port);
  expect((await slice).shape).toEqual([90, 180]);
});

test('an abort ends the request immediately on both sides', async () => {
  let gone: Promise<unknown> | undefined;
  const controller = new AbortController();
  const { port } = await listen([
    (_, response) => {
      gone = new Promise((resolve) => response.on('close', resolve));
      controller.abort();
    },
  ]);
  const slice = send(port).slice('0', { signal: controller.signal });
  await expect(slice).rejects.toMatchObject({ code: 'ABORTED' });
  await gone;
});

test('a time limit ends an attempt without a response', async () => {
  const { port } = await listen([hang]);
  await expect(send(port, { stallMs: 0, timeoutMs: 60 }).slice('0')).rejects.toMatchObject({
    code: 'TIMEOUT',
  });
});

test('a mutation is sent only once, after any failure', async () => {
  const { port, count } = await listen([refuse]);
  await expect(send(port).write('0', 1)).rejects.toMatchObject({ code: 'NETWORK' });
  expect(count()).toBe(1);
});

test('two hundred concurrent slices take fewer than six requests', async () => {
  const { port, count } = await listen([serve]);
  const sst = send(port);
  const slices = await Promise.all(
    Array.from({ length: 200 }, (_, i) => sst.slice([i % 12, Math.floor(i / 12)])),
  );
  expect(slices.every(({ shape }) => shape[0] === 180)).toBe(true);
  expect(count()).toBeLessThan(6);
});
