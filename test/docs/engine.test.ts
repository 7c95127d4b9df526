/** docs/engine.md: its examples form one program, which prints the output in its comments. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import * as engine from '../../server/zarr/index.js';
import { codeBlocks, readText, root } from './samples.js';

const text = readText('docs/engine.md');
const code = codeBlocks(text)
  .filter(({ info }) => info === 'js')
  .map((block) => block.code)
  .join('\n');

const commented = /^( *)console\.log\((.*)\); \/\/ (.*)$/gm;
/** Prints each commented value on a separate line. */
const recorder = `import { formatWithOptions } from 'node:util';
const record = (i, ...values) =>
  process.stdout.write('#' + i + ' ' + formatWithOptions({ breakLength: Infinity }, ...values).replace(/\\s+/g, ' ') + '\\n');
`;

test('the program prints the output in its comments', async () => {
  // Within the package, so that "zarrql" resolves to it.
  await mkdir(join(root, '.cache'), { recursive: true });
  const folder = await mkdtemp(join(root, '.cache/engine-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const comments: string[] = [];
  const program = code.replace(commented, (_, indent: string, values: string, comment: string) => {
    comments.push(comment);
    return `${indent}record(${comments.length - 1}, ${values});`;
  });
  await writeFile(join(folder, 'program.mjs'), recorder + program);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(folder, 'program.mjs')], {
    cwd: root,
  });
  expect(stderr).toBe('');
  expect(comments.length).toBeGreaterThan(10);
  for (const [i, comment] of comments.entries()) {
    const lines = stdout.split('\n').filter((line) => line.startsWith(`#${i} `));
    const pieces = comment.split('...').map((piece) => piece.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    const expected = new RegExp(`^${pieces.join('.*')}$`);
    // A loop prints several lines, but the comment shows only one.
    expect(lines.map((line) => line.slice(`#${i} `.length)).join('\n')).toMatch(
      lines.length === 1 ? expected : new RegExp(expected, 'm'),
    );
  }
});

test('every name that the page imports is exported', () => {
  const names = [...text.matchAll(/import \{([^}]*)\} from 'zarrql\/zarr'/g)].flatMap(([, list = '']) =>
    list.split(',').map((name) => name.trim()),
  );
  expect(names.length).toBeGreaterThan(8);
  for (const name of names) expect(Object.keys(engine)).toContain(name);
});
