import { expect, test } from 'vitest';
import * as client from '../../client/index.js';
import * as codegen from '../../client/codegen/index.js';

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
