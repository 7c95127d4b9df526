/** Memory for the reads of one request. */
import { isStored, type LazySlice, MAX_ALIGNED_BYTES, type ResolvedSelection } from '../zarr/index.js';
import type { MemoryLease } from './lease.js';
import type { OutputMemory } from './output-memory.js';
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
    inFlightBytes: inFlightOf(slice, intermediateBytes),
  };
}

/** Memory for computing a result that is not a slice. */
export function needOfWork(work: Pick<LazySlice, 'inputs' | 'cost'>): ReadNeed {
  const { allocatedBytes, intermediateBytes } = work.cost();
  return { resultBytes: allocatedBytes, inFlightBytes: inFlightOf(work, intermediateBytes) };
}

function inFlightOf(
  { inputs, readBefore = [] }: Pick<LazySlice, 'inputs' | 'readBefore'>,
  intermediateBytes: number,
): number {
  const before = new Set(readBefore);
  let [together, largestBefore] = [0, 0];
  for (const input of inputs) {
    if (before.has(input)) largestBefore = Math.max(largestBefore, chunksInFlight(input));
    else together += chunksInFlight(input);
  }
  return intermediateBytes + Math.max(together, largestBefore);
}

/** Memory of each listed position: its position in its chunk, and its offset in bytes. */
const LISTED_BYTES = 16;

/** Memory of the lists of positions of a selection while it is read. */
function listedBytes(selection: ResolvedSelection): number {
  if (selection.kind === 'points') return selection.at.length * selection.count * LISTED_BYTES;
  return selection.dims.reduce(
    (sum, dim) => sum + (dim.kind === 'list' ? dim.at.length * LISTED_BYTES : 0),
    0,
  );
}

function chunksInFlight(input: LazySlice['inputs'][number]): number {
  const { chunks, decodedBytes, chunkBytes, stepBytes } = input.cost();
  const scratch = chunks === 0 ? 0 : stepBytes;
  // A chunk in flight takes the size of its largest decoding step.
  const inChunks = decodedBytes * (chunkBytes === 0 ? 1 : stepBytes / chunkBytes);
  return (
    Math.min(inChunks, Math.max(READ_WINDOW_BYTES, 2 * stepBytes)) + scratch + listedBytes(input.selection)
  );
}

/** Memory for downloading a slice, which is read in consecutive parts of up to `partBytes`. */
export function bytesOfDownload(slice: LazySlice, partBytes: number): number {
  const { resultBytes, inFlightBytes } = needOfRead(slice);
  // The current part, its text, and the previous part, which may not have been sent.
  return 3 * Math.min(resultBytes, partBytes) + inFlightBytes;
}

/** Memory for the file of a link, in addition to that of the positions and labels of the slice. */
export function bytesOfFile(
  slice: LazySlice,
  form: { readonly ownBytes?: ((slice: LazySlice) => number) | undefined },
): number {
  return bytesOfDownload(slice, MAX_ALIGNED_BYTES) + (form.ownBytes?.(slice) ?? 0);
}

export interface ReadMemory {
  /**
   * Runs a read with its memory. Calls `run` before it returns, if the read may start immediately: reads that are
   * requested in one tick must start in the same tick, so that the store can coalesce them.
   * @param heldBy returns the size of the result, in case it is larger than estimated
   * @throws errors from `MemoryLease.take` and `run`
   */
  hold<T>(
    need: ReadNeed,
    signal: AbortSignal | undefined,
    run: () => Promise<T>,
    heldBy: (result: T) => number,
  ): Promise<T>;
}

/**
 * Reads of one request run concurrently as long as their chunks in flight fit in a window; further reads of the
 * same request wait. Otherwise, a request with many reads would need far more memory than its response.
 */
export function createReadMemory(lease: MemoryLease, outputs?: OutputMemory): ReadMemory {
  let inFlight = 0;
  let waiting: (() => void)[] = [];

  function fits({ inFlightBytes }: ReadNeed): boolean {
    return inFlight === 0 || inFlight + inFlightBytes <= READ_WINDOW_BYTES;
  }

  function wakeWaiting(): void {
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  }

  return {
    async hold(need, signal, run, heldBy) {
      while (!fits(need)) await new Promise<void>((resolve) => waiting.push(resolve));
      const { resultBytes, inFlightBytes } = need;
      inFlight += inFlightBytes;
      try {
        const granted = lease.take(resultBytes + inFlightBytes, { signal });
        if (granted !== undefined) await granted;
        try {
          const result = await run();
          const held = heldBy(result);
          lease.add(held - resultBytes);
          if (typeof result === 'object' && result !== null)
            outputs?.hold(result, Math.max(held, resultBytes));
          return result;
        } catch (error) {
          lease.give(resultBytes);
          throw error;
        } finally {
          lease.give(inFlightBytes);
        }
      } finally {
        inFlight -= inFlightBytes;
        wakeWaiting();
      }
    },
  };
}
