import { existsSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { alone, browser, crossCutting, integration } from './tiers.js';

const paths = [...alone, ...browser, ...integration];

test('every path of a tier exists', () => {
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

test('no path is listed twice', () => {
  expect(paths.filter((path, i) => paths.indexOf(path) !== i)).toEqual([]);
});

test('tests mirror the source tree', () => {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.test.ts') && !crossCutting.includes(file.split('/')[0] ?? ''));
  expect(files.length).toBeGreaterThan(200);
  expect(files.filter((file) => !sourcesOf(file).some((path) => existsSync(path)))).toEqual([]);
});

/** `zarr/store/s3.faults.test.ts` tests `server/store/s3.ts`, or the folder of that name. */
function sourcesOf(file: string): string[] {
  const [path = ''] = /^(?:[\w-]+\/)*[\w-]+/.exec(file) ?? [];
  const inside = path.replace(/^explorer\//, 'explorer/src/');
  return [`server/${path}`, path, inside].flatMap((source) => [
    source,
    ...['ts', 'tsx', 'mjs', 'json'].map((extension) => `${source}.${extension}`),
  ]);
}
