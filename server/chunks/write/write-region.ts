/** Writes values to a selection of an array. */
import { contentBytes } from '../../core/bytes/items.js';
import { parseJson } from '../../core/bytes/parse-json.js';
import { sizeOf } from '../../core/bytes/shape.js';
import { loadCodecs } from '../../format/codec/run-chain.js';
import { indexBytesWithin } from '../../format/codec/sharding/index-cost.js';
import { largestShapeOf } from '../../format/grid.js';
import type { InnerChunkLayout } from '../../format/plan/layout.js';
import { type Block, chargedItemBytes } from '../../core/dtype/data-type.js';
import { blockOfValues } from '../../core/dtype/block-of-values.js';
import {
  type ConflictError,
  ReadOnlyError,
  UnsupportedError,
  throwIfAborted,
  type WriteReport,
} from '../../core/errors.js';
import { fieldShape, type FieldView } from '../../format/plan/field-view.js';
import { metadataBounds, type Limits } from '../../core/limits.js';
import type { ArrayMeta } from '../../format/metadata/model.js';
import { arrayDocumentOf, hasSameChunks } from '../../format/metadata/changed-documents.js';
import type { CallOptions, NodeContext } from '../node-context.js';
import { assertWithinLimits } from '../../format/plan/cost.js';
import { poolFor } from '../../threads/shared-pool.js';
import type { ChunkSource } from '../read/chunk-read.js';
import { boundingBox, type ResolvedSelection, selectedShape } from '../../format/selection/selection.js';
import { joinKey } from '../../store/keys.js';
import { get } from '../../store/define-reading.js';
import type { KeyStore } from '../../store/store.js';
import { createPause, type Pause } from '../../core/turns.js';
import type { ChunkContext } from './edit.js';
import { SettledConflictError } from './retry-conflicts.js';
import { runEdits, type EditSettings, type ObjectEdit } from './execute.js';
import { planObjectWrites, planWrite, type WritePlan } from './plan.js';
import { createObjectWrite } from './edit-shard.js';

export interface SliceWriteOptions extends CallOptions {
  /**
   * Whether to store chunks whose elements all have the fill value. Always true if v1 or v2 metadata has no
   * fill value (null).
   * @default false: such chunks are not stored, or are deleted
   */
  readonly writeEmptyChunks?: boolean | undefined;
  /** The expected `version` of the array. The write fails with CONFLICT if the metadata has changed. */
  readonly ifVersion?: string | undefined;
  /**
   * Limits of the write, of which `maxChunks` and `maxDecodedBytes` apply.
   * @default the limits of the hierarchy
   */
  readonly limits?: Limits | undefined;
}

/** The parts of an array that a write needs. */
interface WriteTarget {
  readonly context: NodeContext;
  readonly path: string;
  readonly meta: ArrayMeta;
  source(): { readonly layout: InnerChunkLayout; readonly source: ChunkSource };
}

/** @throws ReadOnlyError if the store has no role writable */
export function assertWritable(store: KeyStore): void {
  if (!store.can.write) throw new ReadOnlyError('the store is read-only');
}

/**
 * Writes values. Whole chunks that do not extend beyond the array are overwritten without being read; all
 * others keep their other elements.
 * @param values values in any form of `blockOfValues`, broadcast to the shape of the selection
 * @throws before anything is written: ReadOnlyError, UnsupportedError, InputError for invalid values,
 * LimitError, ConflictError if the array was replaced or its version differs from `ifVersion`. Later errors
 * report the completed part in `written`: store errors, CodecError for old chunks that cannot be decoded,
 * LimitError for variable-length values that are too large, AbortedError, ConflictError if other writers keep
 * changing the same object
 */
export async function writeRegion(
  target: WriteTarget,
  selection: ResolvedSelection,
  field: FieldView | undefined,
  values: unknown,
  options: SliceWriteOptions,
): Promise<WriteReport> {
  const { context, path } = target;
  const run = await prepareWrite(target, selection, field, values, options);
  try {
    return await run();
  } finally {
    // Subscribers are notified even after a failure, because some objects may have been written.
    notifyData(context, path, selection);
  }
}

export function notifyData(context: NodeContext, path: string, selection: ResolvedSelection): void {
  const region = boundingBox(selection);
  if (region !== undefined) context.changed?.({ kind: 'data', path, region });
}

/**
 * Prepares a write like `writeRegion`, without writing.
 * @returns the write; the caller notifies subscribers
 */
