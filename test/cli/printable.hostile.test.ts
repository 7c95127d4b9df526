/**
 * The output for stores whose names contain terminal control characters, and for command lines with
 * secrets.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { zarrql } from './running.js';
import { folderOfTest } from '../setup/temporary-folder.js';

const evil = '\u001b[31m\u009b2J\u202e';
// eslint-disable-next-line no-control-regex -- matches control characters on purpose
const active = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;

function hostileStore(): string {
  const folder = folderOfTest('hostile');
  const put = (path: string, document: object): void => {
    mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, path, 'zarr.json'), JSON.stringify(document));
  };
  put('', { zarr_format: 3, node_type: 'group' });
  put(`name${evil}`, {
    ...{ zarr_format: 3, node_type: 'array', shape: [1], data_type: evil, fill_value: evil },
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [1] } },
    chunk_key_encoding: { name: 'default' },
    codecs: [{ name: evil }],
  });
  return folder;
}

test.each([
  ['the nearest names', 'nome'],
  ['the arrays of a group', ''],
  ['unsupported input', `name${evil}`],
])('errors about %s contain no terminal control characters', async (_, path) => {
  const { code, stdout, stderr } = await zarrql(['get', join(hostileStore(), path)]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^zarrql: /);
  expect(stderr + stdout).not.toMatch(active);
});

test('a mistyped option is named without its value', async () => {
  const { code, stderr } = await zarrql(['serve', '--href-keyz=a-secret', `--${evil}`]);
  expect(code).toBe(2);
  expect(stderr).toContain('--href-keyz=');
  expect(stderr).not.toContain('a-secret');
  const other = await zarrql(['serve', `--${evil}`]);
  expect(other.stderr).not.toMatch(active);
});
