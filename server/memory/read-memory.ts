/** Memory for the reads of one request. */
import { isStored, type LazySlice } from '../zarr/index.js';
import type { MemoryLease } from './lease.js';
import { READ_WINDOW_BYTES } from './sizes.js';

/** Estimated size of a value of variable length, in multiples of the size of its reference. */
const VARIABLE_FACTOR = 8;

export interface ReadNeed {
  /** Bytes reserved until the response has been sent. */
  readonly resultBytes: number;
  /** Bytes reserved until the read has ended. */
  readonly inFlightBytes: number;
}

/** Memory for reading a slice, from its plan. Its inputs may be read concurrently. */
export function needOfRead(slice: LazySlice): ReadNeed {
  const { outputBytes, allocatedBytes, intermediateBytes } = slice.cost();
  // JSON output splits structs into lists of fields.
  const copies = slice.dtype.name === 'struct' ? 2 : 1;
  const isVariable = isStored(slice) && outputBytes === undefined;
  return {
    resultBytes: allocatedBytes * (isVariable ? VARIABLE_FACTOR : copies),
    inFlightBytes: inFlightOf(slice.inputs, intermediateBytes),
  };
}

/** Memory for computing a result that is not a slice. */
export function needOfWork({ inputs, cost }: Pick<LazySlice, 'inputs' | 'cost'>): ReadNeed {
  const { allocatedBytes, intermediateBytes } = cost();
  return { resultBytes: allocatedBytes, inFlightBytes: inFlightOf(inputs, intermediateBytes) };
}

function inFlightOf(inputs: LazySlice['inputs'], intermediateBytes: number): number {
  let bytes = intermediateBytes;
  for (const input of inputs) {
    const { chunks, decodedBytes, chunkBytes, stepBytes } = input.cost();
    const scratch = chunks === 0 ? 0 : stepBytes;
    // A chunk in flight takes the size of its largest decoding step.
    const inChunks = decodedBytes * (chunkBytes === 0 ? 1 : stepBytes / chunkBytes);
    bytes += Math.min(inChunks, Math.max(READ_WINDOW_BYTES, 2 * stepBytes)) + scratch;
  }
  return bytes;
}

/** Memory for downloading a slice, which is read in consecutive parts of up to `partBytes`. */
export function bytesOfDownload(slice: LazySlice, partBytes: number): number {
  const { resultBytes, inFlightBytes } = needOfRead(slice);
  // The current part, its text, and the previous part, which may not have been sent.
  return 3 * Math.min(resultBytes, partBytes) + inFlightBytes;
}

export interface ReadMemory {
  /** @returns undefined if the read may start immediately. @throws errors from `MemoryLease.take` */
  begin(need: ReadNeed, signal: AbortSignal | undefined): Promise<void> | undefined;
  /**
   * Call this when the read has ended.
   * @param heldBytes size of its result, if it is larger than estimated
   */
  end(need: ReadNeed, heldBytes?: number): void;
  /** Call this when the read has failed. */
  fail(need: ReadNeed): void;
}

/**
 * Reads of one request run concurrently as long as their chunks in flight fit in a window; further reads of the
 * same request wait. Otherwise, a request with many reads would need far more memory than its response.
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
