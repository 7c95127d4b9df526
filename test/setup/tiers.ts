/** Assigns test files and folders to tiers (CONTRIBUTING.md, "Tests"). */

export const browser: readonly string[] = ['test/browser'];

/**
 * Tests that replace modules, measure process memory, count all timers of the process, or start competing processes.
 * Work of another file of the same process that has not ended sets timers, too.
 */
export const alone: readonly string[] = [
  'test/attacks',
  'test/chaos',
  'test/gateway/pipeline/documents.test.ts',
  'test/http/server.memory.test.ts',
  'test/memory',
  'test/packaging',
  'test/chunks/read/read.collected.test.ts',
  'test/store/filesystem/root.test.ts',
  'test/store/s3/hedge.test.ts',
  'test/store/zip/entry.test.ts',
];

/** Files that start before all others, because each takes longer than a minute on its own. */
export const longest: readonly string[] = [
  'test/packaging/clone.test.ts',
  'test/packaging/install.test.ts',
  'test/chaos/chaos.test.ts',
  'test/attacks/variable-length.test.ts',
];

/** Slow tests, and tests that need the build, child processes, ports or packages. */
export const integration: readonly string[] = [
  'test/cli',
  'test/cli.compile-cache.test.ts',
  'test/client/client.hostile.test.ts',
  'test/client/client.matrix.test.ts',
  'test/client/codegen',
  'test/client/transport/http.hostile.test.ts',
  'test/client/transport/http.faults.test.ts',
  'test/client/transport/revive.test.ts',
  'test/clients',
  'test/conformance',
  'test/dataset/decode/plan-decoding.fixtures.test.ts',
  'test/dataset/decoded-slice.test.ts',
  'test/docs',
  'test/examples',
  'test/fuzz',
  'test/gateway/answers/answers.processes.test.ts',
  'test/gateway.replicas.test.ts',
  'test/gateway.store-outages.test.ts',
  'test/http',
  'test/interop',
  'test/jobs/queue/job-queue.test.ts',
  'test/jobs/queue/shared-jobs.test.ts',
  'test/jobs/queue/shared-records.test.ts',
  'test/redis',
  'test/resolvers/changes/redis-change-bus.test.ts',
  'test/resolvers/datasets/dataset.cases.test.ts',
  'test/resolvers/mutation.matrix.test.ts',
  'test/resolvers.matrix.test.ts',
  'test/types',
  'test/zarr/hierarchy.replicas.test.ts',
  'test/chunks/read/direct-read.failures.test.ts',
  'test/chunks/read/direct-read.kept.test.ts',
  'test/chunks/read/direct-read.lost-threads.test.ts',
  'test/chunks/read/direct-read.matrix.test.ts',
  'test/chunks/read/direct-read.reductions.test.ts',
  'test/chunks/read/direct-read.serial.test.ts',
  'test/chunks/read/direct-read.values.test.ts',
  'test/chunks/read/direct-read.zip.test.ts',
  'test/threads',
  'test/chunks/read/read.chunk-lengths.test.ts',
  'test/chunks/read/read.large.test.ts',
  'test/slices/mapped/reduced-slice.test.ts',
  'test/store/azure.test.ts',
  'test/store/cloud',
  'test/store/filesystem.test.ts',
  'test/store/filesystem/process-lock.processes.test.ts',
  'test/store/filesystem/process-lock.test.ts',
  'test/store/gcs.test.ts',
  'test/store/http/transport.test.ts',
  'test/store/http.contract.test.ts',
  'test/store/http.ignored-ranges.test.ts',
  'test/store/http.requests.test.ts',
  'test/store/http.test.ts',
  'test/store/references.hostile.test.ts',
  'test/store/references.test.ts',
  'test/store/s3',
  'test/zarr/write/update-consolidated.bounds.test.ts',
  'test/zarr/write/update-consolidated.test.ts',
  'test/chunks/write/write-region.sequences.test.ts',
];

/** Globs. A path without an extension matches its folder, `path.test.ts` and `path.topic.test.ts`. */
export function testFiles(paths: readonly string[]): string[] {
  return paths.flatMap((path) =>
    path.endsWith('.ts') ? [path] : [`${path}/**/*.test.ts`, `${path}{,.*}.test.ts`],
  );
}

/** Folders of tests for several parts of the sources. All other test folders mirror the sources. */
export const crossCutting: readonly string[] = [
  'attacks',
  'browser',
  'chaos',
  'clients',
  'conformance',
  'docs',
  'examples',
  'fuzz',
  'interop',
  'packaging',
  'setup',
  'traps',
  'types',
];
