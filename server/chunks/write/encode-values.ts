/**
 * Encodes the new values of chunks, on a thread if it has capacity, and omits chunks that contain only the fill value.
 */
import { allocateUninitialised, sameBytes } from '#platform';
import { encodedBuffers } from '../../core/bytes/buffer-pool.js';
import { PIECE_BYTES } from '../../core/bytes/strided-copy.js';
import { contentBytes, type Items, sameItems } from '../../core/bytes/items.js';
import { sizeOf } from '../../core/bytes/shape.js';
import type { MutableValues, Values } from '../../core/bytes/values.js';
import { encodeChunk, isTrivial } from '../../format/codec/run-chain.js';
import { isAllFill } from '../../core/dtype/is-all-fill.js';
import { itemBytes } from '../../core/dtype/item-values.js';
import { LimitError } from '../../core/errors.js';
import { isQuicklyEncoded } from '../../threads/decode-in-pool.js';
import { LARGE_CHUNK_BYTES } from '../../core/bytes/large-buffers.js';
import { valuesOf, type Encoded, type Workspace } from '../../threads/workspace.js';
import type { Pause } from '../../core/turns.js';
import type { ChunkEdit, Edit, EditResources, StagedContent, EditTally, ChunkContext } from './edit.js';
import type { ChunkForm } from '../../format/plan/layout.js';
import { isLarge } from './open-chunk.js';

/** Size of the values of a chunk in bytes; undefined if it is variable or the chunk has separate memory. */
export function workspaceBytes({ chain }: ChunkForm): number | undefined {
  const { dtype, shape } = chain.rep;
  const bytes = dtype.itemSize === null ? Infinity : sizeOf(shape) * dtype.itemSize;
  return bytes <= LARGE_CHUNK_BYTES ? bytes : undefined;
}

/** Reserves memory for the values of up to `count` chunks, shared with a thread or private to this one. */
export async function openWorkspace(
  context: ChunkContext,
  form: ChunkForm,
  chunkBytes: number,
  count: number,
  writes: boolean,
): Promise<Workspace> {
  const { threads, signal } = context;
  const options = { writes, waits: !threads.here, signal };
  const shared = threads.pool?.reserve(form.chain, chunkBytes, count, options);
  return (await shared) ?? ownWorkspace(context, form, chunkBytes, count);
}

function ownWorkspace(
  context: ChunkContext,
  { chain }: ChunkForm,
  chunkBytes: number,
  count: number,
): Workspace {
  const bytes = chunkBytes * count;
  // Stores may use bytes after the release, so memory is not reused if the stored bytes are in it.
  let isReused = !isTrivial(chain);
  const memory = isReused ? encodedBuffers.acquire(bytes) : allocateUninitialised(bytes);
  return {
    memory,
    isShared: false,
    async encode(request) {
      const encoded: Uint8Array[] = [];
      for (const values of valuesOf(memory, chunkBytes, request.count)) {
        if (encoded.length > 0) await context.pause();
        const bytes = encodeChunk(chain, { bytes: values });
        isReused &&= bytes.buffer !== memory.buffer;
        encoded.push(bytes);
      }
      return encoded;
    },
    release() {
      if (isReused) encodedBuffers.release(memory);
    },
  };
}

/**
 * Runs the edit of a chunk that is a separate object.
 * @returns the bytes to store, see `Edit.run`
 */
export async function encodeEdit(
  context: ChunkContext,
  edit: ChunkEdit,
  old: Uint8Array | undefined,
  tally: EditTally,
  { stage, defer }: EditResources,
): Promise<Uint8Array | StagedContent | undefined> {
  const { signal } = context;
  const chunkBytes = workspaceBytes(edit.form);
  if (chunkBytes === undefined) {
    const values = await edit.values(old, undefined);
    if (values === 'unchanged') return old;
    if (values === undefined || (await isLeftOut(context, values, old, tally))) return undefined;
    return encodeAlone(context, edit.form, values);
  }
  const workspace = await openWorkspace(context, edit.form, chunkBytes, 1, stage !== undefined);
  defer(() => workspace.release());
  const values = await edit.values(old, workspace.memory.subarray(0, chunkBytes));
  if (values === 'unchanged') return old;
  if (values === undefined || (await isLeftOut(context, values, old, tally))) return undefined;
  const file = workspace.isShared ? await stage?.() : undefined;
  let encoded: Encoded | undefined;
  try {
    [encoded] = await workspace.encode({ count: 1, path: file?.path, signal });
  } catch (error) {
    await file?.discard();
    throw error;
  }
  if (file !== undefined && encoded !== undefined && 'inFile' in encoded)
    return { file, length: encoded.inFile };
  await file?.discard();
  return ownBytes(encoded, workspace);
}

