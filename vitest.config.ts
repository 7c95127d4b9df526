import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

// CI reads results from a file (`.ci/run`): its path is in ZARRQL_TEST_REPORT.
const report = process.env['ZARRQL_TEST_REPORT'];

const browser = ['test/browser/**/*.test.ts'];

/** Tests that replace modules, measure the memory of their process, or start processes that compete with others. */
const alone = [
  'test/{attacks,chaos,memory,packaging}/**/*.test.ts',
  'test/gateway/documents.test.ts',
  'test/http/memory.test.ts',
  'test/zarr/read/collected.test.ts',
  'test/zarr/store/zip-large.test.ts',
  'test/zarr/store/filesystem/root-identity.test.ts',
];

/** Tests that need the build, other processes, ports or packages, or that take long: CONTRIBUTING.md, "Tests". */
const integration = [
  'test/{cli,clients,conformance,docs,examples,fuzz,http,interop,s3}/**/*.test.ts',
  'test/client/{faults,hostile,matrix,package}.test.ts',
  'test/client/codegen/*.test.ts',
  'test/client/transport/revive.test.ts',
  'test/gateway/store-outages.test.ts',
  'test/resolvers/{matrix,matrix-cbor,datasets/dataset-cases,mutations/mutation-matrix}.test.ts',
  'test/types/*.test.ts',
  'test/zarr/replicas.test.ts',
  'test/zarr/read/pool/*.test.ts',
  'test/zarr/store/{filesystem,http,s3}.test.ts',
  'test/zarr/store/filesystem/process-lock.test.ts',
  'test/zarr/store/{http,s3}/*.test.ts',
  'test/zarr/write/{consolidated-bounds,consolidation,sequences}.test.ts',
];

const fixtures = 'test/setup/unpack-fixtures.ts';
const build = 'test/setup/build.ts';

export default defineConfig({
  // package.json's "imports" names sources under this condition, built files elsewhere. Not "module", which Vite adds
  // else: Node is given these conditions too, and what packages have under that one is for bundlers only.
  ssr: { resolve: { conditions: ['zarrql-source', 'node', 'development|production'] } },
  // One copy of graphql: packages outside of Vite's reach load its CommonJS form, as Node does.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    maxWorkers: availableParallelism(),
    testTimeout: 30_000,
    hookTimeout: 60_000,
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
          exclude: [...configDefaults.exclude, ...integration, ...alone, ...browser],
          globalSetup: [fixtures],
          // Files share a process and its modules: to load the engine takes longer than most of these tests.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: integration,
          exclude: [...configDefaults.exclude, ...alone],
          globalSetup: [build, fixtures],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'integration (alone)', include: alone, globalSetup: [build, fixtures] },
      },
      {
        extends: true,
        test: { name: 'browser', include: browser, globalSetup: [build, fixtures] },
      },
    ],
  },
});
