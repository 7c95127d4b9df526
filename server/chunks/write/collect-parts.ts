/**
 * Encodes the changed inner chunks of a shard, several in one message to a thread, and joins them with the
 * unchanged ones in the order of the index.
 */
import { sizeOf } from '../../core/bytes/shape.js';
import type { ShardSpec } from '../../format/codec/codec.js';
import { SLOT_BYTES } from '../../threads/slots.js';
import type { Workspace } from '../../threads/workspace.js';
import type { ChunkContext, ChunkEdit, Edit, EditTally } from './edit.js';
import { encodePart, isLeftOut, openWorkspace, workspaceBytes } from './encode-values.js';
import type { ShardParts } from '../../format/codec/sharding/parts.js';
import { ShardAssembly } from './shard-assembly.js';

/** The edit of an inner chunk, or of a shard within the shard. */
export type PartEdit = { readonly chunk: ChunkEdit } | { readonly shard: Edit };

/** Maximum number of groups in flight. */
const MAX_GROUPS = 8;
/** Number of index entries to process before yielding. */
const ENTRIES_PER_TURN = 4096;
/** Size of a group's encoded bytes, in addition to its workspace, at which the group is complete. */
const MAX_GROUP_BYTES = 4 * 2 ** 20;

/** Inner chunks in the order of the index: encoded bytes, or the number of a chunk in the workspace. */
interface Group {
  readonly placed: { readonly entry: number; readonly part: Uint8Array | number }[];
  bytes: number;
  workspace: Workspace | undefined;
  /** Number of chunks in the workspace. */
  count: number;
}

/** @returns undefined if no inner chunk is stored */
export async function collectParts(
  context: ChunkContext,
  spec: ShardSpec,
  before: ShardParts,
  edits: ReadonlyMap<number, PartEdit>,
  tally: EditTally,
): Promise<Uint8Array | undefined> {
  const { pause, signal } = context;
  const chunkBytes = workspaceBytes(context.layout.largest) ?? Infinity;
  const perGroup = Math.min(Math.max(1, Math.floor(SLOT_BYTES / chunkBytes)), edits.size);
  const likelyBytes = Number.isFinite(chunkBytes) ? edits.size * chunkBytes : 0;
  const assembly = new ShardAssembly(spec, likelyBytes, pause);
  const running: Promise<void>[] = [];
  let last = Promise.resolve();
  let group = newGroup();

  /** Encodes the group. Its parts are placed after those of all previous groups. */
  async function flush(): Promise<void> {
    const { placed, workspace, count } = group;
    group = newGroup();
    if (placed.length === 0) return workspace?.release();
    const encoding = workspace?.encode({ count, signal });
    const mine = placeAfter(last, async () => {
      try {
        const encoded = await encoding;
        for (const { entry, part } of placed) {
          const bytes = typeof part === 'number' ? encoded?.[part] : part;
          if (bytes !== undefined && !('inFile' in bytes)) await assembly.place(entry, bytes);
        }
      } finally {
        // If encoding failed, the workspace is already released.
        workspace?.release();
      }
    });
    encoding?.catch(() => undefined);
    last = mine;
    last.catch(() => undefined);
    running.push(mine);
    if (workspace?.isShared === false) await encoding;
    if (running.length >= MAX_GROUPS) await running.shift();
  }

  async function add(entry: number, edit: PartEdit): Promise<void> {
    const old = before.part(entry);
    if ('shard' in edit || chunkBytes === Infinity) {
      const bytes = await encodePart(context, edit, old, tally);
      if (bytes !== undefined) keep(entry, bytes);
      return;
    }
    const workspace = (group.workspace ??= await openWorkspace(
      context,
      edit.chunk.form,
      chunkBytes,
      perGroup,
      false,
    ));
    const at = group.count * chunkBytes;
    const values = await edit.chunk.values(old, workspace.memory.subarray(at, at + chunkBytes));
    if (values === 'unchanged') {
      if (old !== undefined) keep(entry, old);
    } else if (values !== undefined && !(await isLeftOut(context, values, old, tally)))
      group.placed.push({ entry, part: group.count++ });
    if (group.count === perGroup) await flush();
  }

  function keep(entry: number, bytes: Uint8Array): void {
    group.placed.push({ entry, part: bytes });
    group.bytes += bytes.length;
  }

  try {
    const entries = sizeOf(spec.counts);
    for (let entry = 0; entry < entries; entry++) {
      const edit = edits.get(entry);
      if (edit !== undefined || entry % ENTRIES_PER_TURN === 0) await pause();
      const kept = edit === undefined ? before.part(entry) : undefined;
      if (kept !== undefined) keep(entry, kept);
      if (edit !== undefined) await add(entry, edit);
      if (group.bytes >= MAX_GROUP_BYTES || group.placed.length >= ENTRIES_PER_TURN) await flush();
    }
    await flush();
    await last;
    return await assembly.finish();
  } finally {
    group.workspace?.release();
    await Promise.allSettled(running);
  }
}

function newGroup(): Group {
  return { placed: [], bytes: 0, workspace: undefined, count: 0 };
}

/**
 * Runs `place` after the previous groups. `place` must run even if they failed, because it releases memory.
 */
async function placeAfter(before: Promise<void>, place: () => Promise<void>): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  await before.catch((error: unknown) => {
    failure = { error };
  });
  await place();
  if (failure !== undefined) throw failure.error;
}
