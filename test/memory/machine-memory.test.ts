import { expect, test } from 'vitest';
import { machineMemoryBytes } from '../../server/memory/machine-memory.js';

const GiB = 2 ** 30;

const within = (files: Readonly<Record<string, string>>) =>
  machineMemoryBytes(8 * GiB, (path) => files[path]);

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
  ['nonsense', { '/proc/self/cgroup': 'x\n0::/../..\n', '/sys/fs/cgroup/memory.max': '-1' }, 8 * GiB],
])('%s', (_, files, expected) => {
  expect(within(files)).toBe(expected);
});
