/**
 * Changes the shape of an array. First, new elements of a larger shape are set to the fill value, because
 * other programs may have left values there. Doing this later would overwrite new values. Then the metadata
 * is written. Finally, elements outside a smaller shape are deleted, or set to the fill value in remaining
 * chunks.
 */
import { defined } from '../../../wire/guards.js';
import type { ZarrArray } from '../nodes/array.js';
import { chunkLength, chunkStart, parseChunkKey } from '../../format/grid.js';
import { loadCodecs } from '../../format/codec/run-chain.js';
import type { Limits } from '../../core/limits.js';
import type { ArrayMeta } from '../../format/metadata/model.js';
import type { NodeContext } from '../../chunks/node-context.js';
import { createObjectCut, outcomeOfCut } from '../../chunks/write/edit-shard.js';
import { createPause } from '../../core/turns.js';
import type { Cut } from '../../chunks/write/chunk-edit.js';
import type { ChunkContext } from '../../chunks/write/edit.js';
import { type EditSettings, type ObjectEdit, runEdits } from '../../chunks/write/execute.js';
import type { ChangeOptions } from './stored-node.js';
import { editSettings, storesEmptyChunks } from '../../chunks/write/write-region.js';
import { assertSameShape, changeShape, holdShape, planShape } from './change-shape.js';

export interface ResizeOptions extends ChangeOptions {
  /** Limits, of which `maxDecodedBytes` applies to each chunk. @default the limits of the hierarchy */
  readonly limits?: Limits | undefined;
}

/**
 * @throws InputError for an invalid shape or another rank; UnsupportedError if chunks cannot be decoded;
 * ConflictError if another writer changed the array. If an error interrupts the change of chunks, its
 * `written` reports the chunks that were cut so far; resizing to the same shape again completes the change.
 */
export function resizeArray(
  context: NodeContext,
  prefix: string,
  shape: readonly number[],
  options: ResizeOptions,
): Promise<void> {
  return holdShape(context, prefix, options.signal, async (signal, assertHeld) => {
    const settings = { ...options, signal, assertHeld };
    const plan = await planShape(context, prefix, () => shape, settings);
    plan.after.source();
    const old = plan.before.shape;
    const grows = shape.some((length, d) => length > defined(old[d]));
    if (grows) await cutChunks(plan.after, { keep: old, until: shape }, settings);
    const shapeOf = (current: ArrayMeta): readonly number[] => {
      assertSameShape(current, old);
      return shape;
    };
    const { after } = await changeShape(
      context,
      prefix,
      shapeOf,
      (change) => {
        change.after.source();
        assertHeld?.();
      },
      settings,
    );
    try {
      // Also runs for an unchanged shape, to complete an interrupted attempt.
      if (!grows || shape.some((length, d) => length < defined(old[d])))
        await cutChunks(after, { keep: shape, until: shape.map(() => Infinity) }, settings);
    } finally {
      context.changed?.({ kind: 'resized', path: after.path });
    }
  });
}

/** Number of objects to delete per call. */
const DELETED_AT_ONCE = 500;

async function cutChunks(
  array: ZarrArray,
  cut: Cut,
  { limits, signal, assertHeld }: ResizeOptions & Pick<EditSettings, 'assertHeld'>,
): Promise<void> {
  const { context, meta } = array;
  const { layout, source } = array.source();
  const { dims } = meta.grid;
  const gone: string[] = [];
  const edits: ObjectEdit[] = [];
  const bounds = limits ?? context.limits;
  await loadCodecs(meta.chain);
  const pause = createPause(signal);
  const chunkContext: ChunkContext = {
    layout,
    fill: source.fill,
    writeEmptyChunks: storesEmptyChunks(meta, false),
    threads: {
      pool: context.decoding.pool ?? undefined,
      here: context.decoding.here ?? true,
    },
    maxChunkBytes: bounds.maxDecodedBytes,
    signal,
    pause,
  };
  const prefix = array.path.slice(1);
  // Completes the listing before anything changes, because listings during changes are unreliable.
  for await (const { key } of context.store.walk(prefix, { signal })) {
    const object = parseChunkKey(meta.keys, key.slice(prefix === '' ? 0 : prefix.length + 1), dims.length);
    if (object === undefined) continue;
    const start = dims.map((dim, d) => chunkStart(dim, defined(object[d])));
    const objectShape = dims.map((dim, d) => chunkLength(dim, defined(object[d])));
    const outcome = outcomeOfCut(start, objectShape, cut);
    if (outcome === 'dropped') gone.push(key);
    else if (outcome === 'cut') edits.push({ key, edit: createObjectCut(chunkContext, object, start, cut) });
  }
  for (let i = 0; i < gone.length; i += DELETED_AT_ONCE) {
    assertHeld?.();
    await context.store.delete(gone.slice(i, i + DELETED_AT_ONCE), undefined, { signal });
  }
  await runEdits(context.store, edits, {
    ...editSettings(meta, bounds, pause, signal),
    assertHeld,
  });
}
