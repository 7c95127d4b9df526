/** The rings of one read, one per thread. Empty rings are reused by the thread's next read. */
import type { DirectPort } from './direct-port.js';
import type { Destination } from './direct/protocol.js';
import { allocateRing, RingReader, RING_SLOTS, type FilledSlot } from './direct/ring.js';

/** Maximum size, in bytes, of a region that is passed through a ring. */
export const SLOT_BYTES = 2 ** 20;
/**
 * Maximum number of reads that use rings at the same time; other reads use the pipeline. Rings are reused,
 * because the garbage collector frees shared memory late. With 4 slots of 1 MiB each, the rings of a thread
 * take at most 16 MiB.
 */
const MAX_READS = 4;

let reads = 0;

/** Whether a read may use rings now. */
export function hasFreeRings(): boolean {
  return reads < MAX_READS;
}

interface Ring {
  readonly id: number;
  readonly memory: SharedArrayBuffer;
}

const kept = new WeakMap<DirectPort, Ring[]>();
let rings = 0;

interface OwnedRing {
  readonly ring: Ring;
  readonly reader: RingReader;
}

export class Rings {
  readonly #rings = new Map<DirectPort, OwnedRing>();

  constructor() {
    reads++;
  }

  /** The ring of a thread for this read. A ring from an earlier read need not be sent again. */
  of(port: DirectPort): Destination {
    const free = kept.get(port)?.pop();
    const ring = free ?? { id: ++rings, memory: allocateRing(RING_SLOTS, SLOT_BYTES) };
    this.#rings.set(port, { ring, reader: new RingReader(ring.memory) });
    return { kind: 'ring', ring: ring.id, memory: free === undefined ? ring.memory : undefined };
  }

  /**
   * Passes the oldest filled slot of a thread to `use`, which copies it.
   * @returns false if no slot is filled
   */
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

  /** Requests a message from all threads. @returns false if a slot is already filled */
  sleep(): boolean {
    let isEmpty = true;
    for (const { reader } of this.#rings.values()) isEmpty = reader.sleep() && isEmpty;
    return isEmpty;
  }

  /** Discards the ring of a lost thread. */
  drop(port: DirectPort): void {
    this.#rings.delete(port);
  }

  /** Discards all rings: their slots may be filled. */
  discard(): void {
    this.#rings.clear();
  }

  /** Call this once, when all threads have replied and every slot is copied. */
  release(): void {
    reads--;
    for (const [port, { ring }] of this.#rings) {
      const free = kept.get(port) ?? [];
      free.push(ring);
      kept.set(port, free);
    }
    this.#rings.clear();
  }
}
