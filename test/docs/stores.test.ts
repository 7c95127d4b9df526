/** docs/stores.md: its stores and its program run unchanged with the built package. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { defineStore } from '../../server/zarr/index.js';
import { codeBlocks, readText, root } from './samples.js';

const text = readText('docs/stores.md');

test('the program prints the output in its comment', async () => {
  // Within the package, so that "zarrql" resolves to it.
  await mkdir(join(root, '.cache'), { recursive: true });
  const folder = await mkdtemp(join(root, '.cache/stores-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const { info, code } of codeBlocks(text)) {
    const [, file] = info.split(' ');
    if (file !== undefined) await writeFile(join(folder, file), code);
  }
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['program.js'], { cwd: folder });
  expect(JSON.parse(stdout)).toEqual({
    data: {
      stores: {
        nodes: [
          { name: 'scratch', kind: 'CUSTOM', writable: true },
          { name: 'archive', kind: 'CUSTOM', writable: false },
        ],
      },
      store: { array: { slice: { values: [7, 7, 7] } } },
    },
  });
  expect(stderr).toBe('');
});

test('the table of properties is complete, with the defaults of defineStore', () => {
  const rows = [...text.matchAll(/^\| `(\w+)` +\|[^|]*\| +`?([^|`]*?)`? +\|$/gm)];
  const store = defineStore({ label: 'x', get: () => undefined });
  const shown = Object.fromEntries(rows.map(([, name = '', value = '']) => [name, value]));
  const { isDurable, isLocal, maxVersionChecks, readOnlyReason, kind } = store;
  const facts = { isDurable, isLocal, maxVersionChecks, readOnlyReason, kind: `'${kind}'` };
  expect(shown).toEqual({
    can: 'derived',
    ...Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, String(value)])),
  });
});
