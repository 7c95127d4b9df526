/** Parts of files that are read together. */
import { expect, test } from 'vitest';
import { crc32 } from '#crc';
import type { FilePart, ReadRequest, ReadResult } from '../../server/store/store.js';
import { readSpan, sortedByFile, spansOf, type Span, type SpanChunk } from '../../server/threads/spans.js';

function part(file: string, offset: number, length?: number, fileVersion?: string): { part: FilePart } {
  return { part: { file, offset, length, fileVersion, version: undefined, crc: undefined } };
}

function requests(parts: readonly { part: FilePart }[]): ReadRequest[] {
  return spansOf(sortedByFile(parts), (_, place) => place).map(({ request }) => request);
}

test('neighbours in a file are read together, in the order of their offsets', () => {
  const parts = [part('a', 300, 100), part('b', 0, 50), part('a', 100, 100)];
  expect(requests(parts)).toEqual([
    { key: 'a', range: { offset: 100, length: 300 } },
    { key: 'b', range: { offset: 0, length: 50 } },
  ]);
  const [first] = spansOf(sortedByFile(parts), (_, place) => place);
  expect(first?.chunks.map(({ start, length }) => [start, length])).toEqual([
    [0, 100],
    [200, 100],
  ]);
});

test.each<[string, readonly { part: FilePart }[]]>([
  ['whole files', [part('a', 0), part('b', 0)]],
  ['parts with a large gap', [part('a', 0, 10), part('a', 5000, 10)]],
  ['parts of different versions', [part('a', 0, 10, '1'), part('a', 10, 10, '2')]],
  ['parts that are too large together', [part('a', 0, 2 ** 19), part('a', 2 ** 19, 1)]],
])('%s are read separately', (_, parts) => {
  expect(requests(parts)).toHaveLength(2);
});

test('a part that overlaps an earlier one is read with it', () => {
  expect(requests([part('a', 0, 100), part('a', 50, 10)])).toEqual([
    { key: 'a', range: { offset: 0, length: 100 } },
  ]);
});

const bytes = Uint8Array.from({ length: 100 }, (_, i) => i);

function storedOf(chunks: readonly SpanChunk[], read: () => ReadResult | 'elsewhere'): unknown[] {
  const span: Span = { request: { key: 'a' }, chunks };
  const all: unknown[] = [];
  const tally = { requests: 0, bytes: 0 };
  readSpan(span, read, { maxBytes: undefined, pool: undefined }, tally, (_, stored) => all.push(stored));
  return all;
}

const place = (start: number, length: number | undefined, crc?: number): SpanChunk => ({
  start,
  length,
  crc,
});

test('a chunk has the bytes of its part of the span', () => {
  expect(storedOf([place(0, 10), place(20, 5)], () => ({ bytes }))).toEqual([
    bytes.subarray(0, 10),
    bytes.subarray(20, 25),
  ]);
  expect(storedOf([place(0, undefined, crc32(bytes))], () => ({ bytes }))).toEqual([bytes]);
});

test.each<[string, SpanChunk, () => ReadResult | 'elsewhere', unknown]>([
  ['a missing file is an absent chunk', place(0, undefined), () => undefined, 'absent'],
  ['a missing file does not make its part absent', place(0, 10), () => undefined, undefined],
  ['a truncated part', place(90, 20), () => ({ bytes }), undefined],
  ['a wrong checksum', place(0, 10, 7), () => ({ bytes }), undefined],
  ['a file that only the store can read', place(0, undefined), () => 'elsewhere', undefined],
  [
    'an error',
    place(0, undefined),
    () => {
      throw new Error('broken disk');
    },
    undefined,
  ],
])('%s', (_, chunk, read, expected) => {
  expect(storedOf([chunk], read)).toEqual([expected]);
});
