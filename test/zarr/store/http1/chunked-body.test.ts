import { expect, test } from 'vitest';
import { ChunkedBody } from '../../../../server/zarr/store/http1/chunked-body.js';
import { MalformedResponse } from '../../../../server/zarr/store/http1/response-head.js';

function decode(text: string, pieceBytes: number) {
  let decoded = '';
  let consumed = 0;
  const body = new ChunkedBody((piece) => {
    decoded += Buffer.from(piece).toString('latin1');
  });
  for (let at = 0; at < text.length && !body.isDone; at += pieceBytes)
    consumed += body.push(Buffer.from(text.slice(at, at + pieceBytes), 'latin1'));
  return { decoded, consumed, isDone: body.isDone };
}

const valid = '5\r\nhello\r\nA;ext=1\r\n0123456789\r\n0\r\ntrailer: 1\r\n\r\n';

test.each([1, 2, 3, 7, 1000])('in pieces of %i bytes', (pieceBytes) => {
  const expected = { decoded: 'hello0123456789', consumed: valid.length, isDone: true };
  expect(decode(valid, pieceBytes)).toEqual(expected);
});
test('does not consume what follows', () => {
  expect(decode(`${valid}HTTP/1.1`, 1000).consumed).toBe(valid.length);
});
test('is not complete before its last line', () => {
  for (let end = 0; end < valid.length; end++) expect(decode(valid.slice(0, end), 5).isDone).toBe(false);
});
test.each([
  ['no number', 'x\r\n'],
  ['a sign', '-1\r\n'],
  ['a space before the size', ' 5\r\nhello\r\n'],
  ['no carriage return', '5\nhello\r\n'],
  ['more than the size', '5\r\nhelloX\r\n'],
  ['a huge size', '1000000000000\r\n'],
  ['a line without an end', `5${' '.repeat(9000)}`],
  ['a long trailer', `0\r\n${'a: 1\r\n'.repeat(2000)}`],
])('refused: %s', (_, text) => {
  expect(() => decode(text, 1000)).toThrow(MalformedResponse);
});
