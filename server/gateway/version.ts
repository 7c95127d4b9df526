/**
 * The version in package.json. Searches the parent folders, because the build output is one folder deeper
 * than the sources.
 */
import { existsSync, readFileSync } from 'node:fs';

function readVersion(): string {
  let folder = new URL('../', import.meta.url);
  for (let level = 0; level < 4; level++) {
    const file = new URL('package.json', folder);
    if (existsSync(file)) {
      const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'));
      if (isPackage(parsed) && parsed.name === 'zarrql') return parsed.version;
    }
    folder = new URL('../', folder);
  }
  return 'unknown';
}

function isPackage(value: unknown): value is { readonly name: unknown; readonly version: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    'version' in value &&
    typeof value.version === 'string'
  );
}

export const version: string = readVersion();
