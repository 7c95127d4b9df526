import { expect, test } from 'vitest';
import { parseConfig } from '../../server/config.js';
import { planMemory } from '../../server/memory/plan-memory.js';

const MiB = 2 ** 20;
const config = parseConfig({});
const options = { ...config, ...config.limits, cacheBytes: 256 * MiB };

test('the default depends on the machine, as in docs/operations.md', () => {
  expect(planMemory(options, 1024 * MiB).maxBytes).toBe(Math.floor(0.6 * (1024 - 192 - 256) * MiB));
  expect(planMemory({ ...options, requestMemoryBytes: 500 * MiB }, 1024 * MiB).maxBytes).toBe(500 * MiB);
});

test.each([0.1, 0.5, 1, 2, 4, 16, 64, 512])('with %d GiB, a request within the limits fits', (gib) => {
  const { maxBytes, maxRequestBytes, leastBytes } = planMemory(options, gib * 1024 * MiB);
  expect(maxRequestBytes).toBeGreaterThanOrEqual(leastBytes);
  expect(maxRequestBytes).toBeLessThanOrEqual(maxBytes);
  expect(leastBytes).toBeGreaterThanOrEqual(2 * config.limits.maxOutputBytes);
});
