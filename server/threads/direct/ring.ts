/**
 * Shared slots between one thread and the owner of a read: the thread fills them in turn, the owner copies their
 * contents into an ordinary buffer, which threads cannot write to. One writer, one reader.
 *
 *     int32: whether the owner sleeps
 *     3 int32 per slot: full, window, task
 *     the slots
 */

const SLEEPING = 0;
const HEAD_INTS = 1;
const SLOT_INTS = 3;
/** Alignment of slots in bytes, suitable for elements of every size. */
const ALIGNMENT = 64;

/** Contents of a slot: the regions of a task's chunks, one after the other; see `alignedBytes`. */
export interface FilledSlot {
  readonly window: number;
  readonly task: number;
  readonly bytes: Uint8Array;
}

function slotsAt(slots: number): number {
  return Math.ceil(((HEAD_INTS + slots * SLOT_INTS) * 4) / ALIGNMENT) * ALIGNMENT;
}

export function allocateRing(slots: number, slotBytes: number): SharedArrayBuffer {
  const each = Math.ceil(slotBytes / ALIGNMENT) * ALIGNMENT;
  return new SharedArrayBuffer(slotsAt(slots) + slots * each);
}

interface View {
  readonly control: Int32Array;
  readonly slots: readonly Uint8Array[];
}

function viewOf(ring: SharedArrayBuffer, slots: number): View {
  const at = slotsAt(slots);
  const each = (ring.byteLength - at) / slots;
  return {
    control: new Int32Array(ring, 0, HEAD_INTS + slots * SLOT_INTS),
    slots: Array.from({ length: slots }, (_, i) => new Uint8Array(ring, at + i * each, each)),
  };
}

export const RING_SLOTS = 4;

/** The thread's end. */
export class RingWriter {
  readonly #view: View;
  #next = 0;

  constructor(ring: SharedArrayBuffer) {
    this.#view = viewOf(ring, RING_SLOTS);
  }

  /**
   * Waits until the next slot is empty.
   * @param isCancelled whether to stop waiting
   * @returns the memory of the slot; undefined if cancelled
   */
  acquire(isCancelled: () => boolean): Uint8Array | undefined {
    const { control, slots } = this.#view;
    const at = HEAD_INTS + this.#next * SLOT_INTS;
    while (Atomics.load(control, at) !== 0) {
      if (isCancelled()) return undefined;
      Atomics.wait(control, at, 1, 100);
    }
    return slots[this.#next];
  }

  /** Publishes the acquired slot. @returns whether the owner must be woken */
  publish(window: number, task: number): boolean {
    const { control } = this.#view;
    const at = HEAD_INTS + this.#next * SLOT_INTS;
    this.#next = (this.#next + 1) % RING_SLOTS;
    Atomics.store(control, at + 1, window);
    Atomics.store(control, at + 2, task);
    Atomics.store(control, at, 1);
    return Atomics.exchange(control, SLEEPING, 0) === 1;
  }
}

/** The owner's end. */
export class RingReader {
  readonly #view: View;
  #next = 0;

  constructor(ring: SharedArrayBuffer) {
    this.#view = viewOf(ring, RING_SLOTS);
  }

  /** The oldest filled slot; it remains filled until `release`. */
  peek(): FilledSlot | undefined {
    const { control, slots } = this.#view;
    const at = HEAD_INTS + this.#next * SLOT_INTS;
    const bytes = slots[this.#next];
    if (bytes === undefined || Atomics.load(control, at) === 0) return undefined;
    return { window: Atomics.load(control, at + 1), task: Atomics.load(control, at + 2), bytes };
  }

  release(): void {
    const { control } = this.#view;
    const at = HEAD_INTS + this.#next * SLOT_INTS;
    this.#next = (this.#next + 1) % RING_SLOTS;
    Atomics.store(control, at, 0);
    Atomics.notify(control, at);
  }

  /** Requests a message when the next slot is filled. @returns false if one is already filled */
  sleep(): boolean {
    Atomics.store(this.#view.control, SLEEPING, 1);
    if (this.peek() === undefined) return true;
    Atomics.store(this.#view.control, SLEEPING, 0);
    return false;
  }
}
