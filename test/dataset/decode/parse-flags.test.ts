/** Flags whose values are not scalars: the schema requires a value for each flag. */
import { expect, test } from 'vitest';
import { arrayDocument, execute, memoryGateway } from '../../resolvers/gateway-client.js';

test.each([
  ['flag_values', [null]],
  ['flag_masks', [null]],
  ['flag_values', [[1]]],
  ['flag_values', [{ a: 1 }]],
])('%s of %j are invalid metadata', async (attribute, list) => {
  const attributes = { [attribute]: list, flag_meanings: 'a' };
  const gateway = await memoryGateway({
    'zarr.json': { zarr_format: 3, node_type: 'group', attributes: {} },
    'v/zarr.json': arrayDocument('int8', [2], { dimension_names: ['x'], attributes }),
  });
  const query = '{ store(name: "m") { dataset { variable(name: "v") { flags { value mask meaning } } } } }';
  const { errors } = await execute(gateway, query);
  expect(errors.map(({ extensions }) => extensions['code'])).toEqual(['INVALID_METADATA']);
  expect(errors[0]?.message).toContain(attribute);
});
