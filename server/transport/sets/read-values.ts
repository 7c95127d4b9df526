import { type Block, type LazySlice, sizeOf } from '../../zarr/index.js';
import { blockPart } from '../block-part.js';
import type { ReadParts } from '../forms/form.js';

/** Reads elements `from` (inclusive) to `to` (exclusive) of a slice, as blocks of one dimension that stay valid. */
export async function readCopies(
  read: ReadParts,
  slice: LazySlice,
  from: number,
  to: number,
): Promise<readonly Block[]> {
  const blocks: Block[] = [];
  for await (const part of read(slice, { from, to })) {
    const start = Math.max(from, part.from);
    const end = Math.min(to, part.to);
    if (start < end) blocks.push(blockCopy(blockPart(part.block, start - part.from, end - part.from)));
  }
  return blocks;
}

/** A block that stays valid when the memory of the stream is reused. */
export function blockCopy(block: Block): Block {
  if ('bytes' in block) return { ...block, bytes: block.bytes.slice() };
  const { starts, lengths, bytes } = block.items;
  return { ...block, items: { starts: starts.slice(), lengths: lengths.slice(), bytes: bytes.slice() } };
}

/** All values of a slice as one block of one dimension, or several for values of variable length. */
export function readAll(read: ReadParts, slice: LazySlice): Promise<readonly Block[]> {
  return readCopies(read, slice, 0, sizeOf(slice.shape));
}
