import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
// @ts-expect-error a script without types
import { findPhrases, scope } from '../../scripts/check-prose.mjs';

const root = join(import.meta.dirname, '../..');

test.each([
  ['a.md', 'Whoever reads this.'],
  ['a.ts', '// a header that is none'],
  ['a.ts', "throw new Error('the key is there already');"],
  ['a.graphql', '"""The page is read anew."""'],
  ['a.md', 'The requests under\nway are aborted.'],
  ['a.ts', '/**\n * The flags that\n * are none.\n */'],
])('%s: reports %j', (file, text) => {
  expect(findPhrases(file, text)).toHaveLength(1);
});

test('reports file, line, phrase and suggestion', () => {
  expect(findPhrases('docs/a.md', 'One\n\nThe keys cannot be had.\n')).toEqual([
    'docs/a.md:3: "cannot be had": try "cannot be fetched", "is unavailable"',
  ]);
});

test.each([
  ['a.md', 'Use `whoever` as a name:\n\n```sh\necho anew\n```\n'],
  ['a.ts', 'const renewed = manewver;'],
  ['a.ts', '// Returns undefined if there is none.'],
  ['a.md', 'The stores that are listed here.'],
  ['a.md', 'The client asks whether the object has changed.'],
])('%s: accepts %j', (file, text) => {
  expect(findPhrases(file, text)).toEqual([]);
});

test('every path of the scope exists', () => {
  expect(scope.filter((path: string) => !existsSync(join(root, path)))).toEqual([]);
});
