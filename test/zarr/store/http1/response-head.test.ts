import { expect, test } from 'vitest';
import { MalformedResponse, parseResponseHead } from '../../../../server/zarr/store/http1/response-head.js';

const parse = (lines: readonly string[], method: 'GET' | 'HEAD' = 'GET') =>
  parseResponseHead(lines.join('\r\n'), method);

test('a usual head', () => {
  const head = parse([
    'HTTP/1.1 206 Partial Content',
    'ETag:"a:b"',
    'Content-Length: 12 ',
    'x-A: 1',
    'X-a:2',
  ]);
  expect(head).toMatchObject({ status: 206, framing: { kind: 'length', bytes: 12 }, isPersistent: true });
  expect([...head.headers]).toEqual([
    ['etag', '"a:b"'],
    ['content-length', '12'],
    ['x-a', '1, 2'],
  ]);
});

test.each<[string[], 'GET' | 'HEAD', object]>([
  [['HTTP/1.1 200', 'content-length: 5', 'connection: Keep-Alive, Close'], 'GET', { isPersistent: false }],
  [['HTTP/1.0 200 OK', 'content-length: 5'], 'GET', { isPersistent: false }],
  [['HTTP/1.1 200 OK'], 'GET', { framing: { kind: 'close' }, isPersistent: false }],
  [['HTTP/1.1 200 OK', 'Transfer-Encoding: Chunked'], 'GET', { framing: { kind: 'chunked' } }],
  [['HTTP/1.1 200 OK', 'content-length: 5'], 'HEAD', { framing: { kind: 'length', bytes: 0 } }],
  [['HTTP/1.1 304 Not Modified', 'content-length: 5'], 'GET', { framing: { kind: 'length', bytes: 0 } }],
  [['HTTP/1.1 204 No Content'], 'GET', { framing: { kind: 'length', bytes: 0 }, isPersistent: true }],
])('%j for %s', (lines, method, expected) => {
  expect(parse(lines, method)).toMatchObject(expected);
});

test.each([
  [['']],
  [['HTTP/2 200 OK']],
  [['HTTP/1.1 20 OK']],
  [['HTTP/1.1 2000 OK']],
  [['HTTP/1.1 200 O\nK: 1']],
  [['HTTP/1.1 200 OK', 'content-length : 5']],
  [['HTTP/1.1 200 OK', 'a: 1', ' folded: 2']],
  [['HTTP/1.1 200 OK', 'a: 1\nb: 2']],
  [['HTTP/1.1 200 OK', 'a: 1\0']],
  [['HTTP/1.1 200 OK', 'no colon']],
  [['HTTP/1.1 200 OK', 'content-length: -1']],
  [['HTTP/1.1 200 OK', 'content-length: 5, 5']],
  [['HTTP/1.1 200 OK', 'content-length: 1e3']],
  [['HTTP/1.1 200 OK', 'content-length: 9999999999999999']],
  [['HTTP/1.1 200 OK', 'content-length: 5', 'content-length: 6']],
  [['HTTP/1.1 200 OK', 'content-length: 5', 'transfer-encoding: chunked']],
  [['HTTP/1.1 200 OK', 'transfer-encoding: gzip, chunked']],
  [['HTTP/1.1 200 OK', 'etag: "a"', 'etag: "b"']],
])('refused: %j', (lines) => {
  expect(() => parse(lines)).toThrow(MalformedResponse);
});
