/** The files and folders in docs/architecture.md exist. */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readText, root } from './samples.js';

const text = readText('docs/architecture.md');
const named = [...text.matchAll(/`((?:server|client|schema|scripts|test|docs)\/[\w./-]*)`/g)].map(
  (match) => match[1] ?? '',
);

test('every file and folder', () => {
  expect(named.length).toBeGreaterThan(60);
  expect([...new Set(named)].filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('the rooms of the engine, all of them', () => {
  const table = text.slice(text.indexOf('Inside the engine:'), text.indexOf('## Who may import whom'));
  const rooms = [...table.matchAll(/^\| `(\w+)\/`/gm)].map((match) => match[1] ?? '');
  const folders = readdirSync(join(root, 'server/zarr'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  expect(rooms.toSorted()).toEqual(folders.toSorted());
});

test('links between documents resolve', () => {
  for (const file of [
    'README.md',
    'docs/graphql.md',
    'docs/operations.md',
    'docs/architecture.md',
    'docs/sdk.md',
    'docs/analysis.md',
    'docs/pictures.md',
  ]) {
    const links = [...readText(file).matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)].map(
      (match) => match[1] ?? '',
    );
    expect(
      links.filter((link) => !existsSync(join(root, dirname(file), link))),
      file,
    ).toEqual([]);
  }
});
