/**
 * Fast path for new files: opens, closes and renames them synchronously, which saves up to seven trips through the
 * thread pool. Only large contents are written in the pool, concurrently with other work. Figures:
 * bench/records.md, "Reads: attempts". Keeps the modification times of written files distinct, because versions
 * include them.
 */
import { closeSync, fstatSync, futimesSync, openSync, renameSync, statSync, utimesSync, write, writeSync, type Stats } from 'node:fs'; // prettier-ignore
import type { InlineBudget } from './inline-budget.js';
import { statVersion } from './read-file.js';

/** Maximum size, in bytes, of contents written synchronously, which is faster than waking a thread. */
const MAX_INLINE_BYTES = 65_536;
/** Maximum number of bytes per call. */
const MAX_PIECE_BYTES = 2 ** 30;

interface InlineWriteOptions {
  readonly clock: WriteClock;
  readonly budget: InlineBudget;
  /** Called immediately before the object changes. Throws if the lock was lost. */
  readonly assertHeld?: (() => void) | undefined;
}

/** Like `writeByPool` in write-file.ts. The budget must be open. */
export async function writeInline(
  temporary: string,
  target: string,
  bytes: Uint8Array,
  { clock, budget, assertHeld }: InlineWriteOptions,
): Promise<string> {
  const blocking = <T>(calls: () => T): T => spending(budget, calls);
  const file = blocking(() => openSync(temporary, 'wx'));
  let isOpen = true;
  try {
    if (bytes.length > MAX_INLINE_BYTES) await writeAll(file, bytes);
    return blocking(() => {
      if (bytes.length <= MAX_INLINE_BYTES) writeNow(file, bytes);
      const version = settleVersion(file, clock);
      isOpen = false;
      closeSync(file);
      assertHeld?.();
      renameSync(temporary, target);
      return version;
    });
  } finally {
    if (isOpen) closeSync(file);
  }
}

/** Renames a complete, closed file to its object synchronously. The disk must be local. */
export function renameWritten(
  path: string,
  target: string,
  { clock, budget, assertHeld }: InlineWriteOptions,
): string {
  return spending(budget, () => {
    let stats = statSync(path);
    const seconds = ensureUniqueMtime(stats, clock);
    if (seconds !== undefined) {
      utimesSync(path, seconds, seconds);
      stats = statSync(path);
    }
    assertHeld?.();
    renameSync(path, target);
    return statVersion(stats);
  });
}

function spending<T>(budget: InlineBudget, calls: () => T): T {
  const start = performance.now();
  try {
    return calls();
  } finally {
    budget.spend(performance.now() - start);
  }
}

function writeNow(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
}

async function writeAll(file: number, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await writePiece(file, bytes.subarray(at, at + MAX_PIECE_BYTES));
}

function writePiece(file: number, bytes: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    write(file, bytes, (error, written) => (error === null ? resolve(written) : reject(error)));
  });
}

function settleVersion(file: number, clock: WriteClock): string {
  const stats = fstatSync(file);
  const seconds = ensureUniqueMtime(stats, clock);
  if (seconds === undefined) return statVersion(stats);
  futimesSync(file, seconds, seconds);
  return statVersion(fstatSync(file));
}

/**
 * State that keeps modification times distinct. Files written within one tick of the kernel's clock would
 * have the same time, and possibly the same version.
 */
export interface WriteClock {
  /** Modification time of the last written file, in milliseconds. */
  lastMs: number;
}

const STEP_MS = 0.01;

/**
 * The modification time, in seconds, to set on a new file; undefined if its time is already later than that
 * of earlier files.
 */
export function ensureUniqueMtime({ mtimeMs }: Stats, clock: WriteClock): number | undefined {
  if (mtimeMs > clock.lastMs) {
    clock.lastMs = mtimeMs;
    return undefined;
  }
  clock.lastMs += STEP_MS;
  return clock.lastMs / 1000;
}
