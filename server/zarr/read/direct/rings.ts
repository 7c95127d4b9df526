/** The rings of one read, one a thread. Memory of rings that are empty serves the next read of the same thread. */
import type { DirectPort } from '../pool/direct-port.js';
import { allocateRing, RingReader, ringSlots, type FilledSlot } from './ring.js';

/** Largest region that goes through a ring. */
export const slotBytes = 2 ** 20;
/**
 * Reads that use rings at the same time; others go through the pipeline. Rings are kept and used again, because the
 * garbage collector frees shared memory late: at 4 slots of 1 MiB, a thread has at most 16 MiB of them.
 */
const maxReads = 4;

let reads = 0;

/** Whether a read may use rings now. */
export function hasFreeRings(): boolean {
  return reads < maxReads;
}

const kept = new WeakMap<DirectPort, SharedArrayBuffer[]>();

interface OwnedRing {
  readonly memory: SharedArrayBuffer;
  readonly reader: RingReader;
}

export class Rings {
  readonly #rings = new Map<DirectPort, OwnedRing>();

  constructor() {
    reads++;
  }

  /** The ring of a thread, made when first asked for. */
  of(port: DirectPort): SharedArrayBuffer {
    const known = this.#rings.get(port);
    if (known !== undefined) return known.memory;
    const memory = kept.get(port)?.pop() ?? allocateRing(ringSlots, slotBytes);
    this.#rings.set(port, { memory, reader: new RingReader(memory) });
    return memory;
  }

  /** Hands the oldest filled slot of some thread to `use`, which copies it. @returns false where no slot is filled */
  drainOne(use: (slot: FilledSlot) => void): boolean {
    for (const { reader } of this.#rings.values()) {
      const slot = reader.peek();
      if (slot === undefined) continue;
      use(slot);
      reader.release();
      return true;
    }
    return false;
  }

  /** Asks all threads to wake this one. @returns false where a slot is filled already */
  sleep(): boolean {
    let isEmpty = true;
    for (const { reader } of this.#rings.values()) isEmpty = reader.sleep() && isEmpty;
    return isEmpty;
  }

  /** A thread was lost: what it left is not used again. */
  drop(port: DirectPort): void {
    this.#rings.delete(port);
  }

  /** Once, when all threads have replied and every slot is drained. */
  release(): void {
    reads--;
    for (const [port, { memory }] of this.#rings) {
      const free = kept.get(port) ?? [];
      free.push(memory);
      kept.set(port, free);
    }
    this.#rings.clear();
  }
}
