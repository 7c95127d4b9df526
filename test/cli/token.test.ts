import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serveStores, zarrql } from './running.js';
import { folderOfTest } from '../setup/temporary-folder.js';

test('a generated token authenticates its bearer only', async () => {
  const { stdout } = await zarrql(['token']);
  const [, token = '', sha256 = ''] =
    /^token: {2}(zql_[\w-]{43})\nsha256: ([0-9a-f]{64})\n$/.exec(stdout) ?? [];
  expect(createHash('sha256').update(token).digest('hex')).toBe(sha256);
  const file = join(folderOfTest('token'), 'zarrql.yaml');
  const auth = { roles: { r: { read: ['coads'] } }, tokens: [{ name: 'me', sha256, roles: ['r'] }] };
  writeFileSync(file, JSON.stringify({ auth }));
  const { address } = await serveStores(['--config', file, '--store', 'coads=examples/data/coads.zarr']);
  const ask = (headers: Record<string, string>) =>
    fetch(`${address}?query={stores{nodes{name}}}`, { headers }).then((response) => response.json());
  expect(await ask({ authorization: `Bearer ${token}` })).toEqual({
    data: { stores: { nodes: [{ name: 'coads' }] } },
  });
  expect(await ask({})).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
});
