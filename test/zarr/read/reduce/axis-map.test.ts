import { expect, test } from 'vitest';
import { type AxisMap, mappedAxes } from '../../../../server/zarr/read/reduce/axis-map.js';
import { numberType } from '../../../../server/zarr/dtype/number-types.js';

test('mapped axes are plain data that threads can receive, with any labels of groups', () => {
  const values = { dtype: numberType('int8'), shape: [2], bytes: Uint8Array.of(1, 2) };
  const labels = { name: 'month', values, inBlocks: () => undefined };
  const of = Int32Array.of(0, 1, 1);
  const maps: AxisMap[] = [{ kind: 'groups', of, count: 2, made: { labels, chosen: undefined } }, { kind: 'keep' }]; // prettier-ignore

  const axes = mappedAxes(maps, [3, 4]);

  expect(structuredClone(axes)).toEqual(axes);
  expect(axes.map(({ map, resultStride }) => ({ map, resultStride }))).toEqual([
    { map: { kind: 'groups', of, count: 2 }, resultStride: 4 },
    { map: { kind: 'keep' }, resultStride: 1 },
  ]);
});
