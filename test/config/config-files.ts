/** Configuration files, and the problems of a configuration. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../server/config.js';
import { folderOfSuite } from '../setup/temporary-folder.js';

/** Creates a folder for the files of a test file. `fileOf` writes a file and returns its path. */
export function configFiles(): {
  readonly folder: string;
  fileOf(this: void, name: string, text: string): string;
} {
  const folder = folderOfSuite('config');
  return {
    folder,
    fileOf(name, text) {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    },
  };
}

export function problemsOf(run: () => unknown): readonly string[] {
  try {
    run();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}
