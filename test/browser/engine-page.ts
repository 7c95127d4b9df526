/** A page with the built engine, bundled with Vite, and the files that it loads. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const root = join(import.meta.dirname, '../..');
const html = '<!doctype html><title>Engine</title><script type="module" src="./main.js"></script>';

export interface BuiltPage {
  /** The folder with index.html. */
  readonly folder: string;
  /** Names and contents of all files that the build wrote next to index.html. */
  readonly assets: ReadonlyMap<string, Uint8Array>;
  remove(): Promise<void>;
}

/** @param script the module of the page; it may import 'zarrql/zarr' */
export async function buildPage(script: string): Promise<BuiltPage> {
  const cache = join(root, '.cache');
  await mkdir(cache, { recursive: true });
  const source = await mkdtemp(join(cache, 'engine-page-'));
  await writeFile(join(source, 'index.html'), html);
  await writeFile(join(source, 'main.js'), script);
  await build({
    root: source,
    configFile: false,
    logLevel: 'error',
    resolve: { alias: { 'zarrql/zarr': join(root, 'dist/server/zarr/index.js') } },
  });
  const folder = join(source, 'dist');
  const names = await readdir(join(folder, 'assets'));
  const contents = await Promise.all(names.map((name) => readFile(join(folder, 'assets', name))));
  return {
    folder,
    assets: new Map(names.map((name, i) => [name, contents[i] ?? new Uint8Array(0)])),
    remove: () => rm(source, { recursive: true, force: true }),
  };
}

/** The compressed size of the assets with these names. */
export function sentBytes({ assets }: BuiltPage, files: RegExp): number {
  const ofKind = [...assets].filter(([name]) => files.test(name));
  return ofKind.reduce((sum, [, bytes]) => sum + gzipSync(bytes, { level: 9 }).length, 0);
}