/**
 * Runs the edit of a part of a shard.
 * @returns newly allocated bytes, `old`, or undefined to store nothing
 */
export async function encodePart(
  context: ChunkContext,
  edit: { readonly chunk: ChunkEdit } | { readonly shard: Edit },
  old: Uint8Array | undefined,
  tally: EditTally,
): Promise<Uint8Array | undefined> {
  const releases: (() => void)[] = [];
  const resources = { stage: undefined, defer: (release: () => void) => void releases.push(release) };
  try {
    const content =
      'shard' in edit
        ? await edit.shard.run(old, tally, resources)
        : await encodeEdit(context, edit.chunk, old, tally, resources);
    if (content === old) return old;
    if (content === undefined || 'file' in content) return undefined;
    return releases.length > 0 ? content.slice() : content;
  } finally {
    for (const release of releases) release();
  }
}

/** Copies bytes out of shared memory, because not all stores accept shared memory. */
function ownBytes(encoded: Encoded | undefined, { isShared }: Workspace): Uint8Array | undefined {
  if (encoded === undefined || 'inFile' in encoded) return undefined;
  return isShared ? encoded.slice() : encoded;
}

/** Encodes a chunk with separate memory. */
async function encodeAlone(
  context: ChunkContext,
  { chain }: ChunkForm,
  values: MutableValues,
): Promise<Uint8Array> {
  const { threads, signal, maxChunkBytes } = context;
  assertEncodable(values, maxChunkBytes);
  if ('bytes' in values)
    return threads.pool?.encodeLarge(chain, values.bytes, signal) ?? encodeChunk(chain, values);
  if (threads.pool === undefined || chain.modules === undefined || isQuicklyEncoded(itemBytes(values.items)))
    return encodeChunk(chain, values);
  return threads.pool.encodeItems(chain, values.items, signal);
}

/** Whether to omit a chunk because all its values are the fill value. Counts the chunk in either case. */
export async function isLeftOut(
  context: ChunkContext,
  values: MutableValues,
  old: Uint8Array | undefined,
  tally: EditTally,
): Promise<boolean> {
  const { layout, fill, writeEmptyChunks } = context;
  const isFill =
    !writeEmptyChunks &&
    (isLarge(values)
      ? await isAllFillInTurns(context, values.bytes)
      : isAllFill(values, layout.largest.chain.rep.dtype, fill));
  if (!isFill) tally.written++;
  else if (old === undefined) tally.leftOut++;
  else tally.deleted++;
  return isFill;
}

async function isAllFillInTurns({ layout, fill, pause }: ChunkContext, bytes: Uint8Array): Promise<boolean> {
  const { dtype } = layout.largest.chain.rep;
  const step = Math.max(1, Math.floor(PIECE_BYTES / (dtype.itemSize ?? 1))) * (dtype.itemSize ?? 1);
  for (let at = 0; at < bytes.length; at += step) {
    if (!isAllFill({ bytes: bytes.subarray(at, at + step) }, dtype, fill)) return false;
    await pause();
  }
  return true;
}

/** Takes a snapshot of the items. Later writes only append bytes. */
export function snapshot({ starts, lengths, bytes }: Items): Items {
  return { starts: starts.slice(), lengths: lengths.slice(), bytes };
}

export async function sameValues(a: Values, b: Values, pause: Pause): Promise<boolean> {
  if ('bytes' in a && 'bytes' in b) {
    for (let at = 0; at < a.bytes.length; at += PIECE_BYTES) {
      const [pieceOfA, pieceOfB] = [a, b].map(({ bytes }) => bytes.subarray(at, at + PIECE_BYTES));
      if (pieceOfA === undefined || pieceOfB === undefined || !sameBytes(pieceOfA, pieceOfB)) return false;
      await pause();
    }
    return true;
  }
  return 'items' in a && 'items' in b && sameItems(a.items, b.items);
}

/**
 * Checks the encoded size of values. Elements may share bytes in memory, but not in the stored chunk.
 * @throws LimitError if the encoded chunk would be too large
 */
function assertEncodable(values: MutableValues, allowed: number): void {
  const needed = 'items' in values ? contentBytes(values.items) : 0;
  if (needed <= allowed) return;
  throw new LimitError(`the chunk decodes to ${needed} bytes; maxDecodedBytes allows ${allowed}`, {
    excess: [{ limit: 'maxDecodedBytes', allowed, needed }],
  });
}
