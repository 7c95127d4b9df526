/** Checks of a chunk's values before they are stored: whether they changed, and their encoded size. */
import { sameBytes } from '#platform';
import { PIECE_BYTES } from '../bytes/copy-pieces.js';
import { contentBytes, type Items, sameItems } from '../bytes/items.js';
import type { MutableValues, Values } from '../bytes/values.js';
import { LimitError } from '../errors.js';
import type { YieldToEventLoop } from '../turns.js';

/** A snapshot of the items. Later writes only append bytes. */
export function snapshot({ starts, lengths, bytes }: Items): Items {
  return { starts: starts.slice(), lengths: lengths.slice(), bytes };
}

export async function sameValues(a: Values, b: Values, yieldToEventLoop: YieldToEventLoop): Promise<boolean> {
  if ('bytes' in a && 'bytes' in b) {
    for (let at = 0; at < a.bytes.length; at += PIECE_BYTES) {
      const [one, other] = [a.bytes, b.bytes].map((bytes) => bytes.subarray(at, at + PIECE_BYTES));
      if (one === undefined || other === undefined || !sameBytes(one, other)) return false;
      await yieldToEventLoop();
    }
    return true;
  }
  return 'items' in a && 'items' in b && sameItems(a.items, b.items);
}

/** Elements may share bytes in memory, but not in the stored chunk. @throws LimitError */
export function assertEncodable(values: MutableValues, allowed: number): void {
  const needed = 'items' in values ? contentBytes(values.items) : 0;
  if (needed <= allowed) return;
  throw new LimitError(`the chunk decodes to ${needed} bytes; maxDecodedBytes allows ${allowed}`, {
    excess: [{ limit: 'maxDecodedBytes', allowed, needed }],
  });
}
