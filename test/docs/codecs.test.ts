/** docs/codecs.md: its codec and its program run unchanged with the built package. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import * as engine from '../../server/zarr/index.js';
import { codeBlocks, readText, root } from './samples.js';

const text = readText('docs/codecs.md');

test('the program prints the output in its comment', async () => {
  // Inside the package folder, so that "zarrql" resolves to it.
  await mkdir(join(root, '.cache'), { recursive: true });
  const folder = await mkdtemp(join(root, '.cache/codecs-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const { info, code } of codeBlocks(text)) {
    const [, file] = info.split(' ');
    if (file !== undefined) await writeFile(join(folder, file), code);
  }
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['program.js'], { cwd: folder });
  expect(JSON.parse(stdout)).toEqual({ data: { store: { array: { slice: { values: [7, 7, 7] } } } } });
  expect(stderr).toBe('');
});

test('the helpers are exported', () => {
  const rows = [...text.matchAll(/^\| (`[^|]*`) +\|[^|]*\|$/gm)].map(([, cell = '']) => cell);
  const names = rows.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
  expect(names.length).toBeGreaterThan(12);
  for (const name of names) expect(Object.keys(engine)).toContain(name);
});
