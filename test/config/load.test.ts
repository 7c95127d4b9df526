import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig, parseConfig, suspiciousVariables, optionDescriptions } from '../../server/config.js';
import { configFiles, problemsOf } from './config-files.js';

const { folder, fileOf } = configFiles();

describe('sources', () => {
  test('options and limits have defaults', () => {
    const config = loadConfig({});
    expect(config).toMatchObject({
      stores: [],
      host: '127.0.0.1',
      port: 4000,
      corsOrigins: [],
      graphiql: true,
    });
    expect(config.limits).toEqual({
      maxOutputBytes: 64 * 2 ** 20,
      maxDecodedBytes: 2 ** 30,
      maxReducedBytes: 16 * 2 ** 30,
      maxWork: 10_000_000_000,
      maxChunks: 100_000,
      maxHrefBytes: 2 * 2 ** 30,
      maxFirst: 1000,
      maxTokens: 20_000,
      maxDepth: 32,
      maxAliases: 1000,
      maxRootFields: 500,
      maxFields: 5000,
      maxPositions: 2_000_000,
      maxListedNodes: 500_000,
      maxComplexity: 500_000,
    });
    expect(config.auth).toBeUndefined();
  });

  test.each([
    [{ stores: { sst: { url: '/x' } } }, 'stores', /expected a list of stores, .*, got a mapping$/],
    [{ stores: 'sst=/x' }, 'stores', /expected a list of stores, .*, got "sst=\/x"$/],
    [{ limits: 5 }, 'limits', /expected a mapping of option names to values, got 5$/],
    [{ limits: [1] }, 'limits', /expected a mapping of option names to values, got a list$/],
  ])('a flag does not hide a wrong type in the file: %j', (content, name, message) => {
    const file = fileOf('wrong.yaml', JSON.stringify(content));
    for (const flags of [{}, { stores: ['a=/a'], maxFirst: '200' }]) {
      const [problem, ...others] = problemsOf(() => loadConfig({ file, flags }));
      expect(others).toEqual([]);
      expect(problem).toMatch(new RegExp(`^${name} \\(`));
      expect(problem).toMatch(message);
    }
  });

  test('every option names its key, what was found and what is expected', () => {
    for (const { path } of optionDescriptions) {
      const [outer = '', inner] = path;
      const value = inner === undefined ? {} : { [inner]: {} };
      const problems = problemsOf(() => parseConfig({ [outer]: value }));
      expect(problems, path.join('.')).toHaveLength(1);
      expect(problems[0]?.startsWith(`${path.join('.')}: `), problems[0]).toBe(true);
      expect(problems[0], path.join('.')).toMatch(/expected .*, got a mapping$/);
    }
  });

  test('grants for unknown stores are reported', () => {
    const auth = { roles: { r: { read: ['*', 'sst/a', 'ssst'], write: ['other'] } }, anonymous: ['r'] };
    expect(problemsOf(() => parseConfig({ stores: [{ name: 'sst', url: '/x' }], auth }))).toEqual([
      'auth.roles.r.read: unknown store "ssst"; did you mean "sst"?',
      'auth.roles.r.write: unknown store "other"',
    ]);
  });

  test("paths of keys and documents are relative to the file's folder", () => {
    const auth = { jwt: { jwks: 'keys.json', issuer: 'i', audience: 'a' } };
    const file = fileOf('keys.yaml', JSON.stringify({ persistedDocuments: 'd/documents.json', auth }));
    const config = loadConfig({ file });
    expect(config.persistedDocuments).toBe(join(dirname(file), 'd/documents.json'));
    expect(config.auth?.jwt?.jwks).toBe(join(dirname(file), 'keys.json'));
    const remote = { jwt: { ...auth.jwt, jwks: 'https://issuer.example/keys' } };
    const other = fileOf('remote.yaml', JSON.stringify({ auth: remote }));
    expect(loadConfig({ file: other }).auth?.jwt?.jwks).toBe('https://issuer.example/keys');
  });

  test('flags override the environment, which overrides the file', () => {
    const file = fileOf(
      'a.yaml',
      'port: 1\nhost: a\nlogLevel: warn\nlimits: { maxFirst: 101, maxChunks: 1 }\n',
    );
    const env = { ZARRQL_PORT: '2', ZARRQL_HOST: 'b', ZARRQL_MAX_FIRST: '102' };
    const config = loadConfig({ file, env, flags: { port: '3' } });
    expect(config).toMatchObject({
      port: 3,
      host: 'b',
      logLevel: 'warn',
      limits: { maxFirst: 102, maxChunks: 1 },
    });
  });

  test('stores from the file and from flags are combined', () => {
    const file = fileOf(
      'b.json',
      JSON.stringify({ stores: [{ name: 'a', url: 's3://bucket/x', description: 'A' }] }),
    );
    const config = loadConfig({
      file,
      flags: { stores: ['b=https://example.org/x?a=b'], allowWrite: ['b'] },
    });
    expect(config.stores).toEqual([
      { name: 'a', url: 's3://bucket/x', description: 'A', writable: false },
      { name: 'b', url: 'https://example.org/x?a=b', writable: true },
    ]);
  });

  test("a relative path in a file is relative to the file's folder, a path in a flag to the working folder", () => {
    const file = fileOf('c.yaml', 'stores: [{ name: a, url: data/a.zarr }, { name: m, url: "memory:" }]');
    const config = loadConfig({ file, flags: { stores: ['b=data/b.zarr'] } });
    expect(config.stores.map((store) => store.url)).toEqual([
      join(folder, 'data/a.zarr'),
      'memory:',
      'data/b.zarr',
    ]);
  });

  test('lists in the environment are separated by spaces or commas', () => {
    const env = { ZARRQL_STORES: 'a=/x b=/y', ZARRQL_CORS_ORIGINS: 'https://a.org, https://b.org' };
    const config = loadConfig({ env });
    expect(config.stores.map((store) => store.name)).toEqual(['a', 'b']);
    expect(config.corsOrigins).toEqual(['https://a.org', 'https://b.org']);
  });

  test('ignores the variable that Kubernetes sets for a service named zarrql', () => {
    expect(loadConfig({ env: { ZARRQL_PORT: 'tcp://10.0.0.1:4000' } }).port).toBe(4000);
  });

  test('a misspelt variable is reported, an unrelated one is not', () => {
    const env = { ZARRQL_MAX_FRIST: '1', ZARRQL_REQUIRE_ALL: '1', ZARRQL_PORT: '1', PATH: '' };
    expect(suspiciousVariables(env)).toEqual([['ZARRQL_MAX_FRIST', 'ZARRQL_MAX_FIRST']]);
  });
});

