/** A whole array, block after block. */
import type { Connection } from '../transport/connection.js';
import { planBlocks } from './block-plan.js';
import type { BlockArray } from './block-plan.js';
import type { AnyNDArray, DTypeName, NDArrayUnion } from '../ndarray/ndarray.js';
import { count } from '../options.js';
import type { RequestOptions } from '../transport/document.js';
import type { NodePlace } from '../writing/mutations.js';

export interface BlockOptions extends RequestOptions {
  /** A block takes at most so many bytes, but one chunk at least. @default 8 MiB */
  readonly maxBytes?: number | undefined;
  /** How many blocks may be on their way while one is being looked at. @default 2 */
  readonly ahead?: number | undefined;
}

/** A part of an array, made of whole chunks (fewer at the array's end). */
export interface ArrayBlock<D extends DTypeName = DTypeName> {
  /** Where it begins, an index a dimension. */
  readonly start: readonly number[];
  readonly values: NDArrayUnion<D>;
}

export async function* readBlocks(
  connection: Connection,
  place: NodePlace,
  array: BlockArray,
  { maxBytes = 8 * 2 ** 20, ahead = 2, signal, timeoutMs }: BlockOptions,
): AsyncGenerator<{ readonly start: readonly number[]; readonly values: AnyNDArray }, void> {
  const most = count('ahead', ahead, 0, 64);
  // What is under way when the consumer stops is given up.
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  const plan = planBlocks(array, count('maxBytes', maxBytes, 1));
  const underWay: { readonly start: readonly number[]; readonly values: Promise<AnyNDArray> }[] = [];
  const next = () => {
    const { done, value: region } = plan.next();
    if (done === true) return;
    const dims = region.start.map((start, d) => ({
      slice: { start, stop: region.stop[d] ?? start, step: 1 },
    }));
    // Each alone: together they might go past the gateway's limits.
    const question = { request: { ...place, select: { dims } }, coordinates: false, alone: true };
    const values = connection.slice(question, { signal: controller.signal, timeoutMs });
    // A failure counts when its block's turn comes.
    values.catch(() => undefined);
    underWay.push({ start: region.start, values });
  };
  try {
    for (let i = 0; i <= most; i++) next();
    for (let block = underWay.shift(); block !== undefined; block = underWay.shift()) {
      const values = await block.values;
      yield { start: block.start, values };
      next();
    }
  } finally {
    controller.abort();
    signal?.removeEventListener('abort', abort);
  }
}
