import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolderRecords } from '../../server/jobs/folder-records.js';
import { MAX_RECORD } from '../../server/jobs/record.js';
import { folderOfTest } from '../setup/temporary-folder.js';

function records(folder = join(folderOfTest('records'), 'new', 'folder')) {
  const errors: unknown[] = [];
  return { folder, errors, own: createFolderRecords(folder, (error) => errors.push(error)) };
}

test('keeps the last text of each job until it is removed', async () => {
  const { own, folder, errors } = records();
  expect(await own.read('plan')).toBeUndefined();
  await Promise.all([own.write('plan', 'one'), own.write('other', 'ü'.repeat(1000))]);
  await own.write('plan', 'two');
  expect([await own.read('plan'), await own.read('other')]).toEqual(['two', 'ü'.repeat(1000)]);
  expect(statSync(join(folder, 'plan.job')).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  await own.remove('plan');
  await own.remove('plan');
  expect(await own.read('plan')).toBeUndefined();
  expect([readdirSync(folder), errors]).toEqual([['other.job'], []]);
});

test('damaged and foreign files are no records', async () => {
  const { own, folder } = records();
  await own.write('plan', 'text');
  const file = join(folder, 'plan.job');
  const bytes = readFileSync(file);
  for (let at = 0; at < bytes.length; at++) {
    writeFileSync(file, bytes.subarray(0, at));
    expect(await own.read('plan')).toBeUndefined();
    writeFileSync(
      file,
      bytes.map((byte, i) => (i === at ? byte ^ 1 : byte)),
    );
    expect(await own.read('plan')).toBeUndefined();
  }
  writeFileSync(file, Buffer.alloc(MAX_RECORD + 1000, 'a'));
  expect(await own.read('plan')).toBeUndefined();
  mkdirSync(join(folder, 'folder.job'));
  symlinkSync('/dev/zero', join(folder, 'link.job'));
  execFileSync('mkfifo', [join(folder, 'pipe.job')]);
  for (const plan of ['folder', 'link', 'pipe']) expect(await own.read(plan)).toBeUndefined();
});

test('is bounded: the oldest records go, and what killed processes have left', async () => {
  const { own, folder, errors } = records();
  for (let i = 0; i < 70; i++) {
    await own.write(`plan${i}`, 'text');
    utimesSync(join(folder, `plan${i}.job`), i, i);
  }
  writeFileSync(join(folder, 'plan.job.99.1'), 'unfinished');
  writeFileSync(join(folder, 'plan.job.99.2'), 'unfinished');
  utimesSync(join(folder, 'plan.job.99.1'), 1, 1);
  writeFileSync(join(folder, 'notes.txt'), 'not ours');
  await own.write('last', 'text');
  const names = readdirSync(folder);
  expect(names.filter((name) => name.endsWith('.job'))).toHaveLength(64);
  expect(names).toEqual(expect.arrayContaining(['plan.job.99.2', 'notes.txt', 'last.job', 'plan69.job']));
  expect(names).not.toContain('plan0.job');
  expect(names).not.toContain('plan.job.99.1');
  expect(errors).toEqual([]);
});

test('a folder that cannot be written is reported, and jobs go on', async () => {
  const file = join(folderOfTest('records'), 'file');
  writeFileSync(file, '');
  const { own, errors } = records(join(file, 'folder'));
  await own.write('plan', 'text');
  expect(await own.read('plan')).toBeUndefined();
  await own.remove('plan');
  expect(errors.length).toBeGreaterThan(0);
  expect(errors[0]).toMatchObject({ code: 'ENOTDIR' });
});
