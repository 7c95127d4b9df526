import { parse, print } from 'graphql';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { InputError, TransportError } from '../../client/index.js';
import { printDocument } from '../../client/transport/print-document.js';
import { parseRetryAfter, planRetry } from '../../client/transport/retries.js';
import { root } from '../docs/format-samples.js';

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

const policy = { retries: 3, retryDelayMs: 200, maxRetryDelayMs: 1000 };
const http = (status: number, retryAfterMs?: number) =>
  new TransportError('HTTP', 'x', { status, retryAfterMs });

test.each([429, 502, 503, 504])('status %i is retried', (status) => {
  expect(planRetry(http(status), 0, policy, 1)).toBe(200);
});

test.each([400, 401, 403, 404, 500, 501])('status %i is not retried', (status) => {
  expect(planRetry(http(status), 0, policy)).toBeUndefined();
});

test('network failures are retried; timeouts, malformed responses and invalid input are not', () => {
  expect(planRetry(new TransportError('NETWORK', 'x'), 0, policy, 1)).toBe(200);
  expect(planRetry(new TransportError('TIMEOUT', 'x'), 0, policy)).toBeUndefined();
  expect(planRetry(new TransportError('BAD_RESPONSE', 'x', { status: 200 }), 0, policy)).toBeUndefined();
  expect(planRetry(new InputError('BAD_INPUT', 'x'), 0, policy)).toBeUndefined();
});

test('delays double up to a maximum, with 50% jitter; then the request fails', () => {
  const error = http(503);
  expect([0, 1, 2].map((attempt) => planRetry(error, attempt, policy, 1))).toEqual([200, 400, 800]);
  expect(planRetry(error, 0, policy, 0)).toBe(100);
  expect(planRetry(error, 8, { ...policy, retries: 9 }, 1)).toBe(1000);
  expect(planRetry(error, 3, policy)).toBeUndefined();
});

test('Retry-After takes precedence; a delay beyond the maximum fails immediately', () => {
  expect(planRetry(http(429, 700), 0, policy, 0)).toBe(700);
  expect(planRetry(http(429, 1001), 0, policy)).toBeUndefined();
});

test('Retry-After can be seconds or a date', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  expect(parseRetryAfter('3', now)).toBe(3000);
  expect(parseRetryAfter('Thu, 01 Jan 2026 00:00:05 GMT', now)).toBe(5000);
  expect(parseRetryAfter('Wed, 31 Dec 2025 00:00:00 GMT', now)).toBe(0);
  for (const none of [null, '', 'soon', '-1', '1.5']) expect(parseRetryAfter(none, now)).toBeUndefined();
});
