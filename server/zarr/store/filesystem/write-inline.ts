/** The quick way for small objects: a file written and renamed by blocking calls, seven ways to the thread pool less. */
import { closeSync, fstatSync, futimesSync, openSync, renameSync, writeSync } from 'node:fs';
import type { InlineBudget } from './inline-budget.js';
import { versionOf } from './read-file.js';
import { type WriteClock, tellApart } from './write-clock.js';

/** Larger ones take long enough to be worth the way through the thread pool, even where the disk only has to remember. */
const maxInlineBytes = 2 ** 20;

export function fitsInline(bytes: Uint8Array, budget: InlineBudget): boolean {
  return bytes.length <= maxInlineBytes && budget.state() === 'open';
}

/** As `writeByPool` in write-file.ts. The budget must be open. */
export function writeInline(
  temporary: string,
  target: string,
  bytes: Uint8Array,
  clock: WriteClock,
  budget: InlineBudget,
): string {
  const start = performance.now();
  try {
    const version = writeNow(temporary, bytes, clock);
    renameSync(temporary, target);
    return version;
  } finally {
    budget.spend(performance.now() - start);
  }
}

function writeNow(path: string, bytes: Uint8Array, clock: WriteClock): string {
  const file = openSync(path, 'wx');
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    let stats = fstatSync(file);
    const seconds = tellApart(stats, clock);
    if (seconds !== undefined) {
      futimesSync(file, seconds, seconds);
      stats = fstatSync(file);
    }
    return versionOf(stats);
  } finally {
    closeSync(file);
  }
}
