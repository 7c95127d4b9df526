import { expect, test } from 'vitest';
import { brokenConnection } from '../../../../server/zarr/store/http/deadline.js';

test.each([
  ['ENOTFOUND', 'the connection failed (ENOTFOUND: unknown host; check the address and the network)'],
  ['ECONNREFUSED', 'the connection failed (ECONNREFUSED)'],
])('%s', (code, message) => {
  const cause = Object.assign(new Error('getaddrinfo'), { code });
  expect(() => brokenConnection(new TypeError('fetch failed', { cause }))).toThrow(message);
});
