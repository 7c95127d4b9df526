/** Keeps the modification times of written files distinct, because versions include them. */
import type { Stats } from 'node:fs';

/**
 * Length of one tick of the kernel's clock. Files written within a tick would have the same time, and
 * possibly the same version.
 */
export interface WriteClock {
  /** Time of the last write, in milliseconds. */
  lastMs: number;
}

const STEP_MS = 0.01;

/**
 * The time in seconds to set on a new file if its modification time is not later than that of earlier
 * files; otherwise undefined.
 */
export function ensureUniqueMtime({ mtimeMs }: Stats, clock: WriteClock): number | undefined {
  if (mtimeMs > clock.lastMs) {
    clock.lastMs = mtimeMs;
    return undefined;
  }
  clock.lastMs += STEP_MS;
  return clock.lastMs / 1000;
}
