/** The rings of one read, one a thread. Memory of rings that are empty serves the next read of the same thread. */
import type { DirectPort } from '../pool/direct-port.js';
import { allocateRing, RingReader, ringSlots, type FilledSlot } from './ring.js';

/** Slots of this size are kept for other reads; larger chunks get slots of their own. */
export const usualSlotBytes = 2 ** 20;
/** Rings that are kept for one thread. */
const maxKept = 2;

const kept = new WeakMap<DirectPort, SharedArrayBuffer[]>();

interface OwnedRing {
  readonly memory: SharedArrayBuffer;
  readonly reader: RingReader;
}

export class Rings {
  readonly #slotBytes: number;
  readonly #rings = new Map<DirectPort, OwnedRing>();

  constructor(slotBytes: number) {
    this.#slotBytes = slotBytes;
  }

  /** The ring of a thread, made when first asked for. */
  of(port: DirectPort): SharedArrayBuffer {
    const known = this.#rings.get(port);
    if (known !== undefined) return known.memory;
    const free = this.#slotBytes === usualSlotBytes ? kept.get(port)?.pop() : undefined;
    const memory = free ?? allocateRing(ringSlots, this.#slotBytes);
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

  /** Only once all threads have replied and every slot is drained. */
  release(): void {
    for (const [port, { memory }] of this.#rings) {
      const free = kept.get(port) ?? [];
      if (this.#slotBytes === usualSlotBytes && free.length < maxKept) free.push(memory);
      kept.set(port, free);
    }
    this.#rings.clear();
  }
}
