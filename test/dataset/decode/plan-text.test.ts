import { describe, expect, test } from 'vitest';
import { planDecoding } from '../../../server/dataset/decode/plan-decoding.js';
import { dataOf, type JsonObject } from '../../../server/zarr/index.js';
import { decoded, textType, variableOf } from './stored.js';

describe('characters', () => {
  const characters = (attributes: JsonObject, joinCharacters = true) => {
    const dtype = textType(1);
    const stored = { dtype, shape: [2, 3], bytes: new TextEncoder().encode('ab\0\0\0\0') };
    if (dtype.name !== 'null_terminated_bytes') throw new Error('unreachable');
    const variable = variableOf(dtype, attributes, { shape: [2, 3] });
    const planned = planDecoding(variable, { joinCharacters });
    return { planned, block: planned.decode({ ...stored, dtype }) };
  };

  test('become text along the last dimension', () => {
    const { planned, block } = characters({});
    expect(planned.joinedCharacters).toBe(3);
    expect(block).toMatchObject({ shape: [2], dtype: { name: 'null_terminated_bytes', itemSize: 3 } });
    expect(characters({}, false).planned).toMatchObject({ isIdentity: true, joinedCharacters: undefined });
  });

  test('with an encoding', () => {
    const { block } = characters({ _Encoding: 'utf-8' });
    expect(dataOf(block, 'string')).toEqual(['ab', '']);
  });

  test('with an unknown encoding or invalid bytes', () => {
    expect(() => characters({ _Encoding: 'klingon' })).toThrow('_Encoding');
    expect(() => characters({ _Encoding: 8 })).toThrow('_Encoding');
    const bytes = (encoding: string) =>
      decoded(
        textType(1),
        [Uint8Array.of(0xe9)],
        { _Encoding: encoding },
        { options: { joinCharacters: false } },
      ).values;
    expect(bytes('latin-1')).toEqual(['é']);
    expect(() => bytes('utf-8')).toThrow('its bytes are not valid utf-8');
    expect(() => bytes('ascii')).toThrow('its bytes are not valid ascii');
  });
});
