import { expect, test } from 'vitest';
import { createCors } from '../../server/http/cors.js';

test('by default no page can read a response', () => {
  const cors = createCors([]);
  expect(cors.headers('https://a.org')).toEqual({});
  expect(cors.preflight('https://a.org', 'content-type')).toBeUndefined();
});

test('only the exact origins, with Vary', () => {
  const cors = createCors(['https://a.org', 'http://localhost:3000']);
  expect(cors.headers('https://a.org')).toMatchObject({
    vary: 'Origin',
    'access-control-allow-origin': 'https://a.org',
  });
  expect(cors.headers('https://a.org.evil.example')).toEqual({ vary: 'Origin' });
  expect(cors.headers('http://localhost:3001')).toEqual({ vary: 'Origin' });
  expect(cors.headers(undefined)).toEqual({ vary: 'Origin' });
  expect(cors.headers('null')).toEqual({ vary: 'Origin' });
});

test('"*": any page, and never with credentials', () => {
  const headers = createCors(['*']).headers('https://any.example');
  expect(headers['access-control-allow-origin']).toBe('*');
  expect(headers['access-control-expose-headers']).toContain('X-Request-Id');
  expect(Object.keys(headers)).not.toContain('access-control-allow-credentials');
});

test('preflight: the requested headers, if they are valid header names', () => {
  const cors = createCors(['https://a.org']);
  expect(cors.preflight('https://a.org', 'content-type, x-thing')?.['access-control-allow-headers']).toBe(
    'content-type, x-thing',
  );
  expect(cors.preflight('https://a.org', 'a\r\nb: c')?.['access-control-allow-headers']).toBe(
    'Content-Type, Accept',
  );
  expect(cors.preflight('https://b.org', 'content-type')).toBeUndefined();
});
