/** Links that fail: expired, changed, rejected, or over a limit. */
import { describe, expect, test, vi } from 'vitest';
import { createGateway, fullAccess } from '../../server/index.js';
import { arrayDocument, execute } from '../resolvers/gateway-client.js';
import { base, sample } from './sample-files.js';

describe('errors', () => {
  async function codeOf(response: Response): Promise<[number, unknown]> {
    const { errors } = (await response.json()) as { errors: { extensions: { code: unknown } }[] };
    return [response.status, errors[0]?.extensions.code];
  }

  test('a link that this gateway did not sign is rejected', async () => {
    const { link, get } = await sample();
    const other = await sample();
    for (const href of [
      await other.link('...'),
      (await link('...')).replace('/files/', '/files/A'),
      '/files/',
      '/files/x',
      '/files/x/y.npy',
      `/files/${'A'.repeat(5000)}.${'A'.repeat(43)}/a.npy`,
    ])
      expect(await codeOf(await get(href))).toEqual([403, 'FORBIDDEN']);
  });

  test('an expired link is rejected', async () => {
    const { link, get } = await sample({ hrefs: { lifetimeMs: 60_000 } });
    const href = await link('...');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    try {
      expect(await codeOf(await get(href))).toEqual([410, 'FORBIDDEN']);
    } finally {
      vi.useRealTimers();
    }
  });

  test('processes with a common key accept each other\u2019s links, even with an additional new key', async () => {
    const [old, young] = ['the key of last week', 'the key of this week'];
    const before = await sample({ hrefs: { keys: [old] } });
    const after = await sample({ hrefs: { keys: [young, old] } });
    const later = await sample({ hrefs: { keys: [young] } });
    const href = await before.link('...');
    expect((await after.get(href)).status).toBe(200);
    expect((await later.get(await after.link('...'))).status).toBe(200);
    expect((await later.get(href)).status).toBe(403);
    expect(() => createGateway({ stores: [], hrefs: { keys: ['short'] } })).toThrow('16 characters');
  });

  test('a link to a store or array that no longer exists is an error', async () => {
    const { link, get, store } = await sample({ hrefs: { keys: ['the key of this week'] } });
    const href = await link('...');
    const without = createGateway({ stores: [], hrefs: { keys: ['the key of this week'] } });
    const request = new Request(new URL(href, base));
    expect(await codeOf(await without.fetch(request, fullAccess))).toEqual([404, 'NOT_FOUND']);
    await store.deletePrefix('a');
    expect(await codeOf(await get(href))).toEqual([404, 'NOT_FOUND']);
  });

  test('a link to an array that was truncated is an error', async () => {
    const { link, get, store } = await sample();
    const href = await link('3');
    await store.set('a/zarr.json', Buffer.from(JSON.stringify(arrayDocument('int16', [2, 3]))));
    expect(await codeOf(await get(href))).toEqual([400, 'BAD_SELECTION']);
  });

  test('the download limit applies when the link is created and when it is used', async () => {
    const keys = ['the key of this week'];
    const { link } = await sample({ hrefs: { keys }, limits: { maxHrefBytes: 23 } });
    await expect(link('...')).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      limit: 'maxHrefBytes',
      allowed: 23,
      needed: 24,
    });
    expect(await link('1:')).toContain('/files/');
    const generous = await sample({ hrefs: { keys } });
    const strict = await sample({ hrefs: { keys }, limits: { maxHrefBytes: 23 } });
    expect(await codeOf(await strict.get(await generous.link('...')))).toEqual([413, 'LIMIT_EXCEEDED']);
  });

  test('corrupt data is an error without a file', async () => {
    const { link, get, store } = await sample();
    await store.set('a/c/0/0', Buffer.alloc(5));
    expect(await codeOf(await get(await link('...')))).toEqual([422, 'CODEC_ERROR']);
  });

  test('selections that are too long for a URL are rejected', async () => {
    const { gateway } = await sample();
    const random = (i: number): number => Math.floor(Math.abs(Math.sin(i)) * 1e6) % 4;
    const indices = Array.from({ length: 40_000 }, (_, i) => random(i));
    const query = `query ($dims: [DimSelection!]!) {
      store(name: "m") { array(path: "a") { slice(select: { dims: $dims }) { href } } } }`;
    const { errors } = await execute(gateway, query, { dims: [{ indices }] });
    expect(errors[0]?.extensions['code']).toBe('BAD_INPUT');
    expect(errors[0]?.message).toContain('long lists of indices do not fit in a URL');
  });
});

test('a change of the array aborts the download', async () => {
  const { link, get, store } = await sample({ limits: { maxOutputBytes: 6 } });
  const response = await get(await link('...', 'RAW'));
  const reader = response.body?.getReader();
  expect((await reader?.read())?.value?.length).toBe(6);
  await store.set('a/c/2/0', Buffer.alloc(6, 7));
  expect((await reader?.read())?.value?.length).toBe(6);
  await expect(reader?.read()).rejects.toThrow('changed during the request');
});
