/** Before any test runs: builds dist/ unless it is up to date. Tests of the command line and of threads need it. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export function setup(): void {
  const root = join(import.meta.dirname, '../..');
  // stdout is reserved for vitest's reporters.
  execFileSync(process.execPath, ['scripts/build.mjs', '--if-stale'], { cwd: root, stdio: ['ignore', 2, 2] });
}
