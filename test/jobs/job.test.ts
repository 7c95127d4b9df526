import { expect, test } from 'vitest';
import { digestOfPlan, parseJob } from '../../server/jobs/job.js';

const copy = {
  kind: 'copy',
  source: { store: 'a', path: '/x', steps: [] },
  destination: { store: 'b', path: '/x' },
  options: {},
};

test('jobs are plain data, also after a journey as JSON', () => {
  const job = parseJob({
    ...copy,
    options: { chunks: [1, 2], shards: { x: 4 }, codecs: [{ name: 'zstd' }], format: 3 },
  });
  expect(parseJob(JSON.parse(JSON.stringify(job)))).toEqual(job);
});

test('jobs with unknown, missing or too large members are rejected', () => {
  const bad: readonly unknown[] = [
    undefined,
    null,
    [],
    'copy',
    { ...copy, kind: 'delete' },
    { ...copy, extra: 1 },
    { ...copy, source: { ...copy.source, store: '' } },
    { ...copy, source: { ...copy.source, steps: [{ run: 'x' }] } },
    { ...copy, source: { ...copy.source, steps: Array.from({ length: 65 }, () => ({ field: 'a' })) } },
    { ...copy, source: { ...copy.source, path: 'x'.repeat(5000) } },
    { ...copy, destination: undefined },
    { ...copy, options: { chunks: [0] } },
    { ...copy, options: { chunks: [1.5] } },
    { ...copy, options: { chunks: Array.from({ length: 65 }, () => 1) } },
    { ...copy, options: { shards: { '': 1 } } },
    { ...copy, options: { format: 4 } },
    { ...copy, options: { codecs: 'x'.repeat(70_000) } },
    { ...copy, options: { fillValue: NaN } },
    { ...copy, options: { fillValue: () => 1 } },
    { ...copy, source: { ...copy.source, compute: 'a + b', decode: { maskOutOfRange: false } } },
    { ...copy, kind: 'reduce' },
    { ...copy, kind: 'pyramid', options: { levels: 100 } },
    { kind: 'statistics', source: copy.source, destination: copy.destination },
  ];
  for (const job of bad) expect(() => parseJob(job), JSON.stringify(job)).toThrow(/job|compute/);
  expect(() => parseJob({ ...copy, options: { chunks: [0] } })).toThrow('"options.chunks.0"');
});

test('the digest does not depend on the order of members', () => {
  expect(digestOfPlan({ a: 1, b: { c: [1], d: 2n } })).toBe(digestOfPlan({ b: { d: 2n, c: [1] }, a: 1 }));
  expect(digestOfPlan({ a: 1 })).not.toBe(digestOfPlan({ a: 2 }));
});
