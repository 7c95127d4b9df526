import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, print } from 'graphql';
import { expect, test } from 'vitest';
import { printDocument } from '../../../client/transport/print-document.js';
import { root } from '../../docs/samples.js';

const folder = join(root, 'client/documents');
const written = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));

test.each([
  ...written,
  '{ a }',
  'query Q($a: [Int!]! = [1, 2] @x, $b: T) @y(z: null) { c: d(e: $a, f: {g: "h\\n\\"\\u00e4", i: E, j: 1.5e3, k: true}) @skip(if: $b) { ... on T @z { l } ...F @w ... @include(if: true) { m } } }',
  'mutation { a(b: """block "quoted" text""") } fragment F on T { x }',
  'subscription S { a(b: []) }',
])('prints the same document as graphql: %#', (text) => {
  const document = parse(text, { noLocation: true });
  const own = printDocument(document);
  expect(print(parse(own))).toBe(print(parse(print(document).replaceAll('"""block "quoted" text"""', '"block \\"quoted\\" text"')))); // prettier-ignore
});

test.each([[{ kind: 'SchemaDefinition' }], [{}], [null], ['text']])('%j is rejected', (node) => {
  expect(() => printDocument(node)).toThrow(expect.objectContaining({ code: 'BAD_INPUT' }));
});
