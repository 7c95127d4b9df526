/** Every output form rejects unsupported values, without suggesting another form. */
import { expect, test } from 'vitest';
import { arrayDocument, ask, memoryGateway } from '../gateway-client.js';

const arrays = {
  'a type': arrayDocument({ name: 'zarrs.optional', configuration: {} }, [3], { fill_value: null }),
  'a codec': arrayDocument('int32', [3], { codecs: [{ name: 'bytes' }, { name: 'unheard-of' }] }),
};

test.each(Object.entries(arrays))('%s that is not supported', async (_, document) => {
  const gateway = await memoryGateway({ 'zarr.json': document });
  const { errors } = await ask(
    gateway,
    `{ store(name: "m") { array { slice {
      values base64 { data } npy: href raw: href(format: RAW) csv: href(format: CSV) json: href(format: JSON)
    } } } }`,
  );
  const messages = errors.map(({ message }) => message);
  expect(messages).toHaveLength(6);
  expect(new Set(messages).size).toBe(1);
  expect(messages[0]).toMatch(
    /(unsupported data type "zarrs.optional"|"unheard-of").* \(store "m", path "\/"\)/,
  );
  expect(errors.map(({ extensions }) => extensions['code'])).toEqual(messages.map(() => 'UNSUPPORTED'));
  await gateway.close();
});
