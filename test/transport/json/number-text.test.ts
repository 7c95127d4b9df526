import { describe, expect, test } from 'vitest';
import {
  boolSegments,
  complexSegments,
  floatSegments,
  integerSegments,
  longSegments,
} from '../../../server/transport/json/number-text.js';

describe('floatSegments', () => {
  test('writes float32 as the equal double', () => {
    const data = new Float32Array([0.1, 1, -2.5, 3.4028235e38, 1e-45]);
    expect(floatSegments(data, 'STRING')(0, 5)).toBe(
      '0.10000000149011612,1,-2.5,3.4028234663852886e+38,1.401298464324817e-45',
    );
  });

  test('keeps the sign of zero and writes non-finite values as strings', () => {
    const data = new Float64Array([-0, 0, NaN, Infinity, -Infinity, 1]);
    expect(floatSegments(data, 'STRING')(0, 6)).toBe('-0.0,0,"NaN","Infinity","-Infinity",1');
    expect(floatSegments(data, 'NULL')(0, 6)).toBe('-0.0,0,null,null,null,1');
  });

  test('writes any part of the data', () => {
    const data = new Float64Array([1, 2, -0, 4]);
    expect(floatSegments(data, 'STRING')(1, 2)).toBe('2');
    expect(floatSegments(data, 'STRING')(2, 2)).toBe('');
    expect(floatSegments(data, 'STRING')(2, 4)).toBe('-0.0,4');
  });
});

test('64-bit integers are always strings', () => {
  expect(longSegments(new BigInt64Array([0n, -1n, 2n ** 63n - 1n]))(0, 3)).toBe(
    '"0","-1","9223372036854775807"',
  );
  expect(longSegments(new BigUint64Array([2n ** 64n - 1n]))(0, 1)).toBe('"18446744073709551615"');
  expect(longSegments(new BigInt64Array([1n]))(0, 0)).toBe('');
});

test('small integers are numbers', () => {
  expect(integerSegments(new Int8Array([-128, 0, 127]))(0, 3)).toBe('-128,0,127');
  expect(integerSegments(new Uint32Array([4294967295]))(0, 1)).toBe('4294967295');
});

test('complex numbers are pairs', () => {
  const data = new Float32Array([1, -0, NaN, 2]);
  expect(complexSegments(data, 'STRING')(0, 2)).toBe('[1,-0.0],["NaN",2]');
  expect(complexSegments(data, 'NULL')(1, 2)).toBe('[null,2]');
});

test('booleans are true and false', () => {
  expect(boolSegments(new Uint8Array([0, 1, 2]))(0, 3)).toBe('false,true,true');
});
