/** The programs of docs/python.md print what their comments say. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { serveStores } from '../cli/running.js';
import { findPython } from '../interop/python.js';
import { folderOfTest } from '../setup/temporary-folder.js';
import { codeBlocks, readText } from './format-samples.js';

const python = await findPython('package');
const command = 'command' in python ? python.command : '';

test.skipIf(command === '')('the programs print the output in their comments', async () => {
  const stores = ['ocean', 'winds'].flatMap((name) => ['--store', `${name}=examples/data/${name}.zarr`]);
  const { address } = await serveStores(stores);
  const blocks = codeBlocks(readText('docs/python.md')).filter(({ info }) => info === 'python');
  const code = blocks.map((block) => block.code).join('\n');
  const expected = [...code.matchAll(/^print\(.*\) {2}# (.*)$/gm)].map(([, comment = '']) => comment);
  expect(expected).toHaveLength(4);
  const program = join(folderOfTest('python'), 'program.py');
  writeFileSync(program, code.replace('http://127.0.0.1:4000', address.replace('/graphql', '')));
  const { stdout } = await promisify(execFile)(command, [program], {
    env: { ...process.env, PYTHONPATH: 'python/src', PYTHONDONTWRITEBYTECODE: '1' },
  });
  expect(stdout.trim().split('\n')).toEqual(expected);
});
