import { expect, test } from 'vitest';
import { parseConfig } from '../../server/config.js';
import { ask, serve, type Fetch } from './serving.js';

const ok: Fetch = async () => Response.json({ data: { a: 1 } });
const { auth: noCallers } = parseConfig({ auth: { roles: { r: { read: ['x'] } }, anonymous: ['r'] } });

test('readiness reports unavailable stores, with their names only to permitted callers', async () => {
  const stores = { count: 3, unusable: () => ['cube'] };
  const told = async (options: Parameters<typeof serve>[1], headers = {}): Promise<unknown> => {
    const { port } = await serve(ok, options, {}, { stores });
    const { status, body } = await ask(port, { path: '/readyz', headers });
    return [status, body];
  };
  const bare = [200, 'ok, but 1 of 3 stores are unavailable\n'];
  expect(await told({})).toEqual([200, 'ok, but 1 of 3 stores are unavailable: cube\n']);
  expect(await told({}, { host: 'evil.example' })).toEqual(bare);
  expect(await told({ auth: noCallers })).toEqual(bare);
});
