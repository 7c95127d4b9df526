import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RECORD_ATTRIBUTE } from '../../server/jobs/record.js';
import { createFilesystemStore, openHierarchy, type ZarrArray } from '../../server/zarr/index.js';
import { folderOfTest } from '../setup/temporary-folder.js';
import { commandLine, zarrql } from './running.js';

const coads = 'examples/data/coads.zarr';

function hierarchyIn(root: string) {
  return openHierarchy(createFilesystemStore({ label: 'f', root }));
}

/** An array of 32 tasks. */
async function createLarge(root: string): Promise<ZarrArray> {
  const hierarchy = hierarchyIn(root);
  const shape = [64, 512, 1024];
  const array = await hierarchy.createArray(
    '/x',
    { shape, chunkShape: [1, 512, 512], dtype: 'int32' },
    { zarrFormat: 2 },
  );
  for (let i = 0; i < 64; i += 8) {
    const values = Int32Array.from({ length: 8 * 512 * 1024 }, (_, at) => (i * 7919 + at) % 1_000_003);
    await array.select({ kind: 'dims', dims: [{ kind: 'slice', start: i, stop: i + 8 }] }).write({
      dtype: { name: 'int32', itemSize: 4 },
      shape: [8, 512, 1024],
      bytes: new Uint8Array(values.buffer),
    });
  }
  return array;
}

test(
  'copy survives SIGKILL and SIGINT: the same command continues, and the copy is equal',
  { timeout: 120_000 },
  async () => {
    const root = folderOfTest('jobs');
    const [from, to] = [join(root, 'from.zarr'), join(root, 'to.zarr')];
    const array = await createLarge(from);
    const options = ['--format', '3', '--chunks', '1,256,256', '--shards', '8,512,512', '--json'];
    const { command, args, cwd } = commandLine(['copy', join(from, 'x'), to, ...options]);
    let interrupted = 0;
    for (const signal of ['SIGKILL', 'SIGINT', 'SIGKILL', 'SIGTERM', 'SIGINT'] as const) {
      const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
      // The first line is printed when the first tasks begin.
      child.stdout.once('data', () => {
        // The settings of memory can only be made at the start.
        if (process.platform === 'linux')
          expect(readFileSync(`/proc/${child.pid}/cmdline`, 'utf8')).toContain('--max-semi-space-size=8');
        setTimeout(() => child.kill(signal), 150);
      });
      const [code, by] = await once(child, 'close');
      if (code === 0) break;
      interrupted++;
      if (signal === 'SIGINT') expect(code).toBe(130);
      else if (signal === 'SIGTERM') expect(code).toBe(143);
      else expect(by).toBe('SIGKILL');
      const { attributes } = JSON.parse(readFileSync(join(to, 'zarr.json'), 'utf8'));
      expect(attributes[RECORD_ATTRIBUTE]).toMatchObject({ version: 1 });
    }
    expect(interrupted).toBeGreaterThan(0);
    const { code, stdout } = await zarrql(['copy', join(from, 'x'), to, ...options]);
    if (existsSync(join(to, 'zarr.json')) && code !== 0) expect(stdout).toContain('resumed');
    const copy = await hierarchyIn(to).array('/');
    expect(copy.meta.attributes).toEqual({});
    expect(copy.shardShape).toEqual([8, 512, 512]);
    for (let i = 0; i < 64; i += 8) {
      const select = { kind: 'dims' as const, dims: [{ kind: 'slice' as const, start: i, stop: i + 8 }] };
      const [a, b] = [await array.select(select).read(), await copy.select(select).read()];
      if (!('bytes' in a) || !('bytes' in b)) throw new Error('expected numbers');
      expect(Buffer.compare(a.bytes, b.bytes)).toBe(0);
    }
  },
);

test('copy prints the plan, then the outcome as JSON', async () => {
  const root = folderOfTest('jobs');
  const to = join(root, 'copy.zarr');
  const plan = await zarrql(['copy', `${coads}/SST`, to, '--chunks', 'TIME=1', '--dry-run']);
  expect(plan).toMatchObject({ code: 0, stderr: '' });
  expect(plan.stdout).toContain('array /  float32 [12, 90, 180]  chunks [1, 45, 90]');
  expect(existsSync(to)).toBe(false);
  const { code, stdout } = await zarrql(['copy', `${coads}/SST`, to, '--json']);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  expect(code).toBe(0);
  expect(lines.at(-1)).toMatchObject({ event: 'end', done: 1, tasks: 1, failed: [], isChecked: true });
  expect(await zarrql(['copy', `${coads}/SST`, to])).toMatchObject({ code: 1 });
  expect((await zarrql(['inspect', to])).stdout).toContain('[TIME 12, COADSY 90, COADSX 180]');
});

test('a destination inside of its source is found through links', async () => {
  const root = folderOfTest('jobs');
  const from = join(root, 'from.zarr');
  await hierarchyIn(from).createGroup('/g', { zarrFormat: 3 });
  symlinkSync(from, join(root, 'link.zarr'));
  const { code, stderr } = await zarrql(['copy', from, join(root, 'link.zarr', 'copy')]);
  expect(stderr).toContain('the destination is inside the source');
  expect(code).toBe(2);
});

