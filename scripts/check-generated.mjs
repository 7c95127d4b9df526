// Checks that the committed generated code matches the output of `npm run codegen`. If not, the new code is left in the
// working tree: review and commit it.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);

function generatedTexts() {
  const texts = new Map();
  for (const top of ['server', 'client', 'schema']) collect(join(root, top), texts);
  const operations = join(root, 'schema/operations.graphql');
  texts.set(operations, readFileSync(operations, 'utf8'));
  return texts;
}

function collect(folder, texts) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === 'node_modules' || entry.name === 'dist' || !entry.isDirectory()) continue;
    const path = join(folder, entry.name);
    if (entry.name === 'generated')
      for (const file of readdirSync(path, { recursive: true, withFileTypes: true }))
        if (file.isFile())
          texts.set(join(file.parentPath, file.name), readFileSync(join(file.parentPath, file.name), 'utf8'));
    collect(path, texts);
  }
}

const before = generatedTexts();
const run = spawnSync('npm', ['run', '--silent', 'codegen'], { cwd: root, encoding: 'utf8' });
if (run.status !== 0) {
  process.stderr.write(`${run.stdout}${run.stderr}`);
  console.error('npm run codegen failed');
  process.exit(1);
}
const after = generatedTexts();
const stale = [...new Set([...before.keys(), ...after.keys()])].filter(
  (file) => before.get(file) !== after.get(file),
);
if (stale.length > 0) {
  console.error(`generated code was out of date and has been rewritten:\n  ${stale.join('\n  ')}`);
  process.exit(1);
}
