import { expect, test } from 'vitest';
import { decodeCbor } from '../../../client/transport/cbor.js';
import { InputError } from '../../../client/index.js';
import { writeBody } from '../../../client/transport/request-body.js';

const withoutJson = [-0, Number.NaN, Infinity, -Infinity];

test.each([...withoutJson, 2n ** 64n, Uint8Array.of(1, 2)])('%s is sent as CBOR', (value) => {
  const { type, body } = writeBody({ variables: { a: [value] } }, false);
  if (typeof body === 'string') throw new Error('it is text');
  expect(type).toBe('application/cbor');
  expect(decodeCbor(body)).toEqual({ variables: { a: [value] } });
});

test.each([...withoutJson, Uint8Array.of(1)])('%s is rejected if only JSON is supported', (value) => {
  expect(() => writeBody({ variables: { a: [value] } }, true)).toThrow(InputError);
});

test('in JSON, array bytes are base64 and large integers decimal text', () => {
  const { body } = writeBody({ values: { data: Uint8Array.of(1, 2) }, n: 2n ** 64n }, true);
  expect(body).toBe('{"values":{"data":"AQI="},"n":"18446744073709551616"}');
});
