import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isEnough,
  leastMemoryBytes,
  planProcess,
  type ProcessMemoryOptions,
} from '../../server/memory/plan-process.js';

const MiB = 2 ** 20;
const GiB = 2 ** 30;
const options: ProcessMemoryOptions = {
  memoryBytes: GiB,
  isLimited: true,
  processors: 4,
  automaticDocumentBytes: 4 * MiB,
  maxBodyBytes: MiB,
  maxDecodedBytes: GiB,
  given: {},
  runningJobs: 0,
  remoteStores: 0,
  repositories: 0,
  storeCacheBytes: 0,
};

test('the parts of 1 GiB, as in docs/operations.md', () => {
  const { values, runtimeBytes, documentBytes } = planProcess(options);
  expect(runtimeBytes).toBe((120 + 4 * 20) * MiB);
  expect(values).toMatchObject({
    chunkCacheBytes: 103 * MiB,
    resultCacheBytes: 25 * MiB,
    schemaCacheBytes: 25 * MiB,
    metadataCacheBytes: 51 * MiB,
    maxConsolidatedBytes: 12 * MiB,
    decodingThreads: 4,
    maxOutputBytes: 64 * MiB,
  });
  expect(documentBytes).toBe(6 * 12 * MiB);
});

test('everything fits for any memory from the least, with any stores and set values', () => {
  const bytes = (max: number) => fc.option(fc.integer({ min: 1, max }), { nil: undefined });
  const given = fc.record({
    chunkCacheBytes: bytes(2 * GiB),
    resultCacheBytes: bytes(2 * GiB),
    schemaCacheBytes: bytes(GiB),
    metadataCacheBytes: bytes(GiB),
    maxConsolidatedBytes: bytes(GiB),
    decodingThreads: fc.option(fc.integer({ min: 1, max: 64 }), { nil: undefined }),
    maxOutputBytes: bytes(GiB),
  });
  fc.assert(
    fc.property(
      given,
      fc.integer({ min: 0, max: 10 }),
      fc.integer({ min: 0, max: 3 }),
      fc.double({ min: 1, max: 40, noNaN: true }),
      (set, remoteStores, repositories, factor) => {
        const mine = { ...options, given: set, remoteStores, repositories };
        const memoryBytes = Math.ceil(leastMemoryBytes(mine) * factor);
        const plan = planProcess({ ...mine, memoryBytes });
        expect(isEnough(plan)).toBe(true);
        const { runtimeBytes, cacheBytes, documentBytes, values } = plan;
        expect(runtimeBytes + cacheBytes + documentBytes + values.requestMemoryBytes).toBeLessThanOrEqual(
          memoryBytes,
        );
        for (const [name, value] of Object.entries(set))
          if (value !== undefined) expect(values).toMatchObject({ [name]: value });
      },
    ),
  );
});

test('one mebibyte below the least is not enough', () => {
  const least = leastMemoryBytes(options);
  expect(least).toBeLessThan(320 * MiB);
  expect(isEnough(planProcess({ ...options, memoryBytes: least - 2 * MiB }))).toBe(false);
});

test('less memory means fewer threads and a lower limit of a response', () => {
  const { values } = planProcess({ ...options, memoryBytes: 300 * MiB });
  expect(values.decodingThreads).toBe(1);
  expect(values.maxOutputBytes).toBeLessThan(64 * MiB);
  expect(planProcess({ ...options, memoryBytes: 16 * GiB, processors: 32 }).values.decodingThreads).toBe(32);
});

test('without a limit, other programs use the memory too: caches do not grow with it', () => {
  const large = { ...options, memoryBytes: 64 * GiB };
  expect(planProcess(large).values.chunkCacheBytes).toBeGreaterThan(7 * GiB);
  expect(planProcess({ ...large, isLimited: false }).values.chunkCacheBytes).toBe(256 * MiB);
});
