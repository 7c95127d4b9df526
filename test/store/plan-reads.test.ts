import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PlannedRead, planReads } from '../../server/store/plan-reads.js';
import type { ReadRequest } from '../../server/store/store.js';

const bounds = { maxGapBytes: 10, maxMergedBytes: 100 };
const part = (key: string, offset: number, length: number): ReadRequest => ({
  key,
  range: { offset, length },
});
const rangesOf = (requests: readonly ReadRequest[]): unknown[] =>
  planReads(requests, bounds).map(({ request }) => [request.key, request.range]);

describe('planReads', () => {
  test('nearby ranges of one object are coalesced in any order', () => {
    expect(planReads([part('a', 30, 5), part('a', 0, 10), part('a', 18, 4)], bounds)).toEqual([
      {
        request: part('a', 0, 35),
        members: [
          { index: 1, start: 0, length: 10 },
          { index: 2, start: 18, length: 4 },
          { index: 0, start: 30, length: 5 },
        ],
      },
    ]);
  });
  test('a gap of the maximum size is bridged, a larger one is not', () => {
    expect(rangesOf([part('a', 0, 5), part('a', 15, 5)])).toHaveLength(1);
    expect(rangesOf([part('a', 0, 5), part('a', 16, 5)])).toHaveLength(2);
  });
  test('coalesced reads stay within the limit; a longer range is read alone', () => {
    expect(rangesOf([part('a', 0, 50), part('a', 50, 50)])).toHaveLength(1);
    expect(rangesOf([part('a', 0, 50), part('a', 50, 51)])).toHaveLength(2);
    expect(rangesOf([part('a', 0, 500), part('a', 500, 1)])).toHaveLength(2);
  });
  test('a short range inside a long one does not shorten it', () => {
    expect(rangesOf([part('a', 0, 50), part('a', 5, 2), part('a', 55, 5)])).toEqual([
      ['a', { offset: 0, length: 60 }],
    ]);
  });
  test('other objects and versions are separate', () => {
    const versions = [
      { ...part('a', 0, 5), ifMatch: '1' },
      { ...part('a', 5, 5), ifMatch: '2' },
    ];
    expect(planReads(versions, bounds)).toHaveLength(2);
    expect(rangesOf([part('a', 0, 5), part('b', 5, 5)])).toHaveLength(2);
    const same = planReads(
      versions.map((request) => ({ ...request, ifMatch: '1' })),
      bounds,
    );
    expect(same).toMatchObject([{ request: { key: 'a', ifMatch: '1', range: { offset: 0, length: 10 } } }]);
  });
  test('whole objects, suffixes, empty ranges and revalidations are passed through', () => {
    const requests: ReadRequest[] = [
      { key: 'a' },
      { key: 'a', range: { suffix: 4 } },
      part('a', 3, 0),
      { ...part('a', 0, 5), ifNoneMatch: '1' },
      part('a', 0, 5),
    ];
    expect(planReads(requests, bounds)).toEqual(requests.map((request, index) => ({ request, index })));
  });
  test('every request is served exactly once, with its own bytes', () => {
    const anyPart = fc.record({
      key: fc.constantFrom('a', 'b'),
      range: fc.record({ offset: fc.nat(300), length: fc.nat(60) }),
    });
    fc.assert(
      fc.property(fc.array(anyPart, { maxLength: 40 }), (requests) => {
        const reads = planReads(requests, bounds);
        const served = reads.flatMap(servedBy).sort((a, b) => a.index - b.index);
        expect(served).toEqual(
          requests.map(({ key, range }, index) => ({ index, key, ...range, isWithin: true })),
        );
        const merged = reads
          .filter((read) => read.members !== undefined)
          .map(({ request }) => lengthOf(request));
        expect(Math.max(0, ...merged)).toBeLessThanOrEqual(bounds.maxMergedBytes);
        for (const read of reads) expect(widestGap(read)).toBeLessThanOrEqual(bounds.maxGapBytes);
      }),
    );
  });
});

interface Served {
  readonly index: number;
  readonly key: string;
  readonly offset: number;
  readonly length: number;
  readonly isWithin: boolean;
}

function servedBy(read: PlannedRead): Served[] {
  const { key, range } = read.request;
  if (range === undefined || 'suffix' in range) return [];
  if (read.members === undefined) return [{ index: read.index, key, ...range, isWithin: true }];
  return read.members.map(({ index, start, length }) => ({
    index,
    key,
    offset: range.offset + start,
    length,
    isWithin: start >= 0 && start + length <= range.length,
  }));
}

/** The greatest number of consecutive bytes that no caller requested. */
function widestGap({ members = [] }: PlannedRead): number {
  let end = 0;
  let widest = 0;
  for (const { start, length } of members.toSorted((a, b) => a.start - b.start)) {
    widest = Math.max(widest, start - end);
    end = Math.max(end, start + length);
  }
  return widest;
}

function lengthOf({ range }: ReadRequest): number {
  return range === undefined || 'suffix' in range ? Number.NaN : range.length;
}
