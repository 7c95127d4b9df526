/** The files of a folder, except those of locks and temporary files. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @returns SHA-256 of the bytes, by path below the folder */
export function filesUnder(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((found) => found.isFile() && !found.parentPath.includes('.zarrql-'))
    .map((found) => join(found.parentPath, found.name).slice(folder.length + 1));
  const hash = (name: string): string =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
  return Object.fromEntries(names.sort().map((name) => [name, hash(name)]));
}
