import { buildSchema, parse, print } from 'graphql';
import { expect, onTestFinished, test } from 'vitest';
import { fullAccess } from '../../server/index.js';
import { sampleStores } from '../docs/format-samples.js';
import { zarrql } from './running.js';

test('hints are sizes, chunks, and the first and last labels, and nothing else changes', async () => {
  const gateway = sampleStores();
  onTestFinished(() => gateway.close());
  const store = gateway.as(fullAccess).forStore('coads');
  const plain = await store.sdl();
  const { code, stdout } = await zarrql(['schema', 'examples/data/coads.zarr', '--hints']);
  expect(code).toBe(0);
  const fields = buildSchema(stdout).getQueryType()?.getFields();
  expect(fields?.['SST']?.description).toMatch(/; float32\. Shape 12 x 90 x 180, chunks [\dx ]+\.$/);
  expect(fields?.['COADSX']?.description).toMatch(/Shape 180, chunks 180\. From 21 to 379\.$/);
  expect(fields?.['TIME']?.description).toMatch(/From 0000-01-16T06:00:00 to 0000-12-16T01:20:06\.$/);
  const withoutHints = stdout.replaceAll(/ (?:A single value|Shape [\dx ]+, chunks [\dx ]+(?:\. From [^ ]+ to [^ ]+)?)\.$/gm, ''); // prettier-ignore
  const normal = (sdl: string): string => print(parse(sdl)).replaceAll(/"""\s*([^"]*?)\s*"""/g, '"""$1"""');
  expect(normal(withoutHints.replaceAll(/ (?:Shape [\dx ]+, chunks [\dx ]+(?:\. From [^ ]+ to [^ ]+)?)\."""/g, '"""'))).toBe(normal(plain)); // prettier-ignore
});

test.each([
  [['schema', '--hints'], '--hints requires the path or URL of a store'],
  [
    ['schema', 'examples/data/coads.zarr', '--hints', '--diff', 'x'],
    '--hints is only for the printed schema',
  ],
])('%j is rejected', async (args, message) => {
  const { code, stderr } = await zarrql(args);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});
