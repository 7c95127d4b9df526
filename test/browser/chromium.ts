/**
 * A browser installed by npm. If it cannot start, tests are skipped with the reason; with ZARRQL_REQUIRE_ALL=1 they
 * fail.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { z } from 'zod';
// @ts-expect-error a script without types
import { installIn } from '../../scripts/installed.mjs';
import { installPackages } from '../clients/packages.js';
import { withLock } from '../interop/lock.js';

const cache = join(import.meta.dirname, '../../.cache');
/** The part of the package that is used. */
interface PackedChromium {
  readonly args: readonly string[];
  setGraphicsMode: boolean;
  readonly graphics: boolean;
  executablePath(): Promise<string>;
}

interface Package {
  readonly folder: string;
  readonly chromium: PackedChromium;
}

let loaded: Promise<Package> | undefined;
let installed: Promise<void> | undefined;

/** Installs the packages of this folder, in one of several processes. */
function installPackagesOfFolder(): Promise<void> {
  return (installed ??= mkdir(cache, { recursive: true }).then(() =>
    withLock(join(cache, 'browser-packages.lock'), 120_000, async () => installIn(import.meta.dirname)),
  ));
}

/** Installed when a test needs it, because it is large. @throws Error if it cannot be installed */
async function loadPackage(): Promise<Package> {
  const installed = await installPackages('chromium', { '@sparticuz/chromium': '147.0.0' });
  if ('missing' in installed) throw new Error(installed.missing);
  const folder = join(installed.folder, 'node_modules/@sparticuz/chromium');
  const require = createRequire(join(installed.folder, 'package.json'));
  const module: { readonly default: PackedChromium } = await import(pathToFileURL(require.resolve('@sparticuz/chromium')).href); // prettier-ignore
  return { folder, chromium: module.default };
}

/** The script of axe, which looks for faults of accessibility. Installed with the browser. */
export function axeSource(): Promise<string> {
  return readFile(join(import.meta.dirname, 'node_modules/axe-core/axe.min.js'), 'utf8');
}

export type FoundBrowser = { readonly browser: Browser } | { readonly missing: string };

/** @param graphics whether pages may draw with WebGL, in software */
export async function startBrowser({ graphics = false } = {}): Promise<FoundBrowser> {
  try {
    return { browser: await launch(graphics) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const missing = `no browser: ${reason.split('\n').slice(0, 3).join(' ')}`;
    if (process.env['ZARRQL_REQUIRE_ALL'] === '1') throw new Error(missing, { cause: error });
    console.warn(`skipped: ${missing}`);
    return { missing };
  }
}

async function launch(graphics: boolean): Promise<Browser> {
  await installPackagesOfFolder();
  const { chromium } = await import('playwright-core');
  const { chromium: packed } = await (loaded ??= loadPackage());
  packed.setGraphicsMode = graphics;
  const executablePath = join(await unpackOnce('browser', unpackBrowser), 'chromium');
  // Keeps the security rules of ordinary browsers.
  const args = packed.args.filter((arg) => arg !== '--disable-web-security');
  try {
    return await chromium.launch({ executablePath, args });
  } catch (error) {
    if (!String(error).includes('shared libraries')) throw error;
    const libraries = await unpackOnce('libraries', unpackLibraries);
    const env = { ...inherited(), LD_LIBRARY_PATH: join(libraries, 'lib') };
    return chromium.launch({ executablePath, args, env });
  }
}

/**
 * The folder of unpacked files. The first of several processes unpacks them, and publishes its folder with one rename,
 * so that nobody starts a partly written browser.
 */
async function unpackOnce(name: string, unpack: (folder: string) => Promise<void>): Promise<string> {
  const { folder: packageFolder } = await (loaded ??= loadPackage());
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')));
  const destination = join(cache, `chromium-${name}-${version}`);
  if (existsSync(destination)) return destination;
  await mkdir(cache, { recursive: true });
  await withLock(`${destination}.lock`, 120_000, async () => {
    if (existsSync(destination)) return;
    const folder = await mkdtemp(join(cache, `${name}-`));
    try {
      await unpack(folder);
      await rename(folder, destination);
    } catch (error) {
      if (!existsSync(destination)) throw error;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
  return destination;
}

/** The package unpacks the browser and its software renderer to the folder of temporary files. */
async function unpackBrowser(folder: string): Promise<void> {
  const { chromium: packed } = await (loaded ??= loadPackage());
  const { graphics } = packed;
  const before = process.env['TMPDIR'];
  try {
    packed.setGraphicsMode = true;
    process.env['TMPDIR'] = folder;
    await packed.executablePath();
  } finally {
    packed.setGraphicsMode = graphics;
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}

/** Libraries missing from a minimal system (NSS, expat) are packed with the browser. */
async function unpackLibraries(folder: string): Promise<void> {
  const tar = join(folder, 'libraries.tar');
  const { folder: packageFolder } = await (loaded ??= loadPackage());
  const archive = await readFile(join(packageFolder, 'bin/al2023.tar.br'));
  await writeFile(tar, await promisify(brotliDecompress)(archive));
  await promisify(execFile)('tar', ['-xf', tar, '-C', folder]);
  await rm(tar);
}

function inherited(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}
