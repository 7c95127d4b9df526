import { expect, test } from 'vitest';
import * as codegen from '../client/codegen/index.js';
import * as client from '../client/index.js';
import {
  DataTypeError,
  GatewayError,
  InputError,
  isZarrqlError,
  TransportError,
  ZarrqlError,
} from '../client/index.js';

/** Adding or removing a name changes the public API. */
test('the public exports', () => {
  expect(Object.keys(client).toSorted()).toEqual([
    'DataTypeError',
    'GatewayError',
    'InputError',
    'RequestError',
    'TransportError',
    'ZarrqlError',
    'createClient',
    'createSdk',
    'encodeDates',
    'isZarrqlError',
    'ndarray',
    'toDates',
    'toSelectionInput',
    'toText',
    'typedDocument',
  ]);
  expect(Object.keys(codegen).toSorted()).toEqual(['plugin', 'readCatalog', 'sdkDocuments', 'writeStores']);
});

const errors = [
  new GatewayError('x', { code: 'NOT_FOUND' }),
  new TransportError('TIMEOUT', 'x'),
  new InputError('BAD_SELECTION', 'x'),
  new DataTypeError(['int8'], 'int16', 'x'),
];

test.each(errors)('$name is a ZarrqlError, identified by its code', (error) => {
  expect(error).toBeInstanceOf(ZarrqlError);
  expect(isZarrqlError(error)).toBe(true);
  expect(isZarrqlError(error, error.code)).toBe(true);
  expect(isZarrqlError(error, 'INTERNAL', error.code)).toBe(true);
  expect(isZarrqlError(error, 'INTERNAL')).toBe(false);
  expect(error.name).toBe(error.constructor.name);
});

test('other values are not ZarrqlErrors', () => {
  for (const other of [new Error('x'), { code: 'NOT_FOUND' }, null, undefined])
    expect(isZarrqlError(other)).toBe(false);
});

test('malformed extensions are ignored', () => {
  const error = new GatewayError('x', {
    code: 'INTERNAL',
    extensions: { store: 1, path: null, limit: 'a', allowed: {} },
  });
  expect([error.store, error.path, error.key, error.limit]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
