/** The frames of an animation that are read ahead. */
import type { LoadedPlane } from './load-plane.js';

interface Frame {
  readonly plane: Promise<LoadedPlane>;
  readonly stop: AbortController;
}

/** Two planes may be shown side by side, each with its next frames. */
const MAX_FRAMES = 6;

/** By the key of the plane, oldest first. */
const frames = new Map<string, Frame>();

/** Starts to read a frame, unless it is being read. */
export function readAhead(key: string, load: (signal: AbortSignal) => Promise<LoadedPlane>): void {
  if (frames.has(key)) return;
  for (const [oldest] of frames) {
    if (frames.size < MAX_FRAMES) break;
    drop(oldest);
  }
  const stop = new AbortController();
  const plane = load(stop.signal);
  // The reader of the frame reports the error.
  plane.catch(() => {});
  frames.set(key, { plane, stop });
}

/** The frame if it was read ahead. It can be taken once. */
export function takeFrame(key: string): Promise<LoadedPlane> | undefined {
  const frame = frames.get(key);
  frames.delete(key);
  return frame?.plane;
}

export function dropFrames(): void {
  for (const key of [...frames.keys()]) drop(key);
}

function drop(key: string): void {
  frames.get(key)?.stop.abort();
  frames.delete(key);
}
