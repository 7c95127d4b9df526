/**
 * Fast path for reads of exactly one cached chunk. Readers that do not modify the values receive the memory
 * of the cache without a copy. Reading a chunk of 512 KiB is 10 times as fast (Node 20).
 */
import { sizeOf, stridesOf } from '../bytes/shape.js';
import { isFixedSize, type Block } from '../dtype/data-type.js';
import type { CachedChunk } from './chunk-cache.js';
import type { ChunkSource } from './fetch.js';
import { planTasks, type ReadPlan } from './plan.js';
import type { ReadSettings } from './read.js';

/** @returns undefined if this does not apply to the read, or the chunk has changed */
export async function readSharedChunk(
  plan: ReadPlan,
  source: ChunkSource,
  { cache, signal, onVersion }: ReadSettings,
): Promise<Block | undefined> {
  const { dtype, transform, shape, cost } = plan;
  if (
    transform !== undefined ||
    cache === undefined ||
    cost.chunks !== 1 ||
    !isFixedSize(dtype) ||
    cost.outputBytes !== cost.chunkBytes
  )
    return undefined;
  const [task] = planTasks(plan);
  const cached = task?.contiguous === true ? cache.chunksOf(source.cacheKey).get(task.place) : undefined;
  const bytes = cached === undefined ? undefined : bytesInOrder(plan, cached);
  if (task === undefined || cached === undefined || bytes === undefined) return undefined;
  const key = { object: source.objectKey(task.place.object), entries: task.place.entries };
  let isCurrent = false;
  await source.store.getMany(
    [{ key, ifNoneMatch: cached.version }],
    (_, answer) => {
      isCurrent = answer === 'unchanged';
    },
    { signal },
  );
  if (!isCurrent) return undefined;
  onVersion?.(key.object, cached.version);
  return { dtype, shape, bytes };
}

/** The bytes of the chunk if its elements are in the order of the array. */
function bytesInOrder(
  { layout, dtype, shape, cost }: ReadPlan,
  { chunk }: CachedChunk,
): Uint8Array | undefined {
  if (!('bytes' in chunk.values) || chunk.values.bytes.length !== cost.chunkBytes) return undefined;
  if (sizeOf(shape) * (dtype.itemSize ?? 0) !== cost.chunkBytes) return undefined;
  const wanted = stridesOf(layout.chunk.shape, dtype.itemSize ?? 0);
  return wanted.every((stride, d) => layout.chunkStrides[d] === stride) ? chunk.values.bytes : undefined;
}
