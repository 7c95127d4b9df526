import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { alone, browser, integration, longest, testFiles } from './test/setup/tiers.js';

// `.ci/run` reads the results from the file with this path.
const report = process.env['ZARRQL_TEST_REPORT'];

// The cached modules contain the targets of "imports" in package.json, so the cache depends on that file.
const imports = createHash('sha256').update(readFileSync('package.json')).digest('hex').slice(0, 12);

/** Starts the longest files first, so that no worker waits for one of them at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number =>
      longest.findIndex((file) => moduleId.endsWith(file)) + 1 || longest.length + 1;
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

const fixtures = 'test/setup/unpack-fixtures.ts';
const build = 'test/setup/build.ts';
const clients = 'test/setup/clients.ts';

// The condition "zarrql-source" resolves "imports" in package.json to sources instead of built files. The others are
// Node's own, so that modules that Vite transforms and modules that Node loads share one copy of each package.
const conditions = ['zarrql-source', 'node', 'module-sync'];

export default defineConfig({
  ssr: { resolve: { conditions } },
  // The environment of the global set-ups, which unpack the sample stores with the engine.
  environments: { __vitest__: { resolve: { conditions } } },
  test: {
    sequence: { sequencer: LongestFirst },
    // Many tests wait for other programs, browsers and timers.
    maxWorkers: availableParallelism() + 1,
    // Projects and runs share the compiled modules.
    fsModuleCache: true,
    fsModuleCachePath: `.cache/vitest/${imports}`,
    // Ends hanging tests. Some take seconds on an idle machine, and much longer on a busy one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: ['test/setup/typed-arrays.ts'],
    // Allows for conditions that hold late on a busy machine.
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
          globalSetup: [fixtures, clients],
          // Files share a process and its modules, because loading the engine takes longer than most of these tests.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: testFiles(integration),
          exclude: [...configDefaults.exclude, ...testFiles(alone)],
          globalSetup: [build, fixtures, clients],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration (alone)',
          include: testFiles(alone),
          globalSetup: [build, fixtures],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: testFiles(browser),
          globalSetup: [build, fixtures],
        },
      },
    ],
  },
});
