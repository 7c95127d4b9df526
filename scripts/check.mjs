// `npm run check`: static checks. All steps run, so that one run reports every problem. Exits with status 1 if any fails.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { installIn } from './installed.mjs';

const root = dirname(import.meta.dirname);
const lint = join(root, 'scripts/lint');
installIn(lint);
const bin = (name, folder = root) => join(folder, 'node_modules', '.bin', name);

// The linter looks for its checker of types next to the sources.
const env = { ...process.env, OXLINT_TSGOLINT_PATH: bin('tsgolint', lint) };

/** @type {[name: string, command: string, args: string[]][]} */
const steps = [
  ['types', process.execPath, ['scripts/check-types.mjs']],
  ['types of the explorer', bin('tsc'), ['-p', 'explorer/tsconfig.json']],
  ['lint', bin('oxlint', lint), []],
  ['format', bin('prettier'), ['--check', '--log-level', 'warn', '.']],
  ['import directions', process.execPath, ['scripts/check-imports.mjs']],
  ['names', process.execPath, ['scripts/check-names.mjs']],
  ['generated code', process.execPath, ['scripts/check-generated.mjs']],
  ['spelling', bin('cspell', lint), ['--no-progress', '--no-summary']],
  ['phrases', process.execPath, ['scripts/check-prose.mjs']],
];

const failed = [];
for (const [name, command, args] of steps) {
  const started = performance.now();
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env });
  console.log(
    `${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`,
  );
  if (status !== 0) failed.push(name);
}
if (failed.length > 0) {
  console.error(`npm run check: failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
