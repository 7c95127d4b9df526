/** Labels that are durations. Selections by text are compared with xarray in `dataset.cases.test.ts`. */
import { expect, test } from 'vitest';
import { planDecoding } from '../../../server/dataset/decode/plan-decoding.js';
import { LabelIndex } from '../../../server/dataset/labels/label-index.js';
import { labelKeys } from '../../../server/dataset/labels/label-keys.js';
import { type Block, type DataType, NAT, runToEnd } from '../../../server/zarr/index.js';
import { indexOf, numbers, positions } from './sample-index.js';

const native = (unit: 'h' | 'ns' | 'M' | 'ps', counts: readonly bigint[], scale = 1): LabelIndex => {
  const dtype: DataType = { name: 'numpy.timedelta64', itemSize: 8, unit, scale };
  const stored: Block = {
    dtype,
    shape: [counts.length],
    bytes: new Uint8Array(BigInt64Array.from(counts).buffer),
  };
  const decoding = planDecoding({ name: 'x', zarrFormat: 3, dtype, shape: stored.shape, attributes: {}, fill: undefined }); // prettier-ignore
  return runToEnd(LabelIndex.create('x', runToEnd(labelKeys(stored, decoding))));
};
const at = (value: unknown, method: 'EXACT' | 'NEAREST' | 'PAD' = 'EXACT', tolerance?: number) =>
  ({ kind: 'at', value, method, tolerance }) as const;

test('count the unit of the decoded type; text has units', () => {
  const hours = native('h', [0n, 6n, 48n]);
  expect([48, 48n, '48', '48h', 'P2D'].map((label) => positions(hours, at(label)))).toEqual([
    [2],
    [2],
    [2],
    [2],
    [2],
  ]);
  const declared = indexOf(numbers('int32', [0, 6, 48]), { units: 'hours', dtype: 'timedelta64[s]' });
  expect(positions(declared, at(172_800))).toEqual([2]);
  expect(positions(declared, at('48h'))).toEqual([2]);
  expect(positions(declared, at(48))).toBe('BAD_SELECTION');
  expect(positions(native('h', [0n, 1n], 6), at('6h'))).toEqual([1]);
  expect(positions(native('ps', [0n, 1000n]), at('1ns'))).toEqual([1]);
});

test('of plain numbers are converted to their unit, and rounded as numbers are', () => {
  const hours = indexOf(numbers('float32', [0, 0.1, 48]), { units: 'hours' });
  expect(positions(hours, at('48h'))).toEqual([2]);
  expect(positions(hours, at('6min'))).toEqual([1]);
  expect(positions(indexOf(numbers('int64', [0, 48]), { units: 'h' }), at('P2D'))).toEqual([1]);
  expect(positions(indexOf(numbers('int32', [0, 48]), { units: 'm' }), at('48h'))).toBe('BAD_SELECTION');
  expect(positions(indexOf(numbers('int32', [0, 48])), at('48h'))).toBe('BAD_SELECTION');
});

test('between two counts match only by a method, the nearer one', () => {
  const hours = native('h', [1n, 2n]);
  expect(positions(hours, at('80min'))).toBe('BAD_SELECTION');
  expect(positions(hours, at('80min', 'NEAREST'))).toEqual([0]);
  expect(positions(hours, at('90min', 'NEAREST'))).toEqual([1]);
  expect(positions(hours, at('119min', 'PAD'))).toEqual([0]);
  expect(positions(hours, at('80min', 'NEAREST', 0.25))).toBe('BAD_SELECTION');
  expect(positions(hours, { kind: 'between', from: '30min', to: '119min', step: 1 })).toEqual([0]);
});

test('without a fixed length have no units; missing ones match nothing', () => {
  expect(positions(native('M', [1n, 2n]), at('30d'))).toBe('BAD_SELECTION');
  expect(positions(native('M', [1n, 2n]), at(2))).toEqual([1]);
  const missing = native('h', [6n, NAT]);
  expect(positions(missing, at('6h'))).toEqual([0]);
  expect(positions(missing, at(String(NAT)))).toBe('BAD_SELECTION');
});

test('are shown with counts and units in messages', () => {
  const hours = native('ns', [0n, 6n * 3_600_000_000_000n, 48n * 3_600_000_000_000n]);
  expect(() => runToEnd(hours.find(at(48)))).toThrow(
    'it has 3 labels from 0 (0d) to 172800000000000 (2d), ascending; the nearest are 0 (0d) and 21600000000000 (6h)',
  );
  expect(() => runToEnd(hours.find(at('today')))).toThrow(
    '"x" has durations ("48h", "PT48H", or counts of ns)',
  );
});
