/**
 * Changes the shape of an array. First, new elements of a larger shape are set to the fill value, because
 * other programs may have left values there; later, this would overwrite new values. Then the metadata is
 * written. Finally, elements outside a smaller shape are deleted, or set to the fill value in remaining
 * chunks.
 */
import type { ZarrArray } from '../array.js';
import { chunkShapeOf } from '../chunk/grid.js';
import { loadCodecs } from '../codec/load-codecs.js';
import type { Limits } from '../limits.js';
import type { ArrayMeta } from '../metadata/model.js';
import type { NodeContext } from '../node-context.js';
import { createYieldToEventLoop } from '../turns.js';
import type { ChunkContext } from './chunk-context.js';
import type { Cut } from './chunk-edit.js';
import { assertSameShape, changeShape, holdShape, planShape } from './change-shape.js';
import { runEdits, type EditSettings, type ObjectEdit } from './execute.js';
import { parseChunkKey } from './parse-chunk-key.js';
import { createObjectCut, whereIs } from '../sharding/edit.js';
import type { ChangeOptions } from './stored-node.js';
import { editSettings, storesEmptyChunks } from './write-region.js';

export interface ResizeOptions extends ChangeOptions {
  /** Overrides the hierarchy's limits on chunks, which are decoded one at a time. */
  readonly limits?: Limits | undefined;
}

/**
 * @throws InputError for an invalid shape or another rank; UnsupportedError if chunks cannot be decoded; ConflictError.
 *   If the metadata was changed, but not all chunks, the error's `written` reports the completed part; resizing to the
 *   same shape again completes the change.
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
    const grows = shape.some((length, d) => length > (old[d] ?? 0));
    if (grows) await cutChunks(plan.after, { keep: old, until: shape }, settings);
    const shapeOf = (found: ArrayMeta): readonly number[] => {
      assertSameShape(found, old);
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
      if (!grows || shape.some((length, d) => length < (old[d] ?? 0)))
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
  const objectShape = chunkShapeOf(meta.grid);
  const gone: string[] = [];
  const edits: ObjectEdit[] = [];
  const bounds = limits ?? context.limits;
  await loadCodecs(meta.chain);
  const yieldToEventLoop = createYieldToEventLoop(signal);
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
    yieldToEventLoop,
  };
  const prefix = array.path.slice(1);
  // Completes the listing before anything changes, because listings during changes are unreliable.
  for await (const { key } of context.store.walk(prefix, { signal })) {
    const object = parseChunkKey(
      meta.keys,
      key.slice(prefix === '' ? 0 : prefix.length + 1),
      objectShape.length,
    );
    if (object === undefined) continue;
    const start = object.map((i, d) => i * (objectShape[d] ?? 1));
    const lies = whereIs(start, objectShape, cut);
    if (lies === 'dropped') gone.push(key);
    else if (lies === 'cut') edits.push({ key, edit: createObjectCut(chunkContext, object, cut) });
  }
  for (let i = 0; i < gone.length; i += DELETED_AT_ONCE) {
    assertHeld?.();
    await context.store.delete(gone.slice(i, i + DELETED_AT_ONCE), undefined, { signal });
  }
  await runEdits(context.store, edits, {
    ...editSettings(meta, bounds, yieldToEventLoop, signal),
    assertHeld,
  });
}
