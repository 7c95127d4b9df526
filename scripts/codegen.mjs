// `npm run codegen`: writes the generated TypeScript as codegen.yml states, with the generator of scripts/codegen.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { installIn } from './installed.mjs';

const root = dirname(import.meta.dirname);
const folder = join(root, 'scripts/codegen');
installIn(folder);
const packages = join(folder, 'node_modules');
const { status } = spawnSync(
  process.execPath,
  [
    '--import',
    './scripts/typescript-sources.mjs',
    join(packages, '@graphql-codegen/cli/esm/bin.js'),
    '--config',
    'codegen.yml',
    '--silent',
  ],
  // The generator looks for plug-ins from the folder of its configuration.
  { cwd: root, stdio: 'inherit', env: { ...process.env, NODE_PATH: packages } },
);
process.exitCode = status ?? 1;
