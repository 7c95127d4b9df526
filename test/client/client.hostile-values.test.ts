/** The client with hostile values in responses: typed errors and bounded memory. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createClient, isZarrqlError, toDates } from '../../client/index.js';
import { decodeCbor } from '../../client/transport/cbor.js';
import { response, createFakeFetch } from './fake-fetch.js';

describe('values', () => {
  const slice = (dtype: string, shape: unknown, data = '') => ({
    slices: [{ shape, dtype: { name: 'x', kind: 'RAW' }, dimensions: [], base64: { dtype, shape, data } }],
  });
  const read = (data: unknown) => {
    const { fetch } = createFakeFetch(() => response({ data }));
    const client = createClient({ url: 'http://a/graphql', fetch, format: 'json', retries: 0 });
    return client.store('s').array('a').slice();
  };
  const struct = (...fields: unknown[]) => JSON.stringify(fields);

  test.each<[string, unknown]>([
    ['|V0', [3e8]],
    ['|S0', [2 ** 31, 2 ** 20]],
    ['<U0', [9e15]],
    ['<f4', [9e15]],
    ['<f4', [9e15, 0]],
    ['<f4', [2 ** 31, 2 ** 31]],
    ['<f4', [-1]],
    ['<f4', [1.5]],
    ['<f4', ['1e3']],
    ['<f4', [null]],
    ['<f4', Array.from({ length: 100_000 }, () => 1)],
    ['|V9999999999', [2]],
    ['<M8[0s]', [0]],
    ['[]', [9e15]],
    [struct(['a', '|V0']), [3e8]],
    [struct(['a', '|V0', [3e8]], ['b', '|u1']), [1]],
    [struct(['a', '<f8', [2 ** 27, 2 ** 27]]), [0]],
    [struct(['a', '<f4', [-1]]), [1]],
    ['['.repeat(100_000), [1]],
  ])('%s of the shape %j is BAD_RESPONSE', async (dtype, shape) => {
    await expect(read(slice(dtype.slice(0, 300_000), shape))).rejects.toMatchObject({ code: 'BAD_RESPONSE' });
  });

  test('of size 0 are accepted in small numbers', async () => {
    expect((await read(slice('|V0', [3]))).data).toEqual([0, 0, 0].map(() => new Uint8Array(0)));
    const fields = await read(slice(struct(['a', '|V0'], ['b', '|u1']), [2], 'AQI='));
    expect(fields.is('struct') && fields.data['b']?.data).toEqual(Uint8Array.of(1, 2));
  });

  test('that exceed their integer type do not wrap', async () => {
    const type = { name: 'int8', kind: 'INT', itemSize: 1, numpy: '|i1' };
    const base = { slices: [{ shape: [1], dtype: type, dimensions: [], base64: null }] };
    for (const value of [300, 1.5, -129, '99999999999']) {
      const coordinates = [{ name: 'c', dtype: type, dimensions: [], values: [value] }];
      const data = { slices: [{ ...base.slices[0], coordinates, base64: { dtype: '|i1', shape: [1], data: 'AQ==' } }] };
      await expect(read(data)).rejects.toMatchObject({ code: 'BAD_RESPONSE' });
    }
  }); // prettier-ignore

  test('with special names are ordinary keys', async () => {
    const type = { name: 'int8', kind: 'INT', itemSize: 1, numpy: '|i1' };
    const coordinates = ['__proto__', 'constructor'].map((name) => ({ name, dtype: type, dimensions: [], values: [1] }));
    const fields = struct(['__proto__', '|u1'], ['toString', '|u1']);
    const found = await read({ slices: [{ ...slice(fields, [1], 'AQI=').slices[0], coordinates }] });
    expect(Object.keys(found.coordinates ?? {})).toEqual(['__proto__', 'constructor']);
    expect(found.coordinates?.['toString']).toBeUndefined();
    expect(Object.getPrototypeOf(found.coordinates)).toBeNull();
    expect(Object.keys(found.data)).toEqual(['__proto__', 'toString']);
    expect(Object.keys(found.get(0) as object)).toEqual(['__proto__', 'toString']);
    expect(Object.getPrototypeOf(found.data)).toBeNull();
    expect(({} as Record<string, unknown>)['name']).toBeUndefined();
  }); // prettier-ignore

  test('of times convert to Dates or throw InputErrors', async () => {
    const units = fc.constantFrom('Y', 'M', 'W', 'D', 'h', 'm', 's', 'ms', 'us', 'ns', 'ps', 'as', 'generic');
    await fc.assert(
      fc.asyncProperty(units, fc.integer({ min: 1, max: 2 ** 31 - 1 }), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), async (unit, scale, count) => {
        const data = Buffer.from(BigInt64Array.of(count).buffer).toString('base64');
        const array = await read(slice(unit === 'generic' ? '<M8' : `<M8[${scale}${unit}]`, [1], data));
        if (!array.is('numpy.datetime64')) throw new Error('no times');
        try {
          expect(toDates(array)).toHaveLength(1);
        } catch (error) {
          expect(isZarrqlError(error, 'BAD_INPUT')).toBe(true);
        }
      }),
    );
  }); // prettier-ignore
});

test('arbitrary CBOR bytes decode to a value or a typed error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 48 }), (bytes) => {
      try {
        decodeCbor(new Uint8Array(bytes), 2 ** 16);
      } catch (error) {
        expect(isZarrqlError(error, 'BAD_RESPONSE', 'TOO_LARGE')).toBe(true);
      }
    }),
    { numRuns: 2000 },
  );
});
