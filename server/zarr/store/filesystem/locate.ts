/** Locates the files of a store's objects, for direct reads by worker threads. */
import { assertKey } from '../keys.js';
import type { FilePart, LocalFiles, Locate } from '../store.js';
import type { InlineBudget } from './inline-budget.js';
import type { Spelling } from './spelling.js';
import { isTemporaryKey } from './temporary.js';

export interface LocateOptions extends Pick<LocalFiles, 'access' | 'readNow' | 'confirm'> {
  readonly spelling: Spelling;
  /** Budget of blocking reads. */
  readonly budget: InlineBudget;
}

const anyContents = { fileVersion: undefined, version: undefined, crc: undefined };

/** Makes no system calls. Opening the file shows whether it exists. */
export function locateFiles({ spelling, budget, ...own }: LocateOptions): Locate<string> {
  const files: LocalFiles = { ...own, isSlow: () => budget.isSlow(), ended() {} };
  return (keys) => ({
    files,
    parts: keys.map((key): FilePart | undefined => {
      assertKey(key);
      // On case-insensitive file systems, only the store can check the key.
      if (isTemporaryKey(key) || spelling.cannotExistNow(key) !== false) return undefined;
      return { file: key, offset: 0, length: undefined, ...anyContents };
    }),
  });
}
