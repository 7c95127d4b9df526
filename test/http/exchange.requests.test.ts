import { expect, test, describe } from 'vitest';
import { requestIdOf } from '../../server/http/exchange.js';
import { parseTarget } from '../../server/http/request-target.js';

test('a valid id is kept', () => {
  expect(requestIdOf('Root=1-67891233-abcdef012345678912345678')).toBe(
    'Root=1-67891233-abcdef012345678912345678',
  );
});

test.each([undefined, '', 'a b', 'a"b', '<script>', 'x'.repeat(101), ['a', 'b']])(
  '%j is replaced by a new id',
  (incoming) => {
    const id = requestIdOf(incoming);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(requestIdOf(incoming)).not.toBe(id);
  },
);

describe('accepted targets', () => {
  test.each([
    ['/', '/', '', undefined],
    ['/graphql', '/graphql', '', undefined],
    ['/graphql?query={a(b:"c\\n")}|^`', '/graphql', 'query={a(b:"c\\n")}|^`', undefined],
    ['/graphql?query=%7B..%2F..%0A%7D', '/graphql', 'query=%7B..%2F..%0A%7D', undefined],
    ['/graphql?a?b', '/graphql', 'a?b', undefined],
    ['//graphql', '//graphql', '', undefined],
    ['/files/abc.def/SST.npy', '/files/abc.def/SST.npy', '', undefined],
    ['/files/...', '/files/...', '', undefined],
    ['/a%20b%C3%A9', '/a%20b%C3%A9', '', undefined],
    ['http://localhost/graphql?a', '/graphql', 'a', 'localhost'],
    ['HTTPS://[::1]:80/graphql', '/graphql', '', '[::1]:80'],
    ['http://localhost', '/', '', 'localhost'],
    ['http://localhost:?a', '/', 'a', 'localhost:'],
  ])('%s', (target, path, query, authority) => {
    expect(parseTarget('GET', target)).toEqual({ path, query, authority });
  });

  test('"*" is accepted only for OPTIONS', () => {
    expect(parseTarget('OPTIONS', '*')).toMatchObject({ path: '*' });
    expect(parseTarget('GET', '*')).toHaveProperty('malformed');
  });
});

const dots = ['.', '..', '%2e', '%2E%2e', '.%2e', '%2e.', '..;', '..;a=b', '.;', '%2e%2e;', '%2e%2e%3ba'];
const hidden = ['..%2f', '..%2F..', '..%5c', '%5c', '%2f', '%00', 'a%0d%0a', '%c2%85', '%7f', '%252e%252e'];
const notUtf8 = [
  '%c0%ae%c0%ae',
  '%e0%80%ae',
  '%ff',
  '%ed%a0%80',
  '%f8%80%80%80%ae',
  '%zz',
  '%',
  '%2',
  '%u002e',
];
const raw = ['..\\', '\\', ' ', '\t', '#', '\u0000', '\u007f', 'é', '{', '"', '<', '|', '^', '`', '[a]'];

describe('rejected targets', () => {
  const paths = [...dots, ...hidden, ...notUtf8, ...raw].flatMap((segment) => [
    `/${segment}`,
    `/files/${segment}/graphql`,
    `/files/a/${segment}?query={a}`,
    `http://localhost/files/${segment}/graphql`,
  ]);
  test.each(paths)('%j', (target) => {
    expect(parseTarget('GET', target)).toHaveProperty('malformed');
  });

  test.each([
    '',
    'graphql',
    '?a',
    '@localhost/graphql',
    'localhost:4000',
    '/graphql#a',
    '/graphql?a#b',
    '/graphql?a b',
    '/graphql?\u0085',
    'http:/graphql',
    'http:///files/graphql',
    'http://',
    'HTTP:///files/graphql',
    'https:///files/graphql',
    'ws://localhost/graphql',
    'ftp://localhost/graphql',
    'file:///graphql',
    'javascript:alert(1)',
    'http://x:99999/files/a',
    'http://x:-1/',
    'http://[::1/',
    'http://[1.2.3]/',
    'http://[::zz]/',
    'http://%zz/',
    'http://a@localhost/graphql',
    'http://a:b@localhost/graphql',
    'http://localhost\\graphql',
    'http://local host/',
    'http://.',
  ])('%j', (target) => {
    expect(parseTarget('GET', target)).toHaveProperty('malformed');
  });

  test('are rejected in linear time', () => {
    for (const piece of ['%25', '../', '%2e/', '/', '\\'])
      expect(parseTarget('GET', `/${piece.repeat(100_000)}.`)).toHaveProperty('malformed');
  });
});
