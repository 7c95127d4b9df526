/** Jobs that decode or encode one chunk of variable length on a thread. */
import type { Items } from '../core/bytes/items.js';
import type { CodecChain } from '../format/codec/codec.js';
import type { DecodedChunk } from '../format/codec/run-chain.js';
import type { PoolThread } from './pool-thread.js';
import { heldBytes, itemBytes } from '../core/dtype/item-values.js';
import { decodedOf, errorOf } from './outcomes.js';

/**
 * @returns the chunk, in separate memory.
 * @throws errors from decodeChunk; AbortedError if the signal fires
 */
export async function decodeItemsOn(
  thread: PoolThread,
  chain: CodecChain,
  encoded: Uint8Array,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<DecodedChunk> {
  const outcome = await thread.decodeItems(chain, encoded, limit, signal);
  const decoded = decodedOf(outcome, undefined);
  if (!('chunk' in decoded)) throw errorOf(outcome);
  const { values } = decoded.chunk;
  thread.retireAfter(encoded.length + ('items' in values ? heldBytes(values.items) : 0));
  return decoded.chunk;
}

/** @param items items, which are transferred. @throws errors from encoding */
export async function encodeItemsOn(
  thread: PoolThread,
  chain: CodecChain,
  { starts, lengths, bytes }: Items,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const items = { starts, lengths, bytes };
  const worked = heldBytes(items) + itemBytes(items);
  const buffers = new Set<ArrayBuffer>();
  for (const { buffer } of [starts, lengths, bytes]) if (buffer instanceof ArrayBuffer) buffers.add(buffer);
  const outcome = await thread.encodeItems(chain, items, [...buffers], signal);
  thread.retireAfter(worked);
  if (outcome !== undefined && 'encoded' in outcome) return outcome.encoded;
  throw errorOf(outcome);
}
