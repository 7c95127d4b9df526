import { expect, test } from 'vitest';
// @ts-expect-error a script without types
import { complaints, importsOf } from '../scripts/check-imports.mjs';
// @ts-expect-error a script without types
import { messagesOf, ofPart, silentZeros } from '../scripts/check-types.mjs';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
// @ts-expect-error a script without types
import { findPhrases, scope } from '../scripts/check-prose.mjs';
// @ts-expect-error a script without types
import { homonyms } from '../scripts/check-names.mjs';

test.each([
  ['server/core/bytes/a.ts', "import { x } from '../dtype/b.js';"],
  ['server/store/a.ts', "import type { X } from '../format/codec/b.js';"],
  ['server/format/codec/a.ts', "import type { X } from '../../store/b.js';"],
  ['server/compute/a.ts', "import { x } from '../threads/b.js';"],
  ['server/compute/reduce/a.ts', "import { x } from '../../store/b.js';"],
  ['server/slices/a.ts', "import { x } from './mapped/b.js';"],
  ['server/zarr/nodes/array.ts', "import { x } from '../../resolvers/b.js';"],
  ['server/zarr/nodes/array.ts', "import { x } from 'graphql';"],
  ['server/resolvers/a.ts', "import { x } from '../zarr/nodes/array.js';"],
  ['server/http/a.ts', "import {\n  x,\n} from '../resolvers/b.js';"],
  ['server/gateway.ts', "export * from './http/b.js';"],
  ['server/gateway.ts', "import { x } from '../client/index.js';"],
  ['client/a.ts', "const x = await import('../server/index.js');"],
  ['client/a.ts', "import { x } from 'graphql-yoga';"],
  ['server/cli.ts', "import '../test/b.js';"],
  ['wire/a.ts', "import { x } from '../client/errors.js';"],
  ['wire/cbor/a.ts', "import { x } from '../../server/zarr/index.js';"],
  ['wire/a.ts', "import { x } from 'node:buffer';"],
])('%s must not: %s', (file, text) => {
  expect(complaints(file, text)).toHaveLength(1);
});

test.each([
  ['server/core/dtype/a.ts', "import { x } from '../bytes/b.js';"],
  ['server/resolvers/a.ts', "import { x } from '../zarr/index.js';"],
  ['server/cli/a.ts', "import { x } from '../../client/codegen/index.js';"],
  ['client/transport/a.ts', "import { x } from '../json.js';"],
  ['client/ndarray/a.ts', "import { x } from '../../wire/shape.js';"],
  ['server/core/dtype/a.ts', "import { x } from '../../../wire/shape.js';"],
  ['server/transport/a.ts', "import { x } from '../../wire/shape.js';"],
  ['client/adapters/urql.ts', "import { make } from 'wonka';"],
])('%s may: %s', (file, text) => {
  expect(complaints(file, text)).toEqual([]);
});

test('every form of import is detected', () => {
  const text = `import a from './a.js';
import type { B } from "./b.js";
import './c.js';
export { d } from './d.js';
export * as e from './e.js';
const f = () => import('./f.js');`;
  expect(importsOf(text)).toEqual(['./a.js', './b.js', './c.js', './d.js', './e.js', './f.js']);
});

const root = join(import.meta.dirname, '..');

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

test('errors of types count only in the program of their folder', () => {
  const output = [
    'server/compute/a.ts(1,2): error TS1: wrong',
    '  because of this',
    'server/computed.ts(1,2): error TS1: wrong',
    'error TS2: no input',
  ].join('\n');
  const messages = messagesOf(output);
  expect(messages).toHaveLength(3);
  expect(ofPart(messages, ['server/compute'], true)).toEqual([messages[0], messages[2]]);
  expect(ofPart(messages, ['server/compute'], false)).toEqual([messages[1], messages[2]]);
});

test.each(['a[i] ?? 0', '(a.b[i + 1] ?? 0n) + 1', 'a[b[i]] ?? 0', 'this.#a[i][j] ?? 0'])(
  'a kernel must not contain: %s',
  (line) => {
    expect(silentZeros('a.ts', line)).toHaveLength(1);
  },
);

test.each([
  'a?.[i] ?? 0',
  'a[d]?.[i] ?? 0',
  'options.a ?? 0',
  "a['b'] ?? 0",
  'map.get(a) ?? 0',
  'a[i] ?? 0.5',
])('a kernel may contain: %s', (line) => {
  expect(silentZeros('a.ts', line)).toEqual([]);
});

test('a name that two files export is reported, unless they export it from a third one', () => {
  const texts = new Map([
    ['server/a.ts', 'export function sizeOf() {}\nexport type Size = number;\nfunction other() {}'],
    ['server/b.ts', 'export const sizeOf = 1;\nexport { Size } from "./a.js";\nfunction other() {}'],
  ]);
  expect(homonyms(texts)).toEqual(['sizeOf is exported by server/a.ts and server/b.ts; rename one of them']);
});
