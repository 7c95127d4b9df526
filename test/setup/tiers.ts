/** Assigns test files and folders to tiers (CONTRIBUTING.md, "Tests"). */

export const browser: readonly string[] = ['test/browser'];

/** Tests that replace modules, measure process memory, or start competing processes. */
export const alone: readonly string[] = [
  'test/attacks',
  'test/chaos',
  'test/gateway/documents.test.ts',
  'test/http/memory.test.ts',
  'test/memory',
  'test/packaging',
  'test/zarr/read/collected.test.ts',
  'test/zarr/store/filesystem/root-identity.test.ts',
  'test/zarr/store/zip-large.test.ts',
];

/** Slow tests, and tests that need the build, child processes, ports or packages. */
export const integration: readonly string[] = [
  'test/cli',
  'test/client/codegen',
  'test/client/faults.test.ts',
  'test/client/hostile.test.ts',
  'test/client/matrix.test.ts',
  'test/client/package.test.ts',
  'test/client/transport/revive.test.ts',
  'test/clients',
  'test/conformance',
  'test/dataset/decode/fixtures.test.ts',
  'test/dataset/decoded-slice.test.ts',
  'test/docs',
  'test/examples',
  'test/fuzz',
  'test/gateway/store-outages.test.ts',
  'test/http',
  'test/interop',
  'test/resolvers/datasets/dataset-cases.test.ts',
  'test/resolvers/matrix-cbor.test.ts',
  'test/resolvers/matrix.test.ts',
  'test/resolvers/mutations/mutation-matrix.test.ts',
  'test/types',
  'test/zarr/read/direct',
  'test/zarr/read/large-result.test.ts',
  'test/zarr/read/pool',
  'test/zarr/read/reduce.test.ts',
  'test/zarr/replicas.test.ts',
  'test/zarr/store/filesystem.test.ts',
  'test/zarr/store/filesystem/process-lock.test.ts',
  'test/zarr/store/http',
  'test/zarr/store/http.test.ts',
  'test/zarr/store/s3',
  'test/zarr/store/s3.test.ts',
  'test/zarr/write/consolidated-bounds.test.ts',
  'test/zarr/write/consolidation.test.ts',
  'test/zarr/write/sequences.test.ts',
];

/** As globs. */
export function testFiles(paths: readonly string[]): string[] {
  return paths.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`));
}
