import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, onTestFinished, vi } from 'vitest';
import { openOptionsOf } from '../../server/cli/store-options.js';
import { loadConfig, parseConfig } from '../../server/config.js';
import { configFiles, problemsOf } from './config-files.js';

const { folder, fileOf } = configFiles();

const web = { name: 'w', url: 'https://example.org/x.zarr' };

const disk = { name: 'd', url: '/data/x.zarr' };

test('every option of a store reaches the engine', () => {
  const file = fileOf(
    'all.yaml',
    `
stores:
  - name: d
    url: x.zarr
    writable: on
    maxAgeMs: 5
    cacheBytes: 1 MiB
    concurrency: 3
    filesystem: { fsync: true, lock: on, followLinks: false }
  - name: w
    url: https://example.org/x.zarr
    retries: 0
    deadlineMs: 2500
    http:
      headers:
        Accept-Language: de
        Authorization: { env: TOKEN, prefix: 'Bearer ' }
        X-Api-Key: { file: secrets/key }
      firstByteMs: 1000
      stallMs: 2000
      maxRedirects: 0
      forbiddenMeansAbsent: true
  - name: s
    url: s3://bucket/x.zarr
    s3:
      endpoint: http://127.0.0.1:9000/
      region: eu-west-1
      pathStyle: true
      anonymous: false
      profile: p
      hedge: off
      requesterPays: true
      forbiddenMeansAbsent: on
      credentials: { accessKeyId: { env: KEY }, secretAccessKey: { file: /s }, sessionToken: { env: SESSION } }
`,
  );
  const { stores } = loadConfig({ file });
  const [onDisk, onWeb, onS3] = stores;
  if (onDisk === undefined || onWeb === undefined || onS3 === undefined) expect.unreachable();
  expect(openOptionsOf(onDisk, {}, 60_000)).toEqual({
    readonly: false,
    maxAgeMs: 5,
    cacheBytes: 2 ** 20,
    concurrency: 3,
    deadlineMs: 15_000,
    filesystem: { fsync: true, lock: true, followLinks: false },
  });
  expect(onWeb.http?.headers?.['X-Api-Key']).toEqual({ file: join(folder, 'secrets/key') });
  expect(onS3.s3).toMatchObject({
    endpoint: 'http://127.0.0.1:9000',
    hedge: false,
    credentials: { secretAccessKey: { file: '/s' } },
  });
  writeFileSync(join(folder, 'key'), 'from a file\n');
  const withKey = {
    ...onWeb,
    http: { ...onWeb.http, headers: { 'X-Api-Key': { file: join(folder, 'key') } } },
  };
  expect(openOptionsOf(withKey, {}, 60_000).http?.headers).toEqual({ 'X-Api-Key': 'from a file' });
  const plain = { 'Accept-Language': 'de', Authorization: { env: 'TOKEN', prefix: 'Bearer ' } };
  expect(
    openOptionsOf({ ...onWeb, http: { ...onWeb.http, headers: plain } }, { TOKEN: 't' }, 60_000),
  ).toEqual({
    readonly: true,
    retries: 0,
    deadlineMs: 2500,
    http: {
      headers: { 'Accept-Language': 'de', Authorization: 'Bearer t' },
      firstByteMs: 1000,
      stallMs: 2000,
      maxRedirects: 0,
      forbiddenMeansAbsent: true,
    },
  });
});

describe('errors', () => {
  test.each<[string, Record<string, unknown>, string]>([
    [
      'a misspelt option',
      { ...disk, maxAgeMS: 1 },
      'stores.0.maxAgeMS: unknown option; did you mean "maxAgeMs"?',
    ],
    [
      'a misspelt option in a group',
      { ...web, http: { header: {} } },
      'stores.0.http.header: unknown option; did you mean "headers"?',
    ],
    [
      'an option a level too high',
      { ...disk, fsync: true },
      'stores.0.fsync: unknown option; did you mean "filesystem.fsync"?',
    ],
    [
      'options for another kind of store',
      { ...disk, s3: { region: 'x' } },
      'stores.0.s3: these options are for s3: URLs; this store has a URL of another kind',
    ],
    [
      'a number out of bounds',
      { ...disk, concurrency: 0 },
      'stores.0.concurrency: expected an integer from 1 to 1024, got 0',
    ],
    [
      'an invalid header name',
      { ...web, http: { headers: { 'a b': 'x' } } },
      'stores.0.http.headers.a b: invalid header name',
    ],
    [
      'a header that the store sets',
      { ...web, http: { headers: { Range: 'x' } } },
      'stores.0.http.headers.Range: this header is set by the store itself',
    ],
    [
      'a header with a line break',
      { ...web, http: { headers: { Accept: 'x\r\nHost: y' } } },
      'stores.0.http.headers.Accept: the value has characters that are not allowed in headers',
    ],
    [
      'a list as a header',
      { ...web, http: { headers: { Accept: ['x'] } } },
      'stores.0.http.headers.Accept: expected text, or its source: use { env: NAME } for an environment variable, or { file: PATH } for a file that contains it',
    ],
  ])('%s', (_, store, problem) => {
    expect(problemsOf(() => parseConfig({ stores: [store] }))).toEqual([problem]);
  });
});

