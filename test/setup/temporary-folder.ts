/** Folders that are removed after the tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** A folder for all tests of a file or of a `describe`. */
export function folderOfSuite(name: string): string {
  const folder = newFolder(name);
  afterAll(() => remove(folder));
  return folder;
}

/** A folder for the current test; can also be called in `beforeEach`. */
export function folderOfTest(name: string): string {
  const folder = newFolder(name);
  onTestFinished(() => remove(folder));
  return folder;
}

function newFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `zarrql-${name}-`));
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
