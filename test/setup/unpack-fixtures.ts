/**
 * Before any test runs: unpacks the sample stores of examples/data, and creates a copy of test/fixtures in which every
 * archive `X.tar.gz` is replaced by the files in it. The copy is in .cache/fixtures, in a folder named after a hash of
 * test/fixtures, and is used until a fixture changes.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { TestProject } from 'vitest/node';
// @ts-expect-error a script without types
import { unpackSamples } from '../../scripts/samples.mjs';
import { readTar } from './read-tar.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of unpacked fixtures, with a trailing slash. */
    fixtures: string;
  }
}

const packed = join(import.meta.dirname, '../fixtures');
const cache = join(import.meta.dirname, '../../.cache/fixtures');

export async function setup(project: TestProject): Promise<void> {
  project.provide('fixtures', `${unpackFixtures()}/`);
  await unpackSamples(() => import('../../server/zarr/index.js'));
}

function unpackFixtures(): string {
  const files = readdirSync(packed, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const contents = files.map((file) => ({ name: file.slice(packed.length + 1), bytes: readFileSync(file) }));
  const hash = createHash('sha256');
  for (const { name, bytes } of contents) hash.update(`${name} ${bytes.length}\n`).update(bytes);
  const folder = join(cache, hash.digest('hex').slice(0, 16));
  if (existsSync(folder)) return folder;

  mkdirSync(cache, { recursive: true });
  const unfinished = mkdtempSync(join(cache, 'unfinished-'));
  for (const { name, bytes } of contents) {
    const target = join(unfinished, name);
    if (!name.endsWith('.tar.gz')) write(target, bytes);
    else
      for (const entry of readTar(gunzipSync(bytes))) write(inside(dirname(target), entry.name), entry.bytes);
  }
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Another run may have created the folder in the meantime.
    rmSync(unfinished, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

function inside(folder: string, name: string): string {
  const path = resolve(folder, name);
  if (!path.startsWith(folder + sep)) throw new Error(`archive entry "${name}" is outside ${folder}`);
  return path;
}

function write(path: string, bytes: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
}
