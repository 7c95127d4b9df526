import { expect, test } from 'vitest';
import * as client from '../../client/index.js';
import * as codegen from '../../client/codegen/index.js';

/** A name that is added or removed here is a change of the package's surface. */
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
    'isZarrqlError',
    'ndarray',
    'toDates',
    'toSelectionInput',
    'toText',
    'typedDocument',
  ]);
  expect(Object.keys(codegen).toSorted()).toEqual(['plugin', 'readCatalog', 'sdkDocuments', 'writeStores']);
});
