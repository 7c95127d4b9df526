// `npm run build`: builds dist/. With --if-stale only if a source has changed.
// The output is written to a temporary folder that then replaces dist/, so that readers never see a partial build.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build as buildScript } from 'esbuild';
import { bundleForNode, filesBelow, licencesOf } from './bundle.mjs';
import { unpackSamples } from './samples.mjs';

const root = dirname(import.meta.dirname);
const dist = join(root, 'dist');
const cache = join(root, '.cache');
const stamp = join(cache, 'build-stamp');
const inputs = [
  'server',
  'client',
  'wire',
  'explorer',
  'schema',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'scripts/build.mjs',
  'scripts/bundle.mjs',
];
/** Files to copy: data that modules read, and the licences of compiled code. */
const asset = /\.wasm$|[\\/]manifest\.json$|[\\/]licences[\\/]/;

/** Builds dist/, with `ifStale` only if a source has changed, and unpacks the sample stores. Reports progress on stderr. */
export async function build(options) {
  await buildDist(options);
  await unpackSamples(() => import(pathToFileURL(join(dist, 'server/zarr/index.js')).href));
}

async function buildDist({ ifStale = false } = {}) {
  const state = stateOfInputs();
  const fresh =
    existsSync(join(dist, 'server/cli.js')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === state;
  if (ifStale && fresh) return;
  console.error('zarrql: building dist/ ...');
  mkdirSync(cache, { recursive: true });
  const target = join(cache, `dist-${process.pid}`);
  rmSync(target, { recursive: true, force: true });
  try {
    await compileModules(target);
    const files = await bundleForNode(target);
    writeFileSync(join(target, 'server/LICENSES.txt'), licencesOf(files));
    await buildExplorer(target);
    chmodSync(join(target, 'server/cli.js'), 0o755);
    const old = join(cache, `old-${process.pid}`);
    if (existsSync(dist)) renameSync(dist, old);
    renameSync(target, dist);
    rmSync(old, { recursive: true, force: true });
    writeFileSync(stamp, state);
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
}

/** Compiles each source file to a module in `target`, and adds the files that modules read. */
export async function compileModules(target) {
  compile(target);
  copyAssets(target);
  await copySchema(target);
}

function compile(target) {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', target], {
    cwd: root,
    // stdout of `npm start` is reserved for the endpoint URL.
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) {
    console.error('zarrql: the sources do not compile; see above');
    process.exit(1);
  }
}

/** The packages bundled in the page. */
const pagePackages = ['preact', '@preact/signals', '@preact/signals-core', 'uplot'];

/** Builds the page with Vite, and compresses its files at the highest level. */
async function buildExplorer(target) {
  const { build: buildPage } = await import('vite');
  const outDir = join(target, 'explorer');
  const root = join(import.meta.dirname, '../explorer');
  await buildPage({
    root,
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir, emptyOutDir: true },
  });
  await buildGraphiqlPanel(root, outDir);
  for (const file of filesBelow(outDir)) {
    const text = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(text));
    writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }));
  }
  writeFileSync(
    join(outDir, 'LICENSES.txt'),
    licencesOf(pagePackages.map((name) => `node_modules/${name}/package.json`)),
  );
}

/** Builds the panel as one script, which the GraphiQL page embeds. */
async function buildGraphiqlPanel(page, outDir) {
  await buildScript({
    entryPoints: [join(page, 'src/graphiql/main.tsx')],
    outfile: join(outDir, 'graphiql-panel.js'),
    bundle: true,
    minify: true,
    charset: 'utf8',
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    conditions: ['zarrql-source'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.css': 'text' },
    logLevel: 'warning',
  });
}

function copyAssets(target) {
  for (const top of ['server', 'client'])
    for (const file of filesBelow(join(root, top)))
      if (asset.test(file)) cpSync(file, join(target, relative(root, file)));
}

/**
 * Copies the schema files, and writes the one file that other programs read, and the one module that the gateway reads
 * instead of the files.
 */
async function copySchema(target) {
  const files = filesBelow(join(root, 'schema')).filter((file) => file.endsWith('.graphql'));
  for (const file of files) cpSync(file, join(target, 'schema', basename(file)));
  const module = join(target, 'server/resolvers/type-defs.js');
  const { typeDefs } = await import(pathToFileURL(module).href);
  writeFileSync(
    join(target, 'schema.graphql'),
    `${typeDefs}
`,
  );
  writeFileSync(
    module,
    `export const typeDefs = ${JSON.stringify(typeDefs)};
`,
  );
}

function stateOfInputs() {
  const hash = createHash('sha256').update(process.version);
  for (const input of inputs)
    for (const file of filesBelow(join(root, input))) {
      const { size, mtimeMs } = statSync(file);
      hash.update(`${relative(root, file)} ${size} ${mtimeMs}\n`);
    }
  return hash.digest('hex');
}

if (process.argv[1] === import.meta.filename) await build({ ifStale: process.argv.includes('--if-stale') });
