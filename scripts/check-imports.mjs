// Checks the import directions. Every file of server/, client/ and wire/ belongs to the first part below whose pattern
// matches it. It may import its own part, the listed parts and, if `packages` is set, only those npm packages. Type
// imports count as imports. oxlint finds cycles between files (import/no-cycle).
import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * The folders of the engine, from the lowest up. A folder may import itself and the folders before it, except as
 * `barred` says.
 */
export const engine = [
  ['core', /^server\/core\/(platform\/)?\w[\w-]*\.ts$/],
  ['core/bytes', /^server\/core\/bytes\//],
  ['core/dtype', /^server\/core\/dtype\//],
  ['core/wasm', /^server\/core\/wasm\//],
  ['store', /^server\/store\//],
  ['format', /^server\/format\/[\w-]+\.ts$/],
  ['format/codec', /^server\/format\/codec\//],
  ['format/metadata', /^server\/format\/metadata\//],
  ['format/selection', /^server\/format\/selection\//],
  ['format/plan', /^server\/format\/plan\//],
  ['compute/transform', /^server\/compute\/transform\//],
  ['compute', /^server\/compute\/[\w-]+\.ts$/],
  ['compute/along', /^server\/compute\/along\//],
  ['compute/pairs', /^server\/compute\/pairs\//],
  ['compute/rolling', /^server\/compute\/rolling\//],
  ['compute/program', /^server\/compute\/program\//],
  ['compute/line', /^server\/compute\/line\//],
  ['compute/statistics', /^server\/compute\/statistics\//],
  ['compute/reduce', /^server\/compute\/reduce\//],
  ['threads', /^server\/threads\//],
  ['chunks/shards', /^server\/chunks\/shards\//],
  ['chunks/read', /^server\/chunks\/read\//],
  ['chunks', /^server\/chunks\/[\w-]+\.ts$/],
  ['chunks/write', /^server\/chunks\/write\//],
  ['slices', /^server\/slices\/[\w-]+\.ts$/],
  ['slices/mapped', /^server\/slices\/mapped\//],
  ['slices/axis', /^server\/slices\/axis\//],
  ['slices/combined', /^server\/slices\/combined\//],
  ['zarr/documents', /^server\/zarr\/documents\//],
  ['zarr/nodes', /^server\/zarr\/nodes\//],
  ['zarr/write', /^server\/zarr\/write\//],
  ['zarr', /^server\/zarr\/hierarchy\.ts$/],
];
/** Exceptions: the format and computations know no stores. */
const barred = [[/^(format|compute)(\/|$)/, 'store']];

/** @returns the parts that the folder at an index of `engine` may import */
function below(index) {
  const [name] = engine[index];
  return engine
    .slice(0, index)
    .map(([part]) => part)
    .filter((part) => !barred.some(([pattern, other]) => pattern.test(name) && part === other));
}
const enginePackages =
  /^(node:|@aws-sdk\/|@smithy\/|@node-rs\/crc32$|@emnapi\/|hyparquet$|lru-cache$|pako$|undici$|ipaddr\.js$|jose$|#)/;
const noPackages = /^$/;
const adapterPackages = /^(graphql|@urql\/core|wonka|@apollo\/client|react)$/;

/** @type {[part: string, files: RegExp, may: string[], packages?: RegExp][]} */
const table = [
  // Compiled into the server and the client.
  ['wire', /^wire\//, [], noPackages],
  // The engine.
  ...engine.map(([part, files], index) => [part, files, below(index), enginePackages]),
  ['engine', /^server\/zarr\/index\.ts$/, engine.map(([part]) => part), enginePackages],
  // The parts around the engine. They import it only through its index.
  ['memory', /^server\/memory\//, ['engine']],
  ['config', /^server\/config(\.ts$|\/)/, ['engine']],
  ['redis', /^server\/redis\//, []],
  ['dataset', /^server\/dataset\//, ['engine']],
  ['transport', /^server\/transport\//, ['engine']],
  ['analysis', /^server\/analysis\//, ['engine', 'dataset', 'transport']],
  ['combined', /^server\/combined\//, ['engine', 'dataset', 'transport']],
  ['jobs', /^server\/jobs\//, ['engine', 'memory', 'redis', 'dataset', 'analysis']],
  ['pictures', /^server\/pictures\//, ['engine', 'dataset', 'transport', 'analysis']],
  [
    'resolvers',
    /^server\/(resolvers|generated)\//,
    ['engine', 'memory', 'redis', 'dataset', 'transport', 'analysis', 'jobs', 'pictures'],
  ],
  ['typed', /^server\/typed\//, ['engine', 'memory', 'dataset', 'transport', 'analysis', 'resolvers']],
  ['http', /^server\/http\//, ['engine', 'memory', 'config', 'redis', 'gateway']],
  [
    'cli',
    /^server\/cli(\.ts$|\/)/,
    [
      'engine',
      'memory',
      'config',
      'redis',
      'dataset',
      'analysis',
      'jobs',
      'pictures',
      'transport',
      'combined',
      'resolvers',
      'gateway',
      'http',
      'client',
      'codegen',
    ],
  ],
  [
    'gateway',
    /^server\//,
    [
      'engine',
      'memory',
      'config',
      'redis',
      'dataset',
      'transport',
      'combined',
      'analysis',
      'jobs',
      'pictures',
      'resolvers',
      'typed',
    ],
  ],
  // The SDK. It has no dependencies; its adapters depend on their library.
  ['codegen', /^client\/codegen\//, ['client']],
  ['adapters', /^client\/adapters\//, ['client'], adapterPackages],
  ['client', /^client\//, [], noPackages],
];
/** Every part may import `wire/`. */
const parts = table.map(([part, files, may, packages]) => ({ part, files, may: [...may, 'wire'], packages }));

const specifiers =
  /(?:^|\n)\s*(?:import|export)\s(?:[^'"`;]*?\sfrom\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

/** Every module specifier in the text of a TypeScript file. */
export function importsOf(text) {
  return [...text.matchAll(specifiers)].map((match) => match[1] ?? match[2]);
}

/** The violations in one file: `[specifier, reason]`. `file` is relative to the root, with slashes. */
export function complaints(file, text) {
  const own = partOf(file);
  if (own === undefined) return [];
  const found = [];
  for (const specifier of importsOf(text)) {
    if (!specifier.startsWith('.')) {
      if (own.packages !== undefined && !own.packages.test(specifier))
        found.push([specifier, `the part "${own.part}" must not depend on this package`]);
      continue;
    }
    const target = targetOf(file, specifier);
    const part = partOf(target);
    if (part === undefined) {
      if (!target.startsWith('schema/') && !/^package\.json$/.test(target))
        found.push([specifier, 'does not belong to any part']);
    } else if (part.part !== own.part && !own.may.includes(part.part)) {
      const hint =
        part.packages === enginePackages && own.packages !== enginePackages
          ? ' (only server/zarr/index.ts)'
          : '';
      found.push([specifier, `the part "${own.part}" must not import "${part.part}"${hint}`]);
    }
  }
  return found;
}

function partOf(file) {
  return parts.find((part) => part.files.test(file));
}

function* sources(folder) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === 'node_modules' || entry.name === 'dist') continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (entry.name.endsWith('.ts')) yield path;
  }
}

/** The imports between parts in all files below `root`, as pairs of names, each pair once. */
export function importsBetweenParts(root) {
  const found = new Map();
  for (const file of allFiles(root))
    for (const specifier of importsOf(readFileSync(join(root, file), 'utf8'))) {
      const from = partOf(file);
      const to = partOf(targetOf(file, specifier));
      if (specifier.startsWith('.') && from !== undefined && to !== undefined && from !== to)
        found.set(`${from.part} ${to.part}`, [from.part, to.part]);
    }
  return [...found.values()];
}

function targetOf(file, specifier) {
  return join(dirname(file), specifier).split(sep).join('/').replace(/\.js$/, '.ts');
}

function* allFiles(root) {
  for (const top of ['server', 'client', 'wire'])
    for (const path of sources(join(root, top))) yield relative(root, path).split(sep).join('/');
}

/** Checks all files below `root`; returns the lines to print; empty without violations. */
export function checkImports(root) {
  const lines = [];
  for (const file of allFiles(root))
    for (const [specifier, why] of complaints(file, readFileSync(join(root, file), 'utf8')))
      lines.push(`${file}: '${specifier}': ${why}`);
  return lines;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const lines = checkImports(join(import.meta.dirname, '..'));
  for (const line of lines) console.error(line);
  if (lines.length > 0) {
    console.error(`${lines.length} imports violate the directions in scripts/check-imports.mjs`);
    process.exitCode = 1;
  }
}
