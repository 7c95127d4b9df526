import { expect, test } from 'vitest';
import { parseConfig } from '../../server/config.js';
import { planMemory } from '../../server/memory/plan-memory.js';
import { machineMemory } from '../../server/memory/machine-memory.js';

const MiB = 2 ** 20;
const config = parseConfig({});
const options = { ...config, ...config.limits, cacheBytes: 256 * MiB };

test('the default of an embedded gateway depends on the machine', () => {
  expect(planMemory(options, 1024 * MiB).maxBytes).toBe(Math.floor(0.6 * (1024 - 192 - 256) * MiB));
  expect(planMemory({ ...options, requestMemoryBytes: 500 * MiB }, 1024 * MiB).maxBytes).toBe(500 * MiB);
});

test.each([0.1, 0.5, 1, 2, 4, 16, 64, 512])('with %d GiB, a request within the limits fits', (gib) => {
  const { maxBytes, maxRequestBytes, leastBytes } = planMemory(options, gib * 1024 * MiB);
  expect(maxRequestBytes).toBeGreaterThanOrEqual(leastBytes);
  expect(maxRequestBytes).toBeLessThanOrEqual(maxBytes);
  expect(leastBytes).toBeGreaterThanOrEqual(2 * config.limits.maxOutputBytes);
});

const GiB = 2 ** 30;

const within = (files: Readonly<Record<string, string>>) =>
  machineMemory(8 * GiB, (path) => files[path]).bytes;

test.each<[string, Record<string, string>, number]>([
  ['no groups', {}, 8 * GiB],
  [
    'version 2, in a container',
    { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/memory.max': `${GiB}\n` },
    GiB,
  ],
  [
    'version 2, bounded by a group above',
    {
      '/proc/self/cgroup': '0::/a/b\n',
      '/sys/fs/cgroup/a/b/memory.max': 'max\n',
      '/sys/fs/cgroup/a/memory.max': `${2 * GiB}\n`,
    },
    2 * GiB,
  ],
  [
    'version 1',
    {
      '/proc/self/cgroup': '8:cpu:/x\n4:memory:/x/y\n0::/\n',
      '/sys/fs/cgroup/memory/x/y/memory.limit_in_bytes': `${GiB / 2}\n`,
      '/sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n',
    },
    GiB / 2,
  ],
  [
    'more than the machine has',
    { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/memory.max': `${64 * GiB}` },
    8 * GiB,
  ],
  ['invalid files', { '/proc/self/cgroup': 'x\n0::/../..\n', '/sys/fs/cgroup/memory.max': '-1' }, 8 * GiB],
])('the limit of control groups: %s', (_, files, expected) => {
  expect(within(files)).toBe(expected);
});
