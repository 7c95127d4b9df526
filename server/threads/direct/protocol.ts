/** Messages of direct reads. Everything is structured-cloneable. */
import { regularGrid, chunkShapeOf } from '../../format/grid.js';
import type { CodecChain } from '../../format/codec/codec.js';
import type { DataType, Element } from '../../core/dtype/data-type.js';
import { CodecError } from '../../core/errors.js';
import type { ResolvedSelection } from '../../format/selection/selection.js';
import { layoutOf } from '../../format/plan/layout.js';
import type { FolderAccess } from '../../store/store.js';
import { listParts, type DimPart } from '../../format/plan/parts.js';
import { boxTask, planRead, type ReadPlan, type ReadTask } from '../../format/plan/plan.js';
import type { Program } from '../../compute/program/program.js';
import type { TaskAxis } from '../../compute/axis-map.js';
import type { ReduceRule, ReduceSpec } from '../../compute/reduce/partial.js';
import type { PieceForm } from '../../compute/piece.js';
import type { ElementTransform } from '../../format/plan/element-transform.js';

/** A plan as plain data, from which a thread derives the tasks with the same code. */
export interface SharedPlan {
  readonly arrayShape: readonly number[];
  /** Shape of the innermost chunks. */
  readonly chunkShape: readonly number[];
  /** See `InnerChunkLayout`. */
  readonly axes: readonly number[];
  readonly dtype: DataType;
  readonly transform: ElementTransform | undefined;
  readonly selection: ResolvedSelection;
}

/** The destination of decoded chunks. */
export type Destination =
  /** The result itself, in shared memory. */
  | { readonly kind: 'result'; readonly bytes: Uint8Array }
  /**
   * Slots from which the owner of the read copies: see `ring.ts`. The memory is sent only once, because
   * receiving it with each message takes time and creates garbage.
   */
  | { readonly kind: 'ring'; readonly ring: number; readonly memory: SharedArrayBuffer | undefined }
  /** Chunks are reduced, and the reply contains the partial results. */
  | { readonly kind: 'partials'; readonly rule: ReduceRule };

/** Starts a read on a thread. */
export interface OpenMessage {
  readonly chain: number;
  readonly plan: SharedPlan;
  readonly access: FolderAccess;
  /** Maximum stored size of a chunk in bytes. */
  readonly maxBytes: number;
  readonly destination: Destination;
}

/** A window of tasks that the threads of a read share: see `window.ts`. */
export interface WindowMessage {
  readonly kind: 'direct-window';
  readonly id: number;
  readonly read: number;
  /** Parameters of the read. Sent with its first window. */
  readonly open: OpenMessage | undefined;
  readonly window: SharedWindow;
  /** Numbers of other reads that have ended. */
  readonly closed: readonly number[];
}

export interface CloseMessage {
  readonly kind: 'direct-close';
  readonly reads: readonly number[];
}

export interface SharedWindow {
  /** The window's number within the read. */
  readonly number: number;
  /** Paths of files relative to the folder. */
  readonly files: readonly string[];
  /** The required version of each file; undefined for any. */
  readonly versions: readonly (string | undefined)[];
  readonly rank: number;
  readonly tasks: number;
  readonly chunks: number;
  readonly memory: SharedArrayBuffer;
}

/** A thread has finished its share of a window. */
export interface WindowReply {
  readonly id: number;
  /** Versions of the files that were read without a required version. */
  readonly versions: readonly (readonly [file: number, version: string])[];
  readonly partials: readonly (readonly [at: number, partial: unknown])[];
}

/** Wakes the owner of the read: the ring has a filled slot. */
export interface WakeMessage {
  readonly wake: number;
}

// A box: values that a thread computes from several arrays and reduces.

export interface BoxInputMessage {
  readonly chain: number;
  /** The part of the array that the box needs. */
  readonly plan: SharedPlan;
  /** The axis of the box for each dimension of the plan's shape. */
  readonly axes: readonly number[];
  readonly access: FolderAccess;
  /** Maximum stored size of a chunk in bytes. */
  readonly maxBytes: number;
  readonly window: SharedWindow;
  /** Positions of absent chunks that are not part of the window. */
  readonly absent: readonly (readonly number[])[];
  /** The stored value of absent elements. */
  readonly fill: Element;
}

/** Computes one value from those of all inputs at the same position, and reduces these values. */
export interface BoxRule {
  readonly shape: readonly number[];
  readonly program: Program;
  readonly form: PieceForm & Pick<ReduceSpec, 'reducer'>;
  readonly axes: readonly TaskAxis[];
}

export interface BoxMessage {
  readonly kind: 'direct-box';
  readonly id: number;
  /** Memory for arrays of the partial result. */
  readonly slot: SharedArrayBuffer;
  readonly inputs: readonly BoxInputMessage[];
  readonly rule: BoxRule;
}

export interface BoxReply {
  readonly id: number;
  /** The partial result, and the versions of each input's files; undefined if the box failed. */
  readonly box:
    { readonly partial: unknown; readonly versions: readonly WindowReply['versions'][] } | undefined;
}

// Serialises plans for threads, and derives the tasks from them there.

export function sharePlan({ layout, dtype, transform, selection }: ReadPlan): SharedPlan {
  return {
    arrayShape: layout.grid.dims.map((dim) => dim.size),
    chunkShape: chunkShapeOf(layout.grid),
    axes: layout.axes,
    dtype,
    transform,
    selection,
  };
}

/** The plan without its shards: threads receive the location of each chunk. */
export function restorePlan(shared: SharedPlan, chain: CodecChain): ReadPlan {
  const grid = regularGrid(shared.arrayShape, shared.chunkShape);
  const layout = layoutOf(grid, chain, shared.axes, []);
  return planRead(layout, shared.dtype, shared.selection, shared.transform);
}

/**
 * Finds the task of a box plan by the position of its chunk.
 * @returns a function that throws a CodecError for any other chunk
 */
export function taskFinder(plan: ReadPlan): (position: readonly number[]) => ReadTask {
  const { selection, layout } = plan;
  if (selection.kind === 'points') throw new CodecError('points are not read directly');
  const perDim = selection.dims.map((dim, d): ReadonlyMap<number, DimPart> => {
    const gridDim = layout.grid.dims[d];
    return new Map((gridDim === undefined ? [] : listParts(dim, gridDim)).map((part) => [part.chunk, part]));
  });
  return (position) => {
    const parts: DimPart[] = [];
    for (const [d, chunk] of position.entries()) {
      const part = perDim[d]?.get(chunk);
      if (part === undefined) throw new CodecError('the chunk is not part of the read');
      parts.push(part);
    }
    return boxTask(plan, parts);
  };
}