test('invalid options are errors of usage', async () => {
  const root = folderOfTest('jobs');
  const copy = (...args: string[]) => zarrql(['copy', `${coads}/SST`, join(root, 'x.zarr'), ...args]);
  expect(await copy('--chunks', '0,1')).toMatchObject({ code: 2 });
  expect(await copy('--codecs', '{')).toMatchObject({ code: 2 });
  expect(await copy('--memory', 'much')).toMatchObject({ code: 2 });
  expect(await copy('--chunks', '1,2')).toMatchObject({ code: 2 });
  expect(await zarrql(['copy', `${coads}/SST`, join(root, 'x.zip')])).toMatchObject({ code: 2 });
  expect(await zarrql(['copy', `${coads}/SST`])).toMatchObject({ code: 2 });
});

test('statistics prints the numbers of stats; verify names broken chunks; consolidate and pyramid write metadata', async () => {
  const root = folderOfTest('jobs');
  const [job, once] = [await zarrql(['statistics', `${coads}/SST`]), await zarrql(['stats', `${coads}/SST`])];
  expect(job.code).toBe(0);
  expect(once.stdout.startsWith(job.stdout)).toBe(true);
  expect((await zarrql(['verify', coads])).code).toBe(0);
  const hierarchy = hierarchyIn(join(root, 'v.zarr'));
  const array = await hierarchy.createArray('/x', {
    shape: [4],
    chunkShape: [2],
    dtype: 'int8',
    codecs: [{ name: 'bytes' }, { name: 'crc32c' }],
  });
  await array.select().write([1, 2, 3, 4]);
  await hierarchy.store.set('x/c/1', new Uint8Array(6));
  const broken = await zarrql(['verify', join(root, 'v.zarr')]);
  expect(broken.code).toBe(1);
  expect(broken.stderr).toContain('x/c/1');
  expect(await zarrql(['consolidate', join(root, 'v.zarr')])).toMatchObject({ code: 0 });
  expect((await zarrql(['inspect', join(root, 'v.zarr')])).stdout).toContain('consolidated');
  const pyramid = await zarrql([
    'pyramid',
    'examples/data/relief.zarr/elevation',
    join(root, 'p.zarr'),
    '--levels',
    '2',
  ]);
  expect(pyramid.code).toBe(0);
  expect((await zarrql(['inspect', join(root, 'p.zarr')])).stdout).toContain('int16 [lat 270, lon 540]');
});

test('a copy to an Icechunk repository is one commit, and one from it reads one snapshot', async () => {
  const root = folderOfTest('jobs');
  const repository = `icechunk+file:${join(root, 'repository')}`;
  expect(await zarrql(['icechunk', 'create', join(root, 'repository')])).toMatchObject({ code: 0 });
  const { code, stderr } = await zarrql(['copy', coads, repository]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const log = await zarrql(['icechunk', 'log', join(root, 'repository')]);
  expect(log.stdout.trim().split('\n')).toHaveLength(2);
  expect(log.stdout).toContain('zarrql copy of');
  expect((await zarrql(['inspect', repository])).stdout).not.toContain(RECORD_ATTRIBUTE);
  expect(await zarrql(['copy', `${repository}/SST`, join(root, 'back.zarr')])).toMatchObject({ code: 0 });
  const stats = (address: string) => zarrql(['statistics', address, '--raw']);
  expect((await stats(join(root, 'back.zarr'))).stdout).toBe((await stats(`${coads}/SST`)).stdout);
});

test('reduce without a destination prints the values, which are those of an array', async () => {
  const root = folderOfTest('printed');
  const printed = await zarrql(['reduce', `${coads}/SST`, '--reduce', 'mean:COADSX,COADSY']);
  const stored = await zarrql([
    'reduce',
    `${coads}/SST`,
    join(root, 'mean.zarr'),
    '--reduce',
    'mean:COADSX,COADSY',
  ]);
  expect(stored.stderr).toContain('done: 1 of 1 tasks');
  const { stdout } = await zarrql(['get', join(root, 'mean.zarr'), '--format', 'json']);
  expect(JSON.parse(printed.stdout)).toEqual(JSON.parse(stdout));
  const folder = join(root, 'records');
  const json = await zarrql(['reduce', `${coads}/SST`, '--reduce', 'max', '--json', '--job-folder', folder]);
  expect([json.code, json.stderr]).toEqual([0, '']);
  expect(JSON.parse(json.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
    event: 'end',
    result: expect.any(Number),
  });
  const [median, values] = await Promise.all([
    zarrql(['reduce', `${coads}/SST`, '--reduce', 'median']),
    zarrql(['get', `${coads}/SST`, '--decode', '--reduce', 'median', '--format', 'json']),
  ]);
  expect(JSON.parse(median.stdout)).toEqual(JSON.parse(values.stdout));
});
