/** Tells other threads which files hold a store's objects. */
import { assertKey } from '../keys.js';
import type { FilePart, LocalFiles, Locate } from '../store.js';
import type { InlineBudget } from './inline-budget.js';
import type { Spelling } from './spelling.js';
import { isTemporaryKey } from './temporary.js';

export interface LocateOptions extends Pick<LocalFiles, 'access' | 'readNow' | 'confirm'> {
  readonly spelling: Spelling;
  /** Of blocking reads. */
  readonly budget: InlineBudget;
}

/** Costs no system call: whether there is a file shows when it is opened. */
export function locateFiles({ spelling, budget, ...own }: LocateOptions): Locate<string> {
  const files: LocalFiles = { ...own, canReadNow: () => budget.state() === 'open', ended() {} };
  return (keys) => ({
    files,
    parts: keys.map((key): FilePart | undefined => {
      assertKey(key);
      // Where names that differ only by case may be one, the store has to look.
      if (isTemporaryKey(key) || spelling.isElsewhereNow(key) !== false) return undefined;
      return { file: key, offset: 0, length: undefined, fileVersion: undefined, version: undefined };
    }),
  });
}