describe('values', () => {
  test.each([
    ['1000', 1000],
    ['64MiB', 64 * 2 ** 20],
    ['1.5 kib', 1536],
    ['2GB', 2e9],
    [4096, 4096],
  ])('%j as a number of bytes is %d', (given, bytes) => {
    expect(
      parseConfig({ maxBodyBytes: given === '1000' ? 2000 : given, limits: { maxOutputBytes: given } })
        .limits,
    ).toMatchObject({
      maxOutputBytes: bytes,
    });
  });

  test.each([
    ['on', true],
    ['0', false],
    ['False', false],
    [true, true],
  ])('%j as a switch is %s', (given, expected) => {
    expect(parseConfig({ graphiql: given }).graphiql).toBe(expected);
  });

  test('public URLs lose their trailing slash, host names are lowercased', () => {
    const config = parseConfig({
      publicUrl: 'https://Example.org/zarr/',
      allowedHosts: ['Data.Example.org'],
    });
    expect(config.publicUrl).toBe('https://Example.org/zarr');
    expect(config.allowedHosts).toEqual(['data.example.org']);
  });
});

describe('errors name the option, its source and a valid value', () => {
  test('reports all errors at once', () => {
    const file = fileOf(
      'bad.yaml',
      'prot: 1\nlimits: { maxfirst: 2, maxOutputBytes: 12 TB }\nlogLevel: loud\n',
    );
    const problems = problemsOf(() => loadConfig({ file, env: { ZARRQL_PORT: '70000' } }));
    expect(problems).toHaveLength(5);
    expect(problems).toContain(`port (ZARRQL_PORT): expected a port from 0 to 65535, got "70000"`);
    expect(problems).toContain(`prot (${file}): unknown option; did you mean "port"?`);
    expect(problems).toContain(`limits.maxfirst (${file}): unknown option; did you mean "maxFirst"?`);
    expect(problems.join('\n')).toMatch(/limits\.maxOutputBytes .*expected a number of bytes .*got "12 TB"/);
    expect(problems.join('\n')).toMatch(/logLevel .*"info".*got "loud"/);
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    [
      'a name with a space',
      { stores: [{ name: 'a b', url: '/x' }] },
      /^stores\.0\.name: expected a name of letters/,
    ],
    ['a name of dots', { stores: [{ name: '..', url: '/x' }] }, /^stores\.0\.name: expected a name/],
    ['a store without a URL', { stores: [{ name: 'a' }] }, /^stores\.0\.url: /],
    [
      'two stores of one name',
      {
        stores: [
          { name: 'a', url: '/x' },
          { name: 'a', url: '/y' },
        ],
      },
      /duplicate name "a"/,
    ],
    [
      'writing to an unknown store',
      { stores: [{ name: 'abc', url: '/x' }], allowWrite: ['abd'] },
      /did you mean "abc"/,
    ],
    ['an origin with a path', { corsOrigins: ['https://a.org/'] }, /^corsOrigins\.0: expected an origin/],
    ['an origin without a scheme', { corsOrigins: ['a.org'] }, /^corsOrigins\.0: expected an origin/],
    ['an address with a query', { publicUrl: 'https://a.org/?x' }, /^publicUrl: expected a URL/],
    ['a malformed address', { publicUrl: 'a.org' }, /^publicUrl: expected a URL/],
    ['a host with a port', { allowedHosts: ['a.org:80'] }, /^allowedHosts\.0: expected a host name/],
    ['a fraction of an item', { limits: { maxFirst: 1.5 } }, /^limits\.maxFirst: expected an integer from 1/],
    [
      'fewer items than a default',
      { limits: { maxFirst: 99 } },
      /^limits\.maxFirst: expected an integer from 100/,
    ],
    ['an invalid switch', { graphiql: 'maybe' }, /^graphiql: expected true or false, got "maybe"/],
  ])('%s', (_, values, message) => {
    expect(problemsOf(() => parseConfig(values)).join('\n')).toMatch(message);
  });

  test.each([
    ['sst', /--store: expected NAME=URL, .*got "sst"/],
    ['=x', /expected NAME=URL/],
    ['sst=', /expected NAME=URL/],
  ])('--store %s', (text, message) => {
    expect(problemsOf(() => loadConfig({ flags: { stores: [text] } })).join()).toMatch(message);
  });

  test('a missing file, invalid YAML and documents other than mappings are errors, an empty file is not', () => {
    expect(problemsOf(() => loadConfig({ file: join(folder, 'none.yaml') })).join()).toMatch(/no such file/);
    expect(problemsOf(() => loadConfig({ file: fileOf('d.yaml', 'a: [') })).join()).toMatch(
      /not valid YAML or JSON/,
    );
    expect(problemsOf(() => loadConfig({ file: fileOf('e.yaml', '- a') })).join()).toMatch(
      /expected a mapping/,
    );
    expect(loadConfig({ file: fileOf('f.yaml', '') }).port).toBe(4000);
  });
});

test('every option has its own variable, flag and description', () => {
  for (const key of ['env', 'flag', 'description'] as const) {
    const texts = optionDescriptions.map((option) => option[key]);
    expect(new Set(texts).size).toBe(texts.length);
  }
  expect(optionDescriptions.map((option) => option.env)).toContain('ZARRQL_MAX_OUTPUT_BYTES');
  expect(optionDescriptions.find((option) => option.path[0] === 'graphiql')?.flag).toBe('no-graphiql');
});

test('the variable of every option is derived from its name, as docs/operations.md states', () => {
  for (const { env, path } of optionDescriptions) {
    const words = (path.at(-1) ?? '').split(/(?=[A-Z])/);
    expect(env).toBe(`ZARRQL_${words.join('_').toUpperCase()}`);
  }
});
