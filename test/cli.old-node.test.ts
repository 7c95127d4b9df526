/** On a version of Node that is too old, the command line stops with one sentence, before it loads other modules. */
import { execFile } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { folderOfTest } from './setup/temporary-folder.js';

const run = promisify(execFile);

/** A copy of the built program without the modules that it loads, which would fail. */
function loneProgram(): string {
  const file = join(folderOfTest('old-node'), 'cli.mjs');
  copyFileSync(join(import.meta.dirname, '../dist/server/cli.js'), file);
  return file;
}

/** Runs a program to its end. */
async function endOf(command: string, args: readonly string[]): Promise<unknown> {
  return run(command, [...args]).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: unknown; stdout: string; stderr: string }) => ({
      code,
      stdout,
      stderr,
    }),
  );
}

const preload = (version: string) =>
  `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`;

test.each(['18.20.8', '20.20.2', '22.11.0'])('Node %s, as reported by the process', async (version) => {
  expect(await endOf(process.execPath, ['--import', preload(version), loneProgram(), 'serve'])).toEqual({
    code: 1,
    stdout: '',
    stderr: `zarrql requires Node 22.12 or later; this is Node ${version}\n`,
  });
});

test('a version that is new enough loads the other modules', async () => {
  expect(await endOf(process.execPath, ['--import', preload('22.12.0'), loneProgram()])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('ERR_MODULE_NOT_FOUND'),
  });
});

/** Versions of Node on the machine that are too old. */
async function oldNodes(): Promise<readonly (readonly [version: string, command: string])[]> {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = await Promise.all(
    folders.map(async (folder) => {
      const command = join(folder, 'node');
      const { stdout } = await run(command, ['--version']).catch(() => ({ stdout: '' }));
      return [stdout.trim().slice(1), command] as const;
    }),
  );
  return found.filter(([version]) => /^(1[89]|20|21)\./.test(version));
}

const old = await oldNodes();

test.skipIf(old.length === 0)('the versions of Node on the machine that are too old', async () => {
  for (const [version, command] of old)
    expect(await endOf(command, [loneProgram(), '--version'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `zarrql requires Node 22.12 or later; this is Node ${version}\n`,
    });
});
