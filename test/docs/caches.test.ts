import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

test('docs/caches.md lists every file with a bounded cache', () => {
  const listed = [...readFileSync(join(root, 'docs/caches.md'), 'utf8').matchAll(/^\| `([^`]+)`\s*\|/gm)].map(
    (match) => match[1],
  );
  const files = ['server', 'client', 'wire'].flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !/(^|[\\/])(dist|node_modules)[\\/]/.test(name))
      .map((name) => `${top}/${name.replaceAll('\\', '/')}`)
      .filter((name) => readFileSync(join(root, name), 'utf8').includes('new LRUCache')),
  );
  expect(files.length).toBeGreaterThan(10);
  expect(new Set(listed)).toEqual(new Set(files));
  expect(listed).toHaveLength(files.length);
});
