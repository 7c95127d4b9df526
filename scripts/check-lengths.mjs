// Checks that no file of the sources and tests is longer than MAX_LINES. Long files usually have several
// responsibilities.
//
//   node scripts/check-lengths.mjs
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);
const MAX_LINES = 300;
const sources = /\.(ts|tsx|mjs|js|css|graphql|py|sh)$/;
/** Generated files. */
const generated = /(^|\/)generated\/|^test\/golden\/|^examples\/stores\.gen\.ts$/;

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
}).split('\n');
const tooLong = files
  .filter((file) => sources.test(file) && !generated.test(file) && existsSync(join(root, file)))
  .map((file) => ({ file, lines: readFileSync(join(root, file), 'utf8').split('\n').length - 1 }))
  .filter(({ lines }) => lines > MAX_LINES);
for (const { file, lines } of tooLong)
  console.error(`${file}: ${lines} lines; at most ${MAX_LINES} are allowed; split the file by subject`);
if (tooLong.length > 0) process.exitCode = 1;
