/** `zarrql codegen` on the command line. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { zarrql } from './running.js';
import { root, sampleStores } from '../docs/samples.js';
import { listen } from '../client/listen.js';
import { fullAccess } from '../../server/index.js';

const gateway = sampleStores();
let server: Awaited<ReturnType<typeof listen>>;
let folder: string;
let headers: (string | null)[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zarrql-codegen-'));
  server = await listen((request) => {
    headers.push(request.headers.get('authorization'));
    return gateway.fetch(request, fullAccess);
  });
});
afterAll(async () => {
  server.close();
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

test('writes a file', async () => {
  headers = [];
  const out = join(folder, 'stores.gen.ts');
  const given = ['--url', server.url, '--out', out, '--header', 'authorization: Bearer secret'];
  const { code, stdout, stderr } = await zarrql([
    'codegen',
    ...given,
    '--runtime',
    '../../../client/index.js',
  ]);
  expect([code, stdout, stderr]).toEqual([0, '', '']);
  expect(await readFile(out, 'utf8')).toBe(
    await readFile(join(root, 'test/types/generated/stores.ts'), 'utf8'),
  );
  expect(new Set(headers)).toEqual(new Set(['Bearer secret']));
});

test('writes one store to stdout', async () => {
  const { code, stdout } = await zarrql(['codegen', '--url', server.url, '--out', '-', '--store', 'etopo20', '--name', 'Relief']); // prettier-ignore
  expect(code).toBe(0);
  expect(stdout).toMatch(/^\/\/ Written by[^]*export interface Relief \{\n {2}readonly etopo20: \{/);
  expect(stdout).not.toContain('coads');
});

test.each([
  [
    ['--url', 'http://127.0.0.1:9/graphql', '--out', '-'],
    1,
    /no response from http:\/\/127\.0\.0\.1:9\/graphql/,
  ],
  [['--out', '-'], 2, /--url/],
  [
    ['--url', 'http://127.0.0.1:9/', '--out', '-', '--header', 'secret'],
    2,
    /--header must have the form "Name: value"/,
  ],
  [['--url', 'http://127.0.0.1:9/', '--out', '-', '--name', 'a b'], 2, /--name is a b/],
])('%j is rejected', async (args, code, message) => {
  const ended = await zarrql(['codegen', ...args]);
  expect([ended.code, ended.stdout]).toEqual([code, '']);
  expect(ended.stderr).toMatch(message);
  expect(ended.stderr).not.toContain('secret');
});
