/** Memory for the reads of one request. */
import { isStored, type LazySlice, type PlanCost } from '../zarr/index.js';
import type { MemoryLease } from './lease.js';
import { READ_WINDOW_BYTES } from './sizes.js';

/** A stored value of variable length, before its size is known, for each byte of the reference to it. */
const VARIABLE_FACTOR = 8;

export interface ReadNeed {
  /** Held until the answer has left. */
  readonly resultBytes: number;
  /** Held until the read has ended. */
  readonly inFlightBytes: number;
}

/** What reading a slice takes, by its plan: its inputs may be read side by side. */
export function needOfRead(slice: LazySlice): ReadNeed {
  const { outputBytes, allocatedBytes, intermediateBytes } = slice.cost();
  // JSON takes structs apart into lists of fields.
  const copies = slice.dtype.name === 'struct' ? 2 : 1;
  const isVariable = isStored(slice) && outputBytes === undefined;
  return {
    resultBytes: allocatedBytes * (isVariable ? VARIABLE_FACTOR : copies),
    inFlightBytes: slice.inputs.reduce((sum, input) => sum + chunksInFlight(input.cost()), intermediateBytes),
  };
}

function chunksInFlight({ chunks, decodedBytes, chunkBytes, stepBytes }: PlanCost): number {
  const scratch = chunks === 0 ? 0 : stepBytes;
  // Chunks in flight take what their codecs make of them.
  const inChunks = decodedBytes * (chunkBytes === 0 ? 1 : stepBytes / chunkBytes);
  return Math.min(inChunks, Math.max(READ_WINDOW_BYTES, 2 * stepBytes)) + scratch;
}

/** What downloading a slice takes, which is read in parts of up to `partBytes`, one after the other. */
export function bytesOfDownload(slice: LazySlice, partBytes: number): number {
  const { resultBytes, inFlightBytes } = needOfRead(slice);
  // The part, its text, and the part before it, which may not have been sent.
  return 3 * Math.min(resultBytes, partBytes) + inFlightBytes;
}

export interface ReadMemory {
  /** @returns undefined where the read may begin at once. @throws and rejects as `MemoryLease.take` */
  begin(need: ReadNeed, signal: AbortSignal | undefined): Promise<void> | undefined;
  /** The read has ended. @param heldBytes of its result, where it is larger than was known */
  end(need: ReadNeed, heldBytes?: number): void;
  /** The read has failed: there is no result. */
  fail(need: ReadNeed): void;
}

/**
 * The reads of a request run side by side as long as what they have in flight fits a window; the others of the same
 * request follow. Otherwise a request of many reads would need far more at once than its answer.
 */
export function createReadMemory(lease: MemoryLease): ReadMemory {
  let inFlight = 0;
  let waiting: (() => void)[] = [];

  function hasRoom({ inFlightBytes }: ReadNeed): boolean {
    return inFlight === 0 || inFlight + inFlightBytes <= READ_WINDOW_BYTES;
  }

  function leave({ inFlightBytes }: ReadNeed): void {
    inFlight -= inFlightBytes;
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  }

  async function beginLater(need: ReadNeed, signal: AbortSignal | undefined): Promise<void> {
    while (!hasRoom(need))
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
    await enter(need, signal);
  }

  function enter(need: ReadNeed, signal: AbortSignal | undefined): Promise<void> | undefined {
    inFlight += need.inFlightBytes;
    try {
      return lease.take(need.resultBytes + need.inFlightBytes, { signal })?.catch((error: unknown) => {
        leave(need);
        throw error;
      });
    } catch (error) {
      leave(need);
      throw error;
    }
  }

  return {
    begin: (need, signal) => (hasRoom(need) ? enter(need, signal) : beginLater(need, signal)),
    end(need, heldBytes = 0) {
      lease.add(heldBytes - need.resultBytes);
      lease.give(need.inFlightBytes);
      leave(need);
    },
    fail(need) {
      lease.give(need.inFlightBytes + need.resultBytes);
      leave(need);
    },
  };
}
