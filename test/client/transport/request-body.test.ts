import { expect, test } from 'vitest';
import { decodeCbor } from '../../../client/transport/cbor.js';
import { InputError } from '../../../client/index.js';
import { writeBody } from '../../../client/transport/request-body.js';

const withoutJson = [-0, Number.NaN, Infinity, -Infinity];

test.each([...withoutJson, 2n ** 64n, Uint8Array.of(1, 2)])('%s travels as CBOR', (value) => {
  const { type, body } = writeBody({ variables: { a: [value] } }, false);
  if (typeof body === 'string') throw new Error('it is text');
  expect(type).toBe('application/cbor');
  expect(decodeCbor(body)).toEqual({ variables: { a: [value] } });
});

test.each([...withoutJson, Uint8Array.of(1)])('%s is refused where only JSON may be written', (value) => {
  expect(() => writeBody({ variables: { a: [value] } }, true)).toThrow(InputError);
});

test('in JSON bytes of an array are base64, big integers decimal text', () => {
  const { body } = writeBody({ values: { data: Uint8Array.of(1, 2) }, n: 2n ** 64n }, true);
  expect(body).toBe('{"values":{"data":"AQI="},"n":"18446744073709551616"}');
});
