import { expect, test } from 'vitest';
import type { HeaderSource } from '../../../client/index.js';
import { headersOf } from '../../../client/transport/headers.js';

const own = { accept: 'application/cbor' };

test.each<[string, HeaderSource]>([
  ['an object', { Authorization: 'Bearer x', 'X-None': undefined }],
  ['Headers', new Headers({ Authorization: 'Bearer x' })],
  ['pairs', [['Authorization', 'Bearer x']]],
  ['a function', async () => new Headers({ Authorization: 'Bearer x' })],
])('%s', async (_what, headers) => {
  expect(await headersOf({ headers }, own)).toEqual({ ...own, authorization: 'Bearer x' });
});

test("the caller's headers take precedence", async () => {
  expect(await headersOf({ headers: { Accept: 'text/plain' } }, own)).toEqual({ accept: 'text/plain' });
});
