import { expect, test } from 'vitest';
import { PositionList } from '../../../server/core/bytes/position-list.js';
import { runToEnd } from '../../../server/core/turns.js';

function listOf(positions: Iterable<number>): PositionList {
  const list = new PositionList();
  for (const position of positions) list.push(position);
  return list;
}

test('consecutive positions are a range, others a list in their order', () => {
  expect(runToEnd(listOf([]).selection())).toEqual({ kind: 'slice', start: 0, stop: 0 });
  expect(runToEnd(listOf([7, 8, 9]).selection())).toEqual({ kind: 'slice', start: 7, stop: 10 });
  expect(runToEnd(listOf([7, 8, 10]).selection())).toEqual({ kind: 'indices', indices: Float64Array.of(7, 8, 10) });
  expect(runToEnd(listOf([2, 1]).selection())).toEqual({ kind: 'indices', indices: Float64Array.of(2, 1) });
  const many = Float64Array.from({ length: 300_000 }, (_, i) => (i === 299_999 ? 0 : i));
  const list = listOf(many);
  expect(list.length).toBe(many.length);
  expect(runToEnd(list.selection())).toEqual({ kind: 'indices', indices: many });
}); // prettier-ignore
