// Checks the types of all sources. Kernels (loops over typed arrays, the folders of tsconfig.kernels.json) are checked
// without noUncheckedIndexedAccess, everything else with it. Both programs contain files of the other part, because files
// import each other; the compiler applies the options of the program to all of them, so only the errors of the own part
// count. Each folder of kernels has a tsconfig.json, so that editors and the linter apply the same options.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installIn } from './installed.mjs';

const root = dirname(import.meta.dirname);

/** The folders of tsconfig.kernels.json. */
function kernelFolders() {
  const text = readFileSync(join(root, 'tsconfig.kernels.json'), 'utf8');
  return JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, '')).include;
}

/** Splits the output of tsc into messages: a line that names a file and a position, and indented lines. */
export function messagesOf(output) {
  const messages = [];
  for (const line of output.split('\n')) {
    if (/^\s/.test(line) && messages.length > 0) messages[messages.length - 1] += `\n${line}`;
    else if (line.trim() !== '') messages.push(line);
  }
  return messages;
}

/** The messages of one part. Messages without a file belong to both. */
export function ofPart(messages, folders, isKernels) {
  return messages.filter((message) => {
    const file = /^(.+?)\(\d+,\d+\): /.exec(message)?.[1]?.replaceAll('\\', '/');
    return file === undefined || folders.some((folder) => file.startsWith(`${folder}/`)) === isKernels;
  });
}

/**
 * The lines of a kernel that replace an element out of range by 0. Without `noUncheckedIndexedAccess`, the compiler
 * does not require this, and it hides mistakes.
 */
export function silentZeros(file, text) {
  return text
    .split('\n')
    .flatMap((line, i) =>
      /(?<![?.\w])[\w.#]+(\[([^[\]?'"]|\[[^[\]?'"]*\])+\])+ \?\? 0n?(?![\w.])/.test(line)
        ? [`${file}(${i + 1}): an element of an array is never undefined here; check the length at the entry`]
        : [],
    );
}

function check(config, folders, isKernels) {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const run = spawnSync(process.execPath, [tsc, '-p', config, '--noEmit', '--pretty', 'false'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 28,
  });
  return ofPart(messagesOf(run.stdout), folders, isKernels);
}

function* sources(folder) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    if (entry.isDirectory()) yield* sources(`${folder}/${entry.name}`);
    else if (entry.name.endsWith('.ts')) yield `${folder}/${entry.name}`;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const folder of ['test/clients', 'test/browser']) installIn(join(root, folder));
  const folders = kernelFolders();
  const problems = [
    ...folders
      .filter((folder) => !existsSync(join(root, folder, 'tsconfig.json')))
      .map((folder) => `${folder} has no tsconfig.json that extends tsconfig.kernels.json`),
    ...folders
      .flatMap((folder) => [...sources(folder)])
      .flatMap((file) => silentZeros(file, readFileSync(join(root, file), 'utf8'))),
    ...check('tsconfig.json', folders, false),
    ...check('tsconfig.kernels.json', folders, true),
  ];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