test('the deadline of a store must be less than the request timeout, and is so by default', () => {
  const [store] = parseConfig({ stores: [{ ...web, deadlineMs: 5000 }] }).stores;
  const [standard] = parseConfig({ stores: [web] }).stores;
  if (store === undefined || standard === undefined) expect.unreachable();
  expect(openOptionsOf(store, {}, 5001).deadlineMs).toBe(5000);
  expect(problemsOf(() => openOptionsOf(store, {}, 5000))).toEqual([
    'store "w": deadlineMs (5000) must be less than requestTimeoutMs (5000), so that a store that hangs fails only its own fields',
  ]);
  expect(openOptionsOf(standard, {}, 60_000).deadlineMs).toBe(15_000);
  expect(openOptionsOf(standard, {}, 1000).deadlineMs).toBe(250);
});

test('values of another type are described, and not repeated if they may be secret', () => {
  const problems = (text: string) =>
    problemsOf(() => loadConfig({ file: fileOf('kinds.yaml', text) })).join();
  const mapping = problems(
    'stores:\n  w: { url: "https://x/", http: { headers: { Authorization: Bearer hush } } }\n',
  );
  expect(mapping).toMatch(
    /stores \(.*\): expected a list of stores, each with its `name` and `url`, got a mapping$/,
  );
  expect(problems('stores: [a=/data]')).toMatch(/expected the `name` and `url` of a store, got "a=\/data"$/);
  expect(problems('stores: [{ url: /data }]')).toMatch(
    /stores\.0\.name \(.*\): is missing; expected a text$/,
  );
  expect(problems('stores: [{ name: a, url: 5 }]')).toMatch(/stores\.0\.url \(.*\): expected a text, got 5$/);
  expect(problems('stores: [{ name: a, url: s3://b/x, s3: hush }]')).toMatch(
    /expected a mapping of option names to values/,
  );
  expect(problems('stores: [{ name: a, url: /data, s3: { profile: hush } }]')).not.toMatch(/hush/);
});

test.each([
  ['{ name: a, url: s3://b/x, s3: { retrys: 3 } }', 'stores.0.retries'],
  ['{ name: a, url: s3://b/x, s3: { anon: true } }', 'anonymous'],
  ['{ name: a, url: s3://b/x, anon: true }', 's3.anonymous'],
  ['{ name: a, url: s3://b/x, cache: 5 }', 'cacheControl'],
])('%s: suggests the intended option', (store, meant) => {
  const problems = problemsOf(() => loadConfig({ file: fileOf('near.yaml', `stores: [${store}]`) }));
  expect(problems.join()).toMatch(`did you mean "${meant}"?`);
});

// Secrets in the configuration of stores.

const bucket = { name: 's', url: 's3://bucket/x.zarr' };

describe('secrets', () => {
  const secret = 'hunter2';
  const role = { read: ['*'] };
  const sha256 = 'a'.repeat(64);
  const token = { name: 'a', sha256, roles: ['r'] };
  test.each<[string, Record<string, unknown>]>([
    ['a short key for links', { hrefKeys: [secret] }],
    ['a key instead of a list', { hrefKeys: secret }],
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
  ])('credentials %s are not repeated', (_, credentials) => {
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
      'store "w": http.headers.A: the variable NONE is not set, or is empty',
      'store "w": http.headers.B: the file ./none cannot be read',
      'store "w": http.headers.C: the secret contains characters that are not allowed in this option',
      'store "w": http.headers.D: the file ./empty is empty',
    ]);
  });
});
