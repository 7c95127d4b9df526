/** The insertion position of the GraphiQL panel. */
import { expect, test } from 'vitest';
import { insertionAt } from '../../../explorer/src/graphiql/insertion.js';

/** The line with `text` inserted at `|`. */
function inserted(line: string, text: string): string {
  const plain = line.replace('|', '');
  const { start, end, text: added } = insertionAt(plain, line.indexOf('|'), text);
  return plain.slice(0, start) + added + plain.slice(end);
}

test.each([
  ['array(path: "/AI|RT") {', 'array(path: "/SST") {'],
  ['array(path: |"/AIRT") {', 'array(path: "/SST") {'],
  ['array(path: ""|) {', 'array(path: "/SST") {'],
  ['array(path: |) {', 'array(path: "/SST") {'],
  ['a(b: "x", path: "q\\"|z", c: "y")', 'a(b: "x", path: "/SST", c: "y")'],
  ['array(path: "/unfini|shed', 'array(path: "/SST"'],
  ['at: { value: -12|.5 }', 'at: { value: "/SST" }'],
  ['dimension1 |', 'dimension1 "/SST"'],
  ['|', '"/SST"'],
])('%s', (line, expected) => {
  expect(inserted(line, '"/SST"')).toBe(expected);
});
