/** Bundles for Node: the server, the command line, the engine, and the thread program. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { build as bundle } from 'esbuild';
import { engine } from './check-imports.mjs';

const root = dirname(import.meta.dirname);
const threadProgram = 'server/threads/worker.js';

/**
 * Bundles the program of the decoding threads, and the entry points of the server and the engine for Node. Loading
 * hundreds of modules takes most of the startup time: with bundles, threads start in half the time, the server in less.
 */
export async function bundleForNode(target) {
  const settings = {
    outdir: target,
    allowOverwrite: true,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    logLevel: 'warning',
  };
  await bundle({
    ...settings,
    entryPoints: [join(target, threadProgram)],
    outbase: target,
    plugins: [packageImports(target), moduleAddresses(target, dirname(threadProgram))],
  });
  const { metafile } = await bundle({
    ...settings,
    entryPoints: {
      'server/cli': join(target, 'server/cli.js'),
      'server/index': join(target, 'server/index.js'),
      // The modules of the engine for browsers are not bundled: the bundler of a page selects the modules
      // that it needs.
      'server/engine': join(target, 'server/zarr/index.js'),
    },
    // The entries share modules, so that classes are the same in all of them.
    splitting: true,
    chunkNames: 'server/[name]-[hash]',
    external: separate,
    banner: requireFunction,
    plugins: [packageImports(target), moduleAddresses(target, 'server')],
    metafile: true,
    absWorkingDir: target,
  });
  removeBundledModules(target, Object.keys(metafile.outputs));
  return Object.keys(metafile.inputs).map((file) => relative(root, join(target, file)));
}

/** Packages that are not bundled: packages that must have only one copy, and large, native or rarely used ones. */
const separate = [
  'graphql',
  'graphql-yoga',
  '@graphql-yoga/*',
  '@aws-sdk/*',
  '@smithy/*',
  '@node-rs/*',
  'undici',
  'pino',
  'jose',
  'pako',
  // Installed by users of `zarrql codegen --documents`.
  '@graphql-codegen/cli',
];

/** CommonJS modules in a bundle require Node modules. */
const requireFunction = {
  js: "import { createRequire as requireOf } from 'node:module';\nconst require = requireOf(import.meta.url);",
};

/** Resolves the `imports` of package.json, which refer to files of dist/: missing or outdated during the build. */
function packageImports(target) {
  const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return {
    name: 'package imports',
    setup({ onResolve }) {
      onResolve({ filter: /^#/ }, ({ path }) => ({
        path: join(target, relative('dist', imports[path].node)),
      }));
    },
  };
}

/** Modules locate their files (WebAssembly, the thread program) relative to their folder before bundling. */
function moduleAddresses(target, folder) {
  return {
    name: 'module addresses',
    setup({ onLoad }) {
      onLoad({ filter: /\.js$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        if (!text.includes('import.meta.url')) return undefined;
        const address = JSON.stringify(relative(join(target, folder), path).replaceAll('\\', '/'));
        return { contents: text.replaceAll('import.meta.url', `new URL(${address}, import.meta.url).href`) };
      });
    },
  };
}

/** Removes the modules that only the bundles need. Their declarations and the engine's modules stay. */
function removeBundledModules(target, bundles) {
  const kept = new Set(bundles.map((file) => join(target, file)));
  for (const file of filesBelow(join(target, 'server')))
    if (file.endsWith('.js') && !kept.has(file) && !isOfEngine(relative(target, file))) rmSync(file);
}

function isOfEngine(file) {
  return engine.some(([folder]) => file.startsWith(join('server', folder) + sep));
}

/** The licences of the packages that contain these files. */
export function licencesOf(files) {
  const packages = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  const texts = [...new Set(packages)]
    .sort((a, b) => (a < b ? -1 : 1))
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
      const file = readdirSync(join(root, folder)).find((each) => /^licen[cs]e/i.test(each));
      const text =
        file === undefined ? `License: ${license}` : readFileSync(join(root, folder, file), 'utf8');
      return `${name} ${version}\n\n${text.trim()}\n`;
    });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

/** All files of a folder, apart from installed packages and builds. */
export function filesBelow(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.name !== 'node_modules' && entry.name !== 'dist')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => filesBelow(join(path, entry.name)));
}
