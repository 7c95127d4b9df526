import { expect, test } from 'vitest';
import { planConfig } from '../../server/cli/plan-config.js';
import { loadConfigWithOrigins } from '../../server/config.js';
import { zarrql } from './running.js';

const MiB = 2 ** 20;
const machine = { bytes: 4096 * MiB, isLimited: false };

function planned(flags: Record<string, string>, memory = machine) {
  const { config, origins } = loadConfigWithOrigins({ flags });
  return planConfig(config, origins, memory, 2);
}

test('set values win, and each value has its origin', () => {
  const { config, origins } = planned({ memory: '1GiB', chunkCacheBytes: '200MiB', maxFirst: '100' });
  expect(config.chunkCacheBytes).toBe(200 * MiB);
  expect(Object.fromEntries(origins)).toMatchObject({
    memory: '--memory',
    chunkCacheBytes: '--chunk-cache-bytes',
    resultCacheBytes: 'derived from memory',
    'limits.maxFirst': '--max-first',
  });
  expect(origins.has('port')).toBe(false);
});

test('the memory is that of the control group', () => {
  const limited = planned({}, { bytes: 512 * MiB, isLimited: true });
  expect(limited.memoryBytes).toBe(512 * MiB);
  expect(limited.origins.get('memory')).toBe('control group');
  expect(limited.config.limits.maxOutputBytes).toBeLessThan(64 * MiB);
});

test('remote stores share a part of the memory', () => {
  const stores = Array.from({ length: 8 }, (_, i) => `s${i}=https://example.org/${i}.zarr`);
  const { config, origins } = loadConfigWithOrigins({
    flags: { memory: '2GiB', stores: [...stores, 'a=/a'] },
  });
  const sizes = planConfig(config, origins, machine, 2).config.stores.map(({ cacheBytes }) => cacheBytes);
  expect(sizes).toEqual([...Array.from({ length: 8 }, () => 29 * MiB), undefined]);
});

test.each<[Record<string, string>, RegExp]>([
  [
    { memory: '1GiB', chunkCacheBytes: '900MiB' },
    /^memory is 1GiB \(--memory\): runtime and threads take 160MiB, caches and jobs \d+MiB, .*these options need 1\d{3}MiB, or lower chunkCacheBytes \(--chunk-cache-bytes\)$/,
  ],
  [{ memory: '128MiB' }, /these options need 2\d\dMiB$/],
  [{ memory: '1GiB', requestMemoryBytes: '900MiB' }, /or lower requestMemoryBytes/],
  [{ chunkCacheBytes: '5GiB' }, /^memory is 4GiB: .* or lower chunkCacheBytes/],
  [{ requestMemoryBytes: '100MiB', maxOutputBytes: '64MiB' }, /requests need at least \d+MiB/],
])('%j is a contradiction', (flags, message) => {
  expect(() => planned(flags)).toThrow(message);
});

test('a small control group prevents no start', () => {
  const { warning, config } = planned({}, { bytes: 128 * MiB, isLimited: true });
  expect(warning).toMatch(/^memory is 128MiB: /);
  expect(config.requestMemoryBytes).toBeGreaterThan(2 * config.limits.maxOutputBytes);
});

test('--print-config shows every value with its origin, and no secrets', async () => {
  const { code, stdout } = await zarrql(
    ['serve', '--print-config', '--memory', '512MiB', '--port', '8080', '--href-key', 'secret-secret-secret'],
    { ZARRQL_MAX_FIRST: '500' },
  );
  expect(code).toBe(0);
  expect(stdout).toMatch(/^memory +512MiB +--memory$/m);
  expect(stdout).toMatch(/^chunkCacheBytes +44MiB +derived from memory$/m);
  expect(stdout).toMatch(/^port +8080 +--port$/m);
  expect(stdout).toMatch(/^limits\.maxFirst +500 +ZARRQL_MAX_FIRST$/m);
  expect(stdout).toMatch(/^host +127\.0\.0\.1 +default$/m);
  expect(stdout).toMatch(/^hrefKeys +\(1\) +--href-key$/m);
  expect(stdout).not.toContain('secret-secret');
});

test('a contradiction ends the program before it listens', async () => {
  const { code, stderr } = await zarrql([
    'serve',
    '--memory',
    '1GiB',
    '--chunk-cache-bytes',
    '2GiB',
    'examples/data/coads.zarr',
  ]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^zarrql: memory is 1GiB \(--memory\): /);
});
