/**
 * A browser installed by npm. If it cannot start, tests are skipped with the reason; with ZARRQL_REQUIRE_ALL=1 they
 * fail.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import packed from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

const cache = join(import.meta.dirname, '../../.cache');

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
  packed.setGraphicsMode = graphics;
  const executablePath = await packed.executablePath();
  // Keeps the security rules of ordinary browsers.
  const args = packed.args.filter((arg) => arg !== '--disable-web-security');
  try {
    return await chromium.launch({ executablePath, args });
  } catch (error) {
    if (!String(error).includes('shared libraries')) throw error;
    const libraries = await unpackLibraries();
    const env = { ...inherited(), LD_LIBRARY_PATH: libraries };
    return chromium.launch({ executablePath, args, env });
  }
}

/** Libraries missing from a minimal system (NSS, expat) are packed with the browser. */
async function unpackLibraries(): Promise<string> {
  const destination = join(cache, 'chromium-libraries');
  if (existsSync(destination)) return join(destination, 'lib');
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const archive = join(dirname(entry), '../../bin/al2023.tar.br');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'libraries-'));
  try {
    const tar = join(folder, 'libraries.tar');
    await writeFile(tar, await promisify(brotliDecompress)(await readFile(archive)));
    await promisify(execFile)('tar', ['-xf', tar, '-C', folder]);
    await rm(tar);
    await rename(folder, destination);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return join(destination, 'lib');
}

function inherited(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}
