/** Reads a whole array in blocks, and several slices with independent outcomes. */
import type { AnyNDArray, DTypeName, NDArrayUnion } from '../ndarray/ndarray.js';
import { count } from '../options.js';
import type { Connection } from '../transport/connection.js';
import type { RequestOptions } from '../transport/document.js';
import type { NodeLocation } from '../writing/mutations.js';
import { type BlockArray, planBlocks } from './plan-blocks.js';

export interface BlockOptions extends RequestOptions {
  /** Maximum size of a block in bytes; a block has at least one chunk. @default 8 MiB */
  readonly maxBytes?: number | undefined;
  /** Number of prefetched blocks. @default 2 */
  readonly ahead?: number | undefined;
}

/** A part of an array made of whole chunks, clipped at the end of the array. */
export interface ArrayBlock<D extends DTypeName = DTypeName> {
  /** Position of the first value, one index per dimension. */
  readonly start: readonly number[];
  readonly values: NDArrayUnion<D>;
}

export async function* readBlocks(
  connection: Connection,
  location: NodeLocation,
  array: BlockArray,
  { maxBytes = 8 * 2 ** 20, ahead = 2, signal, timeoutMs }: BlockOptions,
): AsyncGenerator<{ readonly start: readonly number[]; readonly values: AnyNDArray }, void> {
  const most = count('ahead', ahead, 0, 64);
  // Cancels prefetched blocks when the consumer stops.
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  const plan = planBlocks(array, count('maxBytes', maxBytes, 1));
  const inFlight: { readonly start: readonly number[]; readonly values: Promise<AnyNDArray> }[] = [];
  const next = () => {
    const { done, value: region } = plan.next();
    if (done === true) return;
    const dims = region.start.map((start, d) => ({
      slice: { start, stop: region.stop[d] ?? start, step: 1 },
    }));
    // Each block is a separate request, because all blocks together might exceed the gateway's limits.
    const params = { request: { ...location, select: { dims } }, coordinates: false, alone: true };
    const values = connection.slice(params, { signal: controller.signal, timeoutMs });
    // An error is thrown when the consumer reaches its block.
    values.catch(() => undefined);
    inFlight.push({ start: region.start, values });
  };
  try {
    for (let i = 0; i <= most; i++) next();
    for (let block = inFlight.shift(); block !== undefined; block = inFlight.shift()) {
      const values = await block.values;
      yield { start: block.start, values };
      next();
    }
  } finally {
    controller.abort();
    signal?.removeEventListener('abort', abort);
  }
}
