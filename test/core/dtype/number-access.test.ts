import { describe, expect, it } from 'vitest';
import { elementArrays, NAT, timeNames } from '../../../wire/data-types.js';
import { widenHalves } from '../../../wire/float16.js';
import { numberNames } from '../../../server/core/dtype/data-type.js';
import { missingBytes, numberAccess } from '../../../server/core/dtype/number-access.js';

const edges = [0, 1, -1, 100, 127.5, 255, -32768, 65504, 2 ** 31, -(2 ** 40), Infinity, NaN, -0];
const longs = [0n, 1n, -1n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n, 2n ** 64n - 1n, NAT];

/** The values of the bytes, read through the class of typed array. */
function read(element: keyof typeof elementArrays, bytes: Uint8Array): ArrayLike<number | bigint> {
  const unit = elementArrays[element].BYTES_PER_ELEMENT;
  const stored = new elementArrays[element](bytes.buffer, 0, bytes.length / unit);
  return element === 'float16' && stored instanceof Uint16Array ? widenHalves(stored) : stored;
}

describe.each([...numberNames(), ...timeNames])('%s', (name) => {
  const access = numberAccess(name);
  if (access === undefined) throw new Error(`no access to ${name}`);
  const { element, unit, set, get, widen, isLong } = access;
  const values = isLong ? longs : edges;
  const bytes = new Uint8Array(values.length * unit);
  const view = new DataView(bytes.buffer);
  values.forEach((value, i) => set(view, i * unit, value));

  it('stores and reads values as typed arrays do', () => {
    if (element !== 'float16') {
      const expected = new elementArrays[element](values.length);
      values.forEach((value, i) => Reflect.set(expected, i, value));
      expect(read(element, bytes)).toEqual(expected);
    }
    expect(values.map((_, i) => get(view, i * unit))).toEqual(Array.from(read(element, bytes)));
  });

  it('widens values to float64', () => {
    const target = new Float64Array(values.length);
    widen(bytes, values.length, target);
    expect([...target]).toEqual(Array.from(read(element, bytes), Number));
  });

  it('has a missing value of the size of the type, if it is a float or a time', () => {
    const missing = missingBytes(access);
    const expected = isLong ? BigInt.asUintN(64, NAT) : element.startsWith('float') ? NaN : 0;
    expect(missing.length).toBe(access.parts * unit);
    for (const value of Array.from(read(element, missing)))
      expect(typeof value === 'bigint' ? BigInt.asUintN(64, value) : value).toBe(expected);
  });
});

it('has no access to types that are not numbers', () => {
  expect(numberAccess('string')).toBeUndefined();
  expect(numberAccess('toString')).toBeUndefined();
});
