import { defineConfig } from 'vitest/config';

// A file of results for those who count (`.ci/run`): the path stands in ZARRQL_TEST_REPORT.
const report = process.env['ZARRQL_TEST_REPORT'];

export default defineConfig({
  // package.json's "imports" name sources under this condition, built files elsewhere. Not "module", which Vite adds
  // else: Node is given these conditions too, and what packages have under that one is for bundlers only.
  ssr: { resolve: { conditions: ['zarrql-source', 'node', 'development|production'] } },
  // One copy of graphql: packages outside of Vite's reach load its CommonJS form, as Node does.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'dist/**'],
    globalSetup: ['test/setup/unpack-fixtures.ts'],
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
  },
});
