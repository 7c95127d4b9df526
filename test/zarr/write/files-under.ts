import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The files of a folder, except lock files and temporary files.
 * @returns SHA-256 of the bytes, by path below the folder
 */
export function filesUnder(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('.zarrql-'))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  const hash = (name: string): string =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
  return Object.fromEntries(names.sort().map((name) => [name, hash(name)]));
}
