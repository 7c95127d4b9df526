import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createClient } from '../../client/index.js';
import { createFilesystemStore, openHierarchy } from '../../server/zarr/index.js';
import { startRedis } from '../setup/redis.js';
import { folderOfTest } from '../setup/temporary-folder.js';
import { createCounted } from '../jobs/memory-stores.js';
import { startProgram, zarrql } from './running.js';

const found = await startRedis({ own: true });
const redis = 'missing' in found ? undefined : found;
afterAll(() => redis?.stop());

test('a worker needs Redis', async () => {
  const { code, stderr } = await zarrql(['worker', 'examples/data/coads.zarr']);
  expect(code).toBe(1);
  expect(stderr).toContain('--redis');
});

describe.skipIf(redis === undefined)('with Redis', () => {
  test(
    'workers run the tasks of a gateway, and a worker that is killed loses none',
    { timeout: 120_000 },
    async () => {
      const root = folderOfTest('worker');
      const open = (name: string) =>
        openHierarchy(createFilesystemStore({ label: name, root: join(root, name) }));
      const array = await createCounted(open('a'), '/x', {
        shape: [64, 512, 512],
        chunkShape: [1, 512, 512],
        dtype: 'float64',
      });
      await open('b').createGroup('/', { zarrFormat: 3 });
      const stores = [
        '--redis',
        redis?.url ?? '',
        '--store',
        `a=${join(root, 'a')}`,
        '--store',
        `b=${join(root, 'b')}`,
        '--allow-write',
        'b',
      ];
      const gateway = await startProgram(['serve', '--port', '0', '--jobs', '--no-job-tasks', ...stores]);
      const workers = await Promise.all([
        startProgram(['worker', ...stores]),
        startProgram(['worker', ...stores]),
      ]);
      expect(workers.map(({ address }) => address)).toEqual(['waiting for tasks', 'waiting for tasks']);
      const client = createClient({ url: gateway.address });
      const request = {
        kind: 'COPY',
        source: { store: 'a', path: '/x' },
        destination: { store: 'b', path: '/x' },
        chunks: [1, 256, 256],
        shards: [4, 512, 512],
      } as const;
      const job = await client.jobs.start(request);
      let state = 'QUEUED';
      for await (const progress of client.jobs.watch(job.id)) {
        ({ state } = progress);
        if (progress.done >= 2) workers[0]?.child.kill('SIGKILL');
      }
      expect(state).toBe('SUCCEEDED');
      const copy = await open('b').array('/x');
      const [a, b] = [await array.select().read(), await copy.select().read()];
      if (!('bytes' in a) || !('bytes' in b)) throw new Error('expected numbers');
      expect(Buffer.compare(a.bytes, b.bytes)).toBe(0);
      workers[1]?.child.kill('SIGTERM');
      expect((await workers[1]?.ended)?.code).toBe(0);
    },
  );

  test('workers commit their tasks to an Icechunk repository', { timeout: 120_000 }, async () => {
    const root = folderOfTest('worker');
    const repository = join(root, 'repository');
    expect((await zarrql(['icechunk', 'create', repository])).code).toBe(0);
    const a = openHierarchy(createFilesystemStore({ label: 'a', root: join(root, 'a') }));
    await createCounted(a, '/x', { shape: [16, 512, 512], chunkShape: [1, 512, 512], dtype: 'float64' });
    const stores = [
      '--redis',
      redis?.url ?? '',
      '--redis-prefix',
      'icechunk',
      '--store',
      `a=${join(root, 'a')}`,
      '--store',
      `b=icechunk+file:${repository}`,
      '--allow-write',
      'b',
    ];
    // The gateway runs tasks, too: in one process, write sessions take turns.
    const gateway = await startProgram(['serve', '--port', '0', '--jobs', ...stores]);
    await startProgram(['worker', ...stores]);
    const client = createClient({ url: gateway.address });
    const job = await client.jobs.start({
      kind: 'COPY',
      source: { store: 'a', path: '/x' },
      destination: { store: 'b', path: '/x' },
    });
    let last;
    for await (const progress of client.jobs.watch(job.id)) last = progress;
    expect(last).toMatchObject({ state: 'SUCCEEDED', failures: [], error: null });
    const raw = ['--raw'];
    const [from, to] = [
      await zarrql(['statistics', join(root, 'a/x'), ...raw]),
      await zarrql(['statistics', `icechunk+file:${repository}/x`, ...raw]),
    ];
    expect(to.stdout).toBe(from.stdout);
    expect((await zarrql(['inspect', `icechunk+file:${repository}/x`])).stdout).not.toContain('_zarrql_job');
  });
});
