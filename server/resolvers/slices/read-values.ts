/** Reads the values of a slice for a request: through the result cache, or into lent memory. */
import type { ResultLoans } from '../../memory/lent-results.js';
import { type Block, type LazySlice, sizeOf, type SliceReadOptions } from '../../zarr/index.js';
import { resultKey, type ResultScope } from '../analysis/results.js';
import type { SliceModel } from '../models.js';

/**
 * Minimum output in bytes for caching the values of a repeated slice, which saves placing them into fresh memory
 * (figures: bench/records.md, "Measured constants").
 */
const MIN_CACHED_BYTES = 2 ** 16;

/**
 * Reads through the result cache if values are reduced, or if many values are sent that come from several
 * chunks. For all other values, caching the chunks is sufficient.
 */
export function readValues(
  model: SliceModel,
  { budget, signal, results, valuesAreSent, loans }: ResultScope,
): Promise<Block> {
  const { slice } = model;
  const { reducedBytes, chunks, outputBytes = 0 } = slice.cost();
  const isReduced = reducedBytes > 0;
  // A single chunk is sent from the memory of the cache.
  const isPlaced = !isReduced && chunks > 1;
  const readAlone =
    isPlaced && loans !== undefined
      ? (options: SliceReadOptions): Promise<Block> => readLent(slice, options, loans())
      : undefined;
  if (!isReduced && (!valuesAreSent || !isPlaced || outputBytes < MIN_CACHED_BYTES))
    return budget.read(slice, signal, readAlone);
  return budget.read(slice, signal, (options) =>
    results.values.get(
      {
        key: resultKey(model, slice.inputs, [slice.dtype, slice.shape]),
        inputs: slice.inputs,
        joinKey: slice.reduction?.input.joinKey,
        isReadOnly: valuesAreSent,
        isCheap: !isReduced,
        run: (stop, onVersion) => slice.read({ ...options, signal: stop, onVersion }),
        runAlone: (stop) => {
          const alone = { ...options, signal: stop };
          return readAlone === undefined ? slice.read(alone) : readAlone(alone);
        },
      },
      signal,
    ),
  );
}

function readLent(slice: LazySlice, options: SliceReadOptions, loans: ResultLoans): Promise<Block> {
  const { dtype, shape, takesOut } = slice;
  if (!takesOut || dtype.itemSize === null) return slice.read(options);
  return loans.lend(sizeOf(shape) * dtype.itemSize, (out) =>
    slice.read(out === undefined ? options : { ...options, out }),
  );
}
