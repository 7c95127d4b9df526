/** The memory that reads and computations need, from their costs. */
import {
  isStored,
  type LazySlice,
  MAX_ALIGNED_BYTES,
  partBounds,
  type PartBounds,
  type ResolvedSelection,
} from '../zarr/index.js';
import { READ_WINDOW_BYTES } from './sizes.js';

/** Estimated size of a value of variable length, in multiples of the size of its reference. */
const VARIABLE_FACTOR = 8;

export interface ReadNeed {
  /** Bytes reserved until the response has been sent. */
  readonly resultBytes: number;
  /** Bytes reserved until the read has ended. */
  readonly inFlightBytes: number;
  /** See `LazySlice.joinKey`. */
  readonly joinKey?: string | undefined;
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
    joinKey: slice.reduction?.input.joinKey,
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
  let positions = 0;
  for (const dim of selection.dims) if (dim.kind === 'list') positions += dim.at.length;
  return positions * LISTED_BYTES;
}

function chunksInFlight(input: LazySlice['inputs'][number], bounds?: PartBounds): number {
  const { chunks, decodedBytes, chunkBytes, stepBytes } = input.cost();
  const scratch = chunks === 0 ? 0 : stepBytes;
  // A chunk in flight takes the size of its largest decoding step.
  const inChunks = (bounds?.decodedBytes ?? decodedBytes) * (chunkBytes === 0 ? 1 : stepBytes / chunkBytes);
  return (
    Math.min(inChunks, Math.max(READ_WINDOW_BYTES, 2 * stepBytes)) + scratch + listedBytes(input.selection)
  );
}

/** Memory for downloading a slice, which is read in consecutive parts. */
export function bytesOfDownload(slice: LazySlice): number {
  const { resultBytes, inFlightBytes } = needOfRead(slice);
  const [input] = slice.inputs;
  const bounds = isStored(slice) || slice.planned !== undefined ? partBounds(slice) : undefined;
  // The current part, its text, and the previous part, which may not have been sent.
  const values = 3 * Math.min(resultBytes, bounds?.bytes ?? MAX_ALIGNED_BYTES);
  const isSingle = slice.inputs.length === 1 && input !== undefined && bounds !== undefined;
  return values + (isSingle ? Math.min(inFlightBytes, chunksInFlight(input, bounds)) : inFlightBytes);
}

/** Memory for the file of a link, in addition to that of the positions and labels of the slice. */
export function bytesOfFile(
  slice: LazySlice,
  form: { readonly ownBytes?: ((slice: LazySlice) => number) | undefined },
): number {
  return bytesOfDownload(slice) + (form.ownBytes?.(slice) ?? 0);
}
