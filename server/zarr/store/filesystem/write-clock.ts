/** Times of written files, kept apart: a version is made of them. */
import type { Stats } from 'node:fs';

/** Files written within one tick of the kernel's clock (4 ms) would share their time, and with it perhaps the version. */
export interface WriteClock {
  /** The time of the newest write, in milliseconds. */
  lastMs: number;
}

const stepMs = 0.01;

/** The time in seconds that a file just written must be given, if its own is not later than all before. */
export function tellApart({ mtimeMs }: Stats, clock: WriteClock): number | undefined {
  if (mtimeMs > clock.lastMs) {
    clock.lastMs = mtimeMs;
    return undefined;
  }
  clock.lastMs += stepMs;
  return clock.lastMs / 1000;
}
