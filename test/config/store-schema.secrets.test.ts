/** Secrets in the configuration of stores. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openOptionsOf } from '../../server/cli/store-options.js';
import { loadConfig, parseConfig } from '../../server/config.js';
import { configFiles, problemsOf } from './config-files.js';

const { folder, fileOf } = configFiles();

const web = { name: 'w', url: 'https://example.org/x.zarr' };

const bucket = { name: 's', url: 's3://bucket/x.zarr' };

describe('secrets', () => {
  const secret = 'hunter2';
  const role = { read: ['*'] };
  const sha256 = 'a'.repeat(64);
  const token = { name: 'a', sha256, roles: ['r'] };
  test.each<[string, Record<string, unknown>]>([
    ['a short key for links', { hrefKeys: [secret] }],
    ['a key that is not a list', { hrefKeys: secret }],
    ['keys by name', { hrefKeys: { [secret]: secret } }],
    ['a token instead of its hash', { auth: { roles: { r: role }, tokens: [{ ...token, sha256: secret }] } }],
    ['a token instead of its description', { auth: { roles: { r: role }, tokens: [secret] } }],
    ['a token instead of the list', { auth: { roles: { r: role }, tokens: secret } }],
    ['a token instead of all', { auth: secret }],
    ['a token as a role', { auth: { roles: { r: role }, tokens: [{ ...token, roles: [secret] }] } }],
    ['a token as the roles', { auth: { roles: { r: role }, tokens: [{ ...token, roles: secret }] } }],
    ['a token as a role of everybody', { auth: { roles: { r: role }, anonymous: [secret] } }],
    ['a token as a time', { auth: { roles: { r: role }, tokens: [{ ...token, expires: secret }] } }],
    ['a token as an option', { auth: { roles: { r: role }, tokens: [{ ...token, [secret]: true }] } }],
    ['a token as a switch', { auth: { roles: { r: { ...role, metrics: secret } }, tokens: [token] } }],
    [
      'a secret as an algorithm',
      { auth: { jwt: { jwks: 'k', issuer: 'i', audience: 'a', algorithms: [secret] } } },
    ],
  ])('%s is not repeated', (_, values) => {
    const problems = problemsOf(() => parseConfig(values));
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.join('\n')).not.toContain(secret);
  });

  test.each(['*hunter2', '"hunter2', '&hunter2 a\n  b: c\n d', '!hunter2 {', '{ hunter2: [', '%hunter2'])(
    'they are not repeated if a file is not YAML (%j)',
    (text) => {
      const warned = vi.spyOn(process, 'emitWarning');
      onTestFinished(() => warned.mockRestore());
      const problems = problemsOf(() => loadConfig({ file: fileOf('broken.yaml', `hrefKeys: ${text}`) }));
      expect(warned).not.toHaveBeenCalled();
      expect(problems.join('\n')).not.toContain(secret);
    },
  );

  test.each<[string, Record<string, unknown>, string]>([
    [
      'a header',
      { ...web, http: { headers: { Authorization: 'Bearer hunter2' } } },
      'http.headers.Authorization',
    ],
    [
      'a key in a header',
      { ...web, http: { headers: { 'x-api-key': 'hunter2' } } },
      'http.headers.x-api-key',
    ],
    [
      'a key of S3',
      { ...bucket, s3: { credentials: { accessKeyId: 'hunter2', secretAccessKey: { env: 'X' } } } },
      's3.credentials.accessKeyId',
    ],
  ])('a literal value of %s is rejected without repeating it', (_, store, option) => {
    const problems = problemsOf(() => parseConfig({ stores: [store] }));
    expect(problems).toEqual([
      `stores.0.${option}: a secret must not be in the configuration; use { env: NAME } for an environment variable, or { file: PATH } for a file that contains it`,
    ]);
  });

  test.each<[string, unknown]>([
    ['of the wrong form', 'hunter2:hunter2'],
    ['under another name', { accesKeyId: 'hunter2', secretAccessKey: { env: 'A' } }],
    ['in a source', { accessKeyId: { value: 'hunter2' }, secretAccessKey: ['hunter2'] }],
  ])('%s are not repeated either', (_, credentials) => {
    const problems = problemsOf(() => parseConfig({ stores: [{ ...bucket, s3: { credentials } }] }));
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.join('\n')).not.toContain('hunter2');
    const inFlag = problemsOf(() => loadConfig({ flags: { stores: ['https://me:hunter2@example.org/x'] } }));
    expect(inFlag.join('\n')).toContain('expected NAME=URL');
    expect(inFlag.join('\n')).not.toContain('hunter2');
  });

  test('that are missing or invalid in a header are all reported', () => {
    writeFileSync(join(folder, 'lines'), 'hunter2\nhunter3');
    writeFileSync(join(folder, 'empty'), '\n');
    const headers = {
      A: { env: 'NONE' },
      B: { file: join(folder, 'none') },
      C: { file: join(folder, 'lines') },
      D: { file: join(folder, 'empty') },
    };
    const [store] = parseConfig({ stores: [{ ...web, http: { headers } }] }).stores;
    if (store === undefined) expect.unreachable();
    const problems = problemsOf(() => openOptionsOf(store, {}, 60_000));
    expect(problems.map((problem) => problem.replace(folder, '.'))).toEqual([
      'store "w": http.headers.A: the variable NONE is not set',
      'store "w": http.headers.B: the file ./none cannot be read',
      'store "w": http.headers.C: the secret contains characters that are not allowed in this option',
      'store "w": http.headers.D: the file ./empty is empty',
    ]);
  });
});
