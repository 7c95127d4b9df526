/**
 * A counter in shared memory that threads increment when they have filled a slot or left a window. A thread that shares the
 * work waits for it: a message would take longer than most chunks.
 */
const memory = new SharedArrayBuffer(4);
const counter = new Int32Array(memory);

export const bell = {
  memory,
  /** Whether this thread may block; the main thread of a browser may not. */
  canWait: canWait(),
  /** The state to pass to `wait`; read it before checking for work. */
  state: (): number => Atomics.load(counter, 0),
  /** Blocks this thread until the state has changed, for `ms` milliseconds at most. */
  wait: (state: number, ms: number): void => void Atomics.wait(counter, 0, state, ms),
} as const;

function canWait(): boolean {
  try {
    // Returns immediately, because the state differs.
    Atomics.wait(counter, 0, -1, 0);
    return true;
  } catch {
    return false;
  }
}

export function ringBell(shared: SharedArrayBuffer): void {
  const bells = new Int32Array(shared);
  Atomics.add(bells, 0, 1);
  Atomics.notify(bells, 0);
}
