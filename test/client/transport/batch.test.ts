import { expect, test } from 'vitest';
import { createClient } from '../../../client/index.js';
import type { AnyNDArray, ClientOptions } from '../../../client/index.js';
import { response, base64Slice, createFakeFetch, floats, hang } from '../fake-fetch.js';
import type { FakeResponse, FakeRequest } from '../fake-fetch.js';

/** The paths in a request. */
function pathsOf(sent: FakeRequest | undefined): string[] {
  const requests = sent?.body.variables['requests'] as { path: string }[];
  return requests.map(({ path }) => path);
}

/** Responds to each slice with the number in its path; `fail` maps paths to errors. */
function gateway(
  fail: (path: string, among: readonly string[]) => string | undefined = () => undefined,
): FakeResponse {
  return (sent) => {
    const paths = pathsOf(sent);
    const codes = paths.map((path) => fail(path, paths));
    return response({
      data: {
        slices: paths.map((path, i) =>
          codes[i] === undefined ? base64Slice('<f4', [], floats(Number(path.slice(1)))) : null,
        ),
      },
      errors: codes.flatMap((code, i) =>
        code === undefined ? [] : [{ message: code, path: ['slices', i], extensions: { code } }],
      ),
    });
  };
}

function start(options: Partial<ClientOptions>, ...responses: FakeResponse[]) {
  const { fetch, sent } = createFakeFetch(...responses);
  const client = createClient({
    url: 'http://gateway/graphql',
    fetch,
    retryDelayMs: 1,
    format: 'json',
    ...options,
  });
  const read = (path: number, signal?: AbortSignal) =>
    client.store('s').array(String(path)).slice('', { signal });
  return { client, sent, read };
}

const value = (array: AnyNDArray) => array.get();

test('concurrent slices share a request, and each gets its own result', async () => {
  const { read, sent } = start({}, gateway());
  const arrays = await Promise.all([read(3), read(1), read(2)]);
  expect(arrays.map(value)).toEqual([3, 1, 2]);
  expect(sent.map(pathsOf)).toEqual([['/3', '/1', '/2']]);
});

test('later slices are sent in a later request', async () => {
  const { read, sent } = start({}, gateway());
  await read(1);
  await read(2);
  expect(sent.map(pathsOf)).toEqual([['/1'], ['/2']]);
});

test('no request contains more than maxBatch slices', async () => {
  const { read, sent } = start({ maxBatch: 2 }, gateway());
  await Promise.all([1, 2, 3, 4, 5].map((path) => read(path)));
  expect(sent.map(pathsOf)).toEqual([['/1', '/2'], ['/3', '/4'], ['/5']]);
});

test('one failure does not affect the others', async () => {
  const { read, sent } = start(
    {},
    gateway((path) => (path === '/2' ? 'CODEC_ERROR' : undefined)),
  );
  const settled = await Promise.allSettled([read(1), read(2), read(3)]);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(settled[1]).toMatchObject({ reason: { code: 'CODEC_ERROR', fieldPath: ['slices', 1] } });
  expect(sent).toHaveLength(1);
});

test('slices are requested again one by one if only their batch exceeds a limit', async () => {
  const limit = gateway((path, among) => (among.length > 1 && path === '/2' ? 'LIMIT_EXCEEDED' : undefined));
  const { read, sent } = start({}, limit);
  expect((await Promise.all([read(1), read(2)])).map(value)).toEqual([1, 2]);
  expect(sent.map(pathsOf)).toEqual([['/1', '/2'], ['/2']]);
});

test('slices that exceed the limit individually fail', async () => {
  const { read, sent } = start(
    {},
    gateway((path) => (path === '/2' ? 'LIMIT_EXCEEDED' : undefined)),
  );
  const [, second] = await Promise.allSettled([read(1), read(2)]);
  expect(second).toMatchObject({ reason: { code: 'LIMIT_EXCEEDED' } });
  expect(sent).toHaveLength(2);
});

test('slices of a rejected request are requested one by one', async () => {
  const refuse: FakeResponse = (sent) =>
    pathsOf(sent).includes('/2')
      ? response({ errors: [{ message: 'no', extensions: { code: 'BAD_INPUT' } }] }, 400)
      : gateway()(sent);
  const { read } = start({}, refuse);
  const [first, second] = await Promise.allSettled([read(1), read(2)]);
  expect(first.status).toBe('fulfilled');
  expect(second).toMatchObject({ reason: { code: 'BAD_INPUT' } });
});

test('a network failure fails all slices of the request', async () => {
  const { read, sent } = start({ retries: 1 }, () => response('busy', 503));
  const settled = await Promise.allSettled([read(1), read(2)]);
  for (const each of settled) expect(each).toMatchObject({ reason: { code: 'HTTP', status: 503 } });
  expect(sent).toHaveLength(2);
});

test('cancelling one slice does not affect the others; cancelling the last one aborts the request', async () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const { read, sent } = start({}, hang);
  const settled = Promise.allSettled([read(1, first.signal), read(2, second.signal)]);
  await expect.poll(() => sent.length).toBe(1);
  first.abort();
  expect(sent[0]?.signal.aborted).toBe(false);
  second.abort();
  expect(sent[0]?.signal.aborted).toBe(true);
  for (const each of await settled) expect(each).toMatchObject({ reason: { code: 'ABORTED' } });
});

test('a slice cancelled before sending is not sent', async () => {
  const { read, sent } = start({}, gateway());
  const settled = await Promise.allSettled([read(1, AbortSignal.abort()), read(2)]);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect(sent.map(pathsOf)).toEqual([['/2']]);
});

test('client.slices: one outcome per query, including invalid selections and data types', async () => {
  const { client, sent } = start(
    {},
    gateway((path) => (path === '/4' ? 'NOT_FOUND' : undefined)),
  );
  const outcomes = await client.slices([
    { store: 's', path: '1', dtype: 'float32' },
    { store: 's', path: '2', dtype: ['int8', 'int16'] },
    { store: 's', path: '3', select: [0.5] },
    { store: 's', path: '/4' },
  ]);
  const [first, ...others] = outcomes;
  expect(first.status === 'fulfilled' ? first.value.data : first.reason).toEqual(Float32Array.of(1));
  expect(others.map((each) => each.status === 'rejected' && each.reason.code)).toEqual([
    'DTYPE_MISMATCH',
    'BAD_SELECTION',
    'NOT_FOUND',
  ]);
  expect(sent.map(pathsOf)).toEqual([['/1', '/2', '/4']]);
});