export async function prepareWrite(
  target: WriteTarget,
  selection: ResolvedSelection,
  field: FieldView | undefined,
  values: unknown,
  options: SliceWriteOptions & Pick<EditSettings, 'assertHeld'>,
): Promise<() => Promise<WriteReport>> {
  const { context, meta } = target;
  assertWritable(context.store);
  const { layout, source } = target.source();
  throwIfAborted(options.signal);
  const limits = options.limits ?? context.limits;
  const rank = selectedShape(selection).length + (field === undefined ? 0 : fieldShape(field).length);
  if (meta.dtype.name === 'unknown')
    throw new UnsupportedError(`cannot write values of the unknown data type "${meta.dtype.given}"`);
  const block = blockOfValues(values, field?.dtype ?? meta.dtype, rank);
  const plan = planWrite(layout, meta.dtype, selection, field, block);
  // The values are already in memory, so only the decoded and encoded chunks count.
  const decodedBytes = plan.cost.decodedBytes + writtenContents(block, plan.read.shape);
  assertWithinLimits({ ...plan.cost, decodedBytes, allocatedBytes: 0 }, limits);
  if (options.ifVersion !== undefined) await assertVersionOf(target, options.ifVersion, options.signal);
  await assertSameArray(target, options.signal);
  await loadCodecs(meta.chain);
  const pause = createPause(options.signal);
  const chunkContext: ChunkContext = {
    layout,
    fill: source.fill,
    writeEmptyChunks: storesEmptyChunks(meta, options.writeEmptyChunks),
    maxChunkBytes: limits.maxDecodedBytes,
    threads: {
      pool: poolFor(context.decoding, layout.largest.chain, ENCODING_COST * plan.read.cost.decodedBytes),
      here: context.decoding.here ?? true,
    },
    signal: options.signal,
    pause,
  };
  const { assertHeld } = options;
  const settings = { ...editSettings(meta, limits, pause, options.signal), assertHeld };
  return () => runEdits(context.store, objectEdits(plan, chunkContext, source), settings);
}

function* objectEdits(plan: WritePlan, context: ChunkContext, source: ChunkSource): Generator<ObjectEdit> {
  for (const write of planObjectWrites(plan))
    yield {
      key: source.objectKey(write.object),
      edit: createObjectWrite(context, plan, write),
    };
}

/**
 * The stored size of variable-length values in bytes. Broadcast values count for each element, although they
 * share bytes in memory.
 * @param shape shape of the target
 */
export function writtenContents(block: Block, shape: readonly number[]): number {
  if (!('items' in block)) return 0;
  return contentBytes(block.items) * Math.max(1, sizeOf(shape) / Math.max(1, sizeOf(block.shape)));
}

/** Estimated time of encoding relative to decoding. */
const ENCODING_COST = 4;

/**
 * Whether chunks with only the fill value are stored. Without a fill value (null in v1 and v2), the contents
 * of an absent chunk are undefined, and zarr-python 2 returns uninitialised memory. Zeros are then stored
 * like any other values.
 */
export function storesEmptyChunks({ fillJson }: ArrayMeta, isRequested: boolean | undefined): boolean {
  return fillJson === null || isRequested === true;
}

export function editSettings(
  { grid, dtype, chain }: ArrayMeta,
  limits: Limits,
  pause: Pause,
  signal: AbortSignal | undefined,
): EditSettings {
  return {
    signal,
    pause,
    // Stored chunks can be slightly larger than decoded ones.
    maxStoredBytes: 2 * Math.max(limits.maxDecodedBytes, 2 ** 20),
    objectBytes:
      sizeOf(largestShapeOf(grid)) * chargedItemBytes(dtype) +
      ('unsupported' in chain ? 0 : indexBytesWithin(chain)),
  };
}

async function assertVersionOf(
  { context, path }: WriteTarget,
  expected: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const version = await context.versionOf(path, { signal });
  if (version !== expected) throw versionConflict(version);
}

/**
 * Checks that cached metadata is not out of date, so that chunks are not written to a replaced array with
 * another data type or chunk shape. A different length is allowed.
 * @throws ConflictError if the array was replaced
 */
async function assertSameArray(
  { context, path, meta }: WriteTarget,
  signal: AbortSignal | undefined,
): Promise<void> {
  const name = arrayDocumentOf(meta);
  const stored = await get(context.store, joinKey(path.slice(1), name), {
    signal,
    fresh: true,
    maxBytes: metadataBounds.maxDocumentBytes,
  });
  if (stored !== undefined && hasSameChunks(meta, { [name]: parseJson(stored.bytes) })) return;
  if (stored === undefined)
    throw new SettledConflictError(
      'the array has no metadata document: it was deleted, or exists only in consolidated metadata; nothing was written',
    );
  throw new SettledConflictError(
    'the array was deleted, or replaced by one with another data type, chunks or codecs; open it again',
  );
}

/**
 * Creates the error for a node whose version is not `ifVersion`.
 * @param version current version of the node; undefined if it does not exist
 */
export function versionConflict(version: string | undefined): ConflictError {
  return new SettledConflictError(
    version === undefined
      ? 'the node does not exist or has no metadata document, or its store has no versions'
      : 'the node has changed since the given version; read it again',
  );
}
