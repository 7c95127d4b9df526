import { expect, test } from 'vitest';
import { createHostCheck } from '../../server/http/host-check.js';

const config = { host: '0.0.0.0', publicUrl: 'https://data.example.org/zarr', allowedHosts: ['inside'] };

test.each([
  'localhost',
  'localhost:4000',
  'LOCALHOST:4000',
  'app.localhost:4000',
  '127.0.0.1:4000',
  '[::1]:4000',
  '10.1.2.3',
  'inside:80',
  'data.example.org',
  'data.example.org.:443',
])('%s is an allowed host', (host) => {
  expect(createHostCheck(config)(host)).toBe(true);
});

// DNS rebinding: the domain of a page resolves to this machine.
test.each([
  undefined,
  '',
  'evil.example',
  'evil.example:4000',
  'localhost.evil.example',
  'notlocalhost',
  'data.example.org.evil.example',
  '127.0.0.1.evil.example',
  'localhost:4000@evil.example',
  'localhost evil.example',
  '[evil.example]',
])('%s is not an allowed host', (host) => {
  expect(createHostCheck(config)(host)).toBe(false);
});

test('"*" accepts every name', () => {
  expect(createHostCheck({ ...config, allowedHosts: ['*'] })('evil.example')).toBe(true);
});

test('each request is checked independently', () => {
  const isAllowed = createHostCheck(config);
  expect([isAllowed('inside'), isAllowed('inside'), isAllowed('other')]).toEqual([true, true, false]);
});
