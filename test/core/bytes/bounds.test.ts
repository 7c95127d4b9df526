import { describe, expect, it, test } from 'vitest';
import { assertInside, assertLength } from '../../../server/core/bytes/bounds.js';
import { copyItems, ItemStore } from '../../../server/core/bytes/items.js';
import { copyStrided, type CopyDim } from '../../../server/core/bytes/strided-copy.js';
import { elementAccess, storedNumbers } from '../../../server/core/dtype/number-access.js';
import { rollRows, sumWindow } from '../../../server/compute/rolling/rolling.js';
import { unpackBlock } from '../../../server/compute/transform/unpack-block.js';
import { plainNumbers } from '../../../server/format/plan/element-transform.js';

test('an array must have as many elements as a kernel accesses', () => {
  expect(() => assertLength([1, 2], 2, 'it')).not.toThrow();
  expect(() => assertLength([1, 2], 3, 'it')).toThrow('it has 2 elements; the kernel accesses 3');
  expect(() => assertLength([1, 2], NaN, 'it')).toThrow(RangeError);
});

describe('a box is inside an array', () => {
  const cases: [name: string, dims: CopyDim[], start: number, size: number, least: number][] = [
    ['one element', [], 3, 4, 7],
    ['ascending strides', [{ count: 2, from: 8, to: 0 }, { count: 2, from: 4, to: 0 }], 1, 4, 17],
    ['a descending stride', [{ count: 3, from: -4, to: 0 }], 8, 4, 12],
    ['a list', [{ count: 3, from: 0, to: 0, fromAt: Float64Array.of(8, 0, 16) }], 2, 4, 22],
    ['a stride of 0', [{ count: 100, from: 0, to: 0 }], 0, 4, 4],
  ]; // prettier-ignore
  it.each(cases)('%s', (_, dims, start, size, least) => {
    expect(() => assertInside(dims, 'from', start, size, least)).not.toThrow();
    expect(() => assertInside(dims, 'from', start, size, least - 1)).toThrow(RangeError);
  });

  it('does not start before the array', () => {
    expect(() => assertInside([{ count: 4, from: -4, to: 0 }], 'from', 8, 4, 100)).toThrow(RangeError);
    expect(() => assertInside([], 'from', NaN, 4, 100)).toThrow(RangeError);
  });

  it('has a position for each element of a list', () => {
    const dims = [{ count: 2, from: 0, to: 0, fromAt: Float64Array.of(0) }];
    expect(() => assertInside(dims, 'from', 0, 1, 100)).toThrow(RangeError);
  });
});

describe('kernels reject arrays that are too short, instead of computing with zeros', () => {
  it('copies of elements', () => {
    const dims = [{ count: 4, from: 2, to: 2 }];
    expect(() => copyStrided(new Uint8Array(7), 0, new Uint8Array(8), 0, dims, 2)).toThrow(RangeError);
    expect(() => copyStrided(new Uint8Array(8), 0, new Uint8Array(7), 0, dims, 2)).toThrow(RangeError);
    expect(() => copyStrided(new Uint8Array(8), 0, new Uint8Array(8), 0, dims, 2)).not.toThrow();
  });

  it('copies of items', () => {
    const dims = [{ count: 2, from: 1, to: 1 }];
    expect(() => copyItems(new ItemStore(1), 0, new ItemStore(2), 0, dims)).toThrow(RangeError);
    expect(() => copyItems(new ItemStore(2), 0, new ItemStore(1), 0, dims)).toThrow(RangeError);
  });

  it('views and conversions of stored numbers, even if their buffer is longer', () => {
    const bytes = new Uint8Array(16).subarray(0, 8);
    expect(() => storedNumbers('int32', bytes, 3)).toThrow(RangeError);
    expect(() => elementAccess.int64.widen(bytes, 2, new Float64Array(2))).toThrow(RangeError);
    expect(() => unpackBlock(bytes, 3, plainNumbers('int32'))).toThrow(RangeError);
  });

  it('rolling windows', () => {
    const rows = { values: new Float64Array(3), stride: 2, first: 0, end: 2 };
    const windows = { window: 2, after: 0, minCount: 1, from: 0, to: 2 };
    expect(() => [...rollRows(rows, sumWindow, windows, () => undefined)]).toThrow(RangeError);
  });
});
