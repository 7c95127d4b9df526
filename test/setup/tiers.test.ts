import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { alone, browser, integration } from './tiers.js';

const paths = [...alone, ...browser, ...integration];

test('every path of a tier exists', () => {
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

test('no path belongs to two tiers, unless a folder has files that run alone', () => {
  expect(paths.filter((path, i) => paths.indexOf(path) !== i)).toEqual([]);
});
