import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { alone, browser, integration, testFiles } from './test/setup/tiers.js';

// CI reads results from a file (`.ci/run`): its path is in ZARRQL_TEST_REPORT.
const report = process.env['ZARRQL_TEST_REPORT'];

// Compiled modules contain the files that package.json's "imports" name.
const imports = createHash('sha256').update(readFileSync('package.json')).digest('hex').slice(0, 12);

const fixtures = 'test/setup/unpack-fixtures.ts';
const build = 'test/setup/build.ts';

export default defineConfig({
  // package.json's "imports" names sources under this condition, built files elsewhere. Not "module", which Vite adds
  // else: Node is given these conditions too, and what packages have under that one is for bundlers only.
  ssr: { resolve: { conditions: ['zarrql-source', 'node', 'development|production'] } },
  // One copy of graphql: packages outside of Vite's reach load its CommonJS form, as Node does.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    // Many tests wait for other programs, browsers and timers.
    maxWorkers: availableParallelism() + 1,
    // The projects share the compiled modules, and runs reuse them.
    experimental: { fsModuleCache: true, fsModuleCachePath: `.cache/vitest/${imports}` },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    setupFiles: ['test/setup/typed-arrays.ts'],
    // A condition that comes true late, on a loaded machine, is no failure.
    expect: { poll: { timeout: 20_000 } },
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
    reporters: report === undefined ? ['default'] : ['default', 'json'],
    ...(report === undefined ? {} : { outputFile: { json: report } }),
    coverage: {
      provider: 'v8',
      include: ['server/**/*.ts', 'client/**/*.ts', 'wire/**/*.ts'],
      exclude: ['**/generated/**'],
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...testFiles([...integration, ...alone, ...browser])],
          globalSetup: [fixtures],
          // Files share a process and its modules: to load the engine takes longer than most of these tests.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: testFiles(integration),
          // Ends a test that hangs. Some take seconds alone, and much longer beside other programs.
          testTimeout: 120_000,
          exclude: [...configDefaults.exclude, ...testFiles(alone)],
          globalSetup: [build, fixtures],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration (alone)',
          include: testFiles(alone),
          testTimeout: 120_000,
          globalSetup: [build, fixtures],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: testFiles(browser),
          testTimeout: 120_000,
          globalSetup: [build, fixtures],
        },
      },
    ],
  },
});
