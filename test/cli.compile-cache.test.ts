/** The folder of compiled modules, which are code: never relative to the working folder. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { zarrql } from './cli/running.js';
import { folderOfTest } from './setup/temporary-folder.js';

test.each([
  [{ XDG_CACHE_HOME: '/caches', HOME: '/home/me' }, '/caches/zarrql'],
  [{ XDG_CACHE_HOME: '', HOME: '/home/me' }, '/home/me/.cache/zarrql'],
  [{ XDG_CACHE_HOME: 'caches', HOME: '/home/me' }, '/home/me/.cache/zarrql'],
  [{ XDG_CACHE_HOME: '', HOME: '' }, undefined],
  [{ XDG_CACHE_HOME: '.', HOME: '.' }, undefined],
])('with %o, the folder is %s', async (env, folder) => {
  const preload = join(folderOfTest('compile-cache'), 'preload.cjs');
  writeFileSync(
    preload,
    "require('node:module').enableCompileCache = (folder) => console.error(`cache: ${folder}`);",
  );
  const { code, stderr } = await zarrql(['--version'], { ...env, NODE_OPTIONS: `--require=${preload}` });
  expect(code).toBe(0);
  expect(/^cache: (.*)$/m.exec(stderr)?.[1]).toBe(folder);
});
