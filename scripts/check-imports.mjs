// Checks the import directions. Every file of server/, client/ and wire/ belongs to the first part below whose pattern
// matches it. It may import its own part, the listed parts and, if `packages` is set, only those npm packages. Type
// imports count as imports. oxlint finds cycles between files (import/no-cycle).
import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

const ground = ['errors', 'limits', 'bytes'];
const described = [...ground, 'dtype', 'grid', 'codec', 'metadata'];
const planned = [...described, 'layout', 'selection', 'transform', 'plan'];
const running = [...planned, 'store', 'shard', 'execute'];
const enginePackages =
  /^(node:|@aws-sdk\/|@smithy\/|@node-rs\/crc32$|lru-cache$|pako$|undici$|ipaddr\.js$|#)/;
const noPackages = /^$/;
const adapterPackages = /^(graphql|@urql\/core|wonka|@apollo\/client|react)$/;

/** @type {[part: string, files: RegExp, may: string[], packages?: RegExp][]} */
const table = [
  // Compiled into the server and the client.
  ['wire', /^wire\//, [], noPackages],
  // The engine, from the lowest part up.
  ['errors', /^server\/zarr\/(errors|turns|selection\/nearest|platform\/\w+)\.ts$/, [], enginePackages],
  ['limits', /^server\/zarr\/limits\.ts$/, ['errors'], enginePackages],
  ['bytes', /^server\/zarr\/bytes\//, ['errors', 'limits'], enginePackages],
  ['dtype', /^server\/zarr\/dtype\//, ground, enginePackages],
  ['grid', /^server\/zarr\/chunk\/grid\.ts$/, [...ground, 'dtype'], enginePackages],
  // One part, because codecs decode shard indexes, and the sharding codec reads them.
  [
    'codec',
    /^server\/zarr\/(codec\/|sharding\/(codec|parts|shard-index|index-cost)\.ts$)/,
    [...ground, 'dtype', 'grid'],
    enginePackages,
  ],
  ['metadata', /^server\/zarr\/metadata\//, described, enginePackages],
  ['layout', /^server\/zarr\/sharding\/layout\.ts$/, described, enginePackages],
  ['selection', /^server\/zarr\/selection\//, described, enginePackages],
  ['store', /^server\/zarr\/store\//, ground, enginePackages],
  [
    'shard',
    /^server\/zarr\/sharding\/(store|locate|read-index|index-cache)\.ts$/,
    [...described, 'layout', 'store'],
    enginePackages,
  ],
  ['transform', /^server\/zarr\/read\/transform\//, [...ground, 'dtype'], enginePackages],
  ['plan', /^server\/zarr\/read\/(plan|cost|parts|region|batches)/, planned, enginePackages],
  ['execute', /^server\/zarr\/read\//, [...planned, 'store', 'shard'], enginePackages],
  ['write', /^server\/zarr\/(write\/|sharding\/edit\.ts$)/, [...running, 'handles'], enginePackages],
  ['zarr', /^server\/zarr\/index\.ts$/, [...running, 'write', 'handles'], enginePackages],
  ['handles', /^server\/zarr\//, [...running, 'write'], enginePackages],
  // The parts around the engine. They import it only through its index.
  ['memory', /^server\/memory\//, ['zarr']],
  ['config', /^server\/config(\.ts$|\/)/, ['zarr', 'memory']],
  ['dataset', /^server\/dataset\//, ['zarr']],
  ['transport', /^server\/transport\//, ['zarr']],
  ['analysis', /^server\/analysis\//, ['zarr', 'dataset']],
  ['pictures', /^server\/pictures\//, ['zarr', 'dataset', 'transport', 'analysis']],
  [
    'resolvers',
    /^server\/(resolvers|generated)\//,
    ['zarr', 'memory', 'dataset', 'transport', 'analysis', 'pictures'],
  ],
  ['http', /^server\/http\//, ['zarr', 'memory', 'config', 'gateway']],
  [
    'cli',
    /^server\/cli(\.ts$|\/)/,
    [
      'zarr',
      'memory',
      'config',
      'dataset',
      'analysis',
      'pictures',
      'transport',
      'gateway',
      'http',
      'client',
      'codegen',
    ],
  ],
  [
    'gateway',
    /^server\//,
    ['zarr', 'memory', 'config', 'dataset', 'transport', 'analysis', 'pictures', 'resolvers'],
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
    const target = join(dirname(file), specifier).split(sep).join('/').replace(/\.js$/, '.ts');
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

/** Checks all files below `root`; returns the lines to print; empty without violations. */
export function checkImports(root) {
  const lines = [];
  for (const top of ['server', 'client', 'wire'])
    for (const path of sources(join(root, top))) {
      const file = relative(root, path).split(sep).join('/');
      for (const [specifier, why] of complaints(file, readFileSync(path, 'utf8')))
        lines.push(`${file}: '${specifier}': ${why}`);
    }
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
