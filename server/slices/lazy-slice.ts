/** The types of slices: lazily read values of one or more arrays, with a cost. */
import type { FirstVersions, ReadObject } from './one-state.js';
import type { Block, DataType } from '../core/dtype/data-type.js';
import type { Excess, ErrorContext, WriteReport } from '../core/errors.js';
import type { Limits } from '../core/limits.js';
import type { ArrayMeta } from '../format/metadata/model.js';
import type { CallOptions, ConfirmOptions, NodeContext } from '../chunks/node-context.js';
import type { ChunkSource } from '../chunks/read/chunk-read.js';
import type { ObjectVersions, VersionOptions } from '../chunks/read/object-versions.js';
import type { PlanCost } from '../format/plan/cost.js';
import type { ElementTransform } from '../format/plan/element-transform.js';
import type { SelectableDim } from '../format/selection/resolve.js';
import type { PlacedAxis } from '../compute/axis-map.js';
import type { PieceForm } from '../compute/piece.js';
import type { Fold } from '../compute/reduce/fold.js';
import type { ReduceState } from '../compute/state.js';
import type { TaskSpan } from '../format/plan/plan.js';
import type { MadeDim } from '../compute/made-dim.js';
import type { SelectionInput } from '../format/selection/plain.js';
import type { DimSelection, ResolvedDim, ResolvedSelection } from '../format/selection/selection.js';
import type { GridDim } from '../format/grid.js';
import type { ChunkGeometry, InnerChunkLayout } from '../format/plan/layout.js';
import type { SliceWriteOptions } from '../chunks/write/write-region.js';

/** The parts of an array that a slice needs. */
export interface SlicedArray {
  readonly context: NodeContext;
  readonly path: string;
  readonly meta: ArrayMeta;
  readonly dimensionNames: readonly (string | null)[];
  /** Cache key: equal for `ZarrArray` objects of the same array with equal metadata. */
  readonly cacheKey: string;
  readonly layout: InnerChunkLayout | undefined;
  /** The inner chunk layout. Defined even if the array cannot be decoded, to compute the cost of a read. */
  readonly geometry: ChunkGeometry;
  source(): { readonly layout: InnerChunkLayout; readonly source: ChunkSource };
  /** The checks of a read; see `ZarrArray`. */
  readonly confirmMissing?: ((signal: AbortSignal | undefined) => Promise<void>) | undefined;
  readonly confirmCurrent?: ((options: ConfirmOptions) => Promise<void>) | undefined;
}

/**
 * A dimension of a slice's result. `chunks` is defined only if the slice covers a whole dimension of its
 * origin: only then are selections by chunk possible.
 */
export interface SliceDim extends SelectableDim {
  /** First position in the origin, and the step; undefined for lists and points. */
  readonly start: number | undefined;
  readonly step: number | undefined;
}

/**
 * The dimensions that a slice selects from, and its selection: for an array slice, those of its array; for a
 * slice computed from several arrays, their common ones. Determines the coordinates and labels of the slice.
 */
export interface SliceOrigin {
  /** Names of the dimensions. Null for one without a name, or created by an operation without a coordinate. */
  readonly dimensionNames: readonly (string | null)[];
  readonly shape: readonly number[];
  /** Chunks at which to split reads; undefined for dimensions without chunks. */
  readonly chunks: readonly (GridDim | undefined)[];
  readonly selection: ResolvedSelection;
  /**
   * Dimensions whose selected positions were coarsened to blocks, by index. In `dimensionNames`, these
   * dimensions are null.
   */
  readonly coarsened?: readonly (CoarsenedDim | undefined)[] | undefined;
  /**
   * Dimensions created by an operation, with their labels, by index. In `dimensionNames`, these dimensions
   * are null.
   */
  readonly made?: readonly (MadeDim | undefined)[] | undefined;
}

/** A dimension whose neighbouring positions were combined into blocks. */
export interface CoarsenedDim {
  readonly name: string | null;
  /** Number of positions per block; the last block may have fewer. */
  readonly factor: number;
  /** The selected blocks; undefined if all are selected. */
  readonly chosen: ResolvedDim | undefined;
  /** The positions that were combined, if a single block is selected, so that the dimension is dropped. */
  readonly combined?: ResolvedDim | undefined;
  /** The inner blocks, if the combined positions are blocks themselves. */
  readonly before?: CoarsenedDim | undefined;
}

export interface SliceFoldOptions extends CallOptions {
  /** Limits of the read. @default the limits of the hierarchy */
  readonly limits?: Limits | undefined;
  /**
   * Whether decoded chunks are cached for other reads. Set it to false for large data that is read once. Slices computed
   * from several arrays cache only chunks that are small in total.
   * @default true
   */
  readonly keepChunks?: boolean | undefined;
  /**
   * Whether this thread may decode. Set it to false if the thread computes at the same time. Without worker
   * threads, it decodes regardless.
   * @default the setting of the hierarchy
   */
  readonly decodesHere?: boolean | undefined;
  /**
   * Called for every stored object that was read, with its version; undefined if it does not exist or has no
   * version.
   * Computed slices pass it to all inputs.
   */
  readonly onVersion?: ((object: ReadObject, version: string | undefined) => void) | undefined;
}

export interface SliceReadOptions extends SliceFoldOptions {
  /**
   * Destination of exactly the size of the values (little-endian, C order), to avoid an allocation. Supported
   * only if `takesOut` is set.
   */
  readonly out?: Uint8Array | undefined;
  /**
   * Whether the caller treats the values as read-only, so that they may be the memory of the cache. A slice
   * that modifies the values of its inputs must not pass this option to them.
   * @default false
   */
  readonly readOnly?: boolean | undefined;
}

/** Options for folding stored values. */
export interface StoredFoldOptions extends SliceFoldOptions {
  /** Transform that is applied to the elements before they are folded. Not supported for fields. */
  readonly transform?: ElementTransform | undefined;
}

/** Options for reading stored values. */
export interface StoredReadOptions extends SliceReadOptions {
  /**
   * Transform that is applied to the elements as they are read. The result and `out` have its data type.
   * Not supported for fields.
   */
  readonly transform?: ElementTransform | undefined;
}

/** A run of elements by their indices in C order; `to` is exclusive. */
export interface ElementRange {
  readonly from: number;
  readonly to: number;
}

export interface SliceStreamOptions extends CallOptions {
  /**
   * Whether decoded chunks are cached for other reads.
   * @default true if the chunks have at most 32 MiB; false for windows that keep rows (see `keepsRows`)
   */
  readonly keepChunks?: boolean | undefined;
  /**
   * The requested elements by their indices in C order; blocks may include some before and after.
   * @default all elements
   */
  readonly range?: ElementRange | undefined;
  /** Limits of one block. @default the limits of the hierarchy */
  readonly limits?: Limits | undefined;
  /** Required versions of objects by `objectName`, so that all blocks are of one state. */
  readonly versions?: ObjectVersions | undefined;
  /** State shared with other streams, so that all of them read the same versions. */
  readonly session?: StreamSession | undefined;
  /** See `SliceFoldOptions.onVersion`. */
  readonly onVersion?: SliceFoldOptions['onVersion'];
}

/**
 * A block, and the range of the slice's elements that it contains. Its bytes are valid until the next block
 * is requested.
 */
export interface SliceBlock extends ElementRange {
  readonly block: Block;
}

/**
 * State that consecutive streams share: the versions of the objects read (see `OneState`), and memory for one block. The
 * garbage collector would release new memory for each block late.
 */
export interface StreamSession {
  readonly versions: FirstVersions;
  /** A buffer for the values of a slice; none if the slice does not support `out`. */
  outFor(slice: LazySlice): { readonly out?: Uint8Array };
}

/**
 * The best end of a block of results that begins at `from`: where few chunks are read for the results on both
 * sides.
 * @param least minimum number of results of a block
 * @param most maximum number of results
 */
export type BlockEnd = (from: number, least: number, most: number) => number;

/** Stored elements, and the transform from them to values. */
export interface StoredElements {
  readonly stored: ArraySlice;
  readonly transform: ElementTransform | undefined;
}

/** Work on positions that a slice needs before its cost is known, in steps for `inTurns`. */
export interface SlicePreparation {
  /** Memory that the slice then holds, in bytes. */
  readonly bytes: number;
  steps(): Generator<void, void, void>;
}

/** Lazily read values, either stored or computed from stored values. Immutable. */
export interface LazySlice {
  /** Location of the values (array or dataset), for error messages. */
  readonly where: ErrorContext;
  /**
   * The parts of arrays that a read depends on. They determine versions, permissions and memory. A stored
   * slice is its only input.
   */
  readonly inputs: readonly ArraySlice[];
  /** The inputs that are read one after the other before all others, and whose values are not kept. */
  readonly readBefore?: readonly ArraySlice[] | undefined;
  readonly origin: SliceOrigin;
  /** The data type of the values. If a field is selected, its data type. */
  readonly dtype: DataType;
  readonly dtypeName: string;
  /** Shape of the result. A sub-array field appends its dimensions. */
  readonly shape: readonly number[];
  readonly dims: readonly SliceDim[];
  /** For each dimension, positions outside which all values are missing; undefined if unknown. */
  readonly extent?: readonly (DimSelection | undefined)[] | undefined;
  /** Whether results depend on values in any chunk, so that all chunks are read together if they fit. */
  readonly isReadWhole?: boolean;
  /** Where to divide the results along a dimension that has no chunks; undefined if it does not matter. */
  blockEndAlong?(axis: number): BlockEnd | undefined;
  /** Whether `read` supports the option `out`. */
  readonly takesOut: boolean;
  /** The stored elements, if each value is decoded from one of them. All values of absent chunks are then equal. */
  readonly elements?: StoredElements | undefined;
  /** Whether values are computed from those of the inputs, so that the attributes of an input do not describe them. */
  readonly isComputed?: boolean;
  /** Whether values depend only on those of the inputs at their positions, so that any part costs what it reads. */
  readonly isPointwise?: boolean;
  /** Run it before other functions are called: they would do this work at once. Undefined if there is none, or none left. */
  readonly preparation?: SlicePreparation | undefined;
  /** Selects a part of this slice. @throws SelectionError for an invalid selection */
  select(selection?: SelectionInput): LazySlice;
  /**
   * Selects a field of a struct.
   * @throws NotFoundError for an unknown field; SelectionError or UnsupportedError if the values have no fields
   */
  field(name: string): LazySlice;
  /**
   * The cost of reading, including all inputs. Reads nothing. For an unsupported data type or codec, this is
   * the cost of the chunks.
   */
  cost(): PlanCost;
  /**
   * The cost of a stream, if its blocks read some chunks again. Call the function `streamedCost` instead.
   * Reads nothing.
   * @param limits limits of one block
   */
  streamedCost?(limits: Limits): PlanCost;
  /** All limits that a read would exceed. */
  exceeded(limits: Limits): readonly Excess[];
  /**
   * @throws LimitError before anything is read; InputError for `out` of another size; UnsupportedError for an
   * unsupported data type or codec; CodecError or ChecksumError for corrupt data; ConflictError if an object
   * changed during the read; store errors; AbortedError if the signal fires
   */
  read(options?: SliceReadOptions): Promise<Block>;
  /**
   * Reads the values as consecutive blocks in C order, with bounded memory. If possible, blocks end at
   * chunk boundaries, so that no chunk is decoded twice. Limits apply to each block.
   * @throws errors from `read`; ConflictError if an object changed since an earlier block
   */
  stream(options?: SliceStreamOptions): AsyncIterable<SliceBlock>;
  /**
   * Folds all values chunk by chunk, for a single array on the threads that decode them. Undefined for slices
   * that can only be read block by block. Call the function `foldSlice` instead, which folds any slice.
   * @throws errors from `read`
   */
  readonly fold?: (<T>(fold: Fold<T>, options?: SliceFoldOptions) => Promise<T>) | undefined;
  /** Folds that begin in one turn of the event loop and have equal keys read their inputs once; undefined for none. */
  readonly joinKey?: string | undefined;
  /** The stored elements whose plan `fold` follows, if it can fold a part of it: see `Fold.span` and `foldParts`. */
  readonly planned?: StoredElements | undefined;
  /** The fold that computes the values, if one does. */
  readonly reduction?: SliceReduction | undefined;
}

/** How the values of a slice are computed by a fold. */
export interface SliceReduction {
  readonly input: LazySlice;
  readonly fold: Fold<ReduceState>;
  /** Computes the values of the slice from the merged state. @throws errors from `LazySlice.read` */
  readonly finish: (state: ReduceState, options: SliceReadOptions) => Promise<Block>;
}

/** The tasks of the plan of a fold. */
export interface FoldPlan {
  readonly tasks: number;
  /** Tasks of a stored object that is selected as a whole. */
  readonly tasksPerObject: number;
  readonly chunkBytes: number;
  /** Where `Total.add` merges the partial results of tasks. Yields undefined periodically, so that the caller can pause. */
  placements(span: TaskSpan): Generator<FoldPlacement | undefined>;
  /** Like `ArraySlice.objectVersions`, for some tasks. */
  versions(span: TaskSpan, options: VersionOptions): Promise<ObjectVersions | undefined>;
}

export interface FoldPlacement {
  readonly axes: readonly PlacedAxis[];
  readonly form: PieceForm;
}

/** A stored part of an array. */
export interface ArraySlice extends LazySlice {
  readonly array: SlicedArray;
  readonly selection: ResolvedSelection;
  /** The cost of writing. Reads nothing. Shards are read and written as a whole. */
  writeCost(): PlanCost;
  select(selection?: SelectionInput): ArraySlice;
  field(name: string): ArraySlice;
  /**
   * Like `LazySlice.read`.
   * @throws UnsupportedError for a value that the data type of `transform` cannot represent
   */
  read(options?: StoredReadOptions): Promise<Block>;
  /** Like `LazySlice.fold`. Absent chunks are not decoded. */
  fold<T>(fold: Fold<T>, options?: StoredFoldOptions): Promise<T>;
  /** The plan that `fold` follows. Reads nothing. @throws UnsupportedError for an unsupported data type or codec */
  foldPlan(fold: Fold<unknown>, transform: ElementTransform | undefined): FoldPlan;
  /**
   * The versions of the stored objects of a read, without reading the values. Undefined if the store has no
   * versions or byte ranges, or if there are too many chunks or objects. For computed slices, use `versionsOfInputs`.
   * @throws UnsupportedError for an unsupported data type or codec; store errors; AbortedError if the signal
   * fires
   */
  objectVersions(options?: VersionOptions): Promise<ObjectVersions | undefined>;
  /**
   * The keys of the stored objects of a read, in its order. Undefined if there are more than `most`.
   * @throws UnsupportedError for an unsupported data type or codec
   */
  objectKeys(most: number): ReadonlySet<string> | undefined;
  /**
   * Writes values, broadcast to this shape as in NumPy. If an index is repeated, the last value is written.
   * @param values a block, nested lists, typed arrays or a single value, of this data type or of one that
   * converts to it without loss (see `blockOfValues`)
   * @throws before anything is written: ReadOnlyError, InputError for invalid values, LimitError,
   * UnsupportedError; later errors report the completed part in `written`
   */
  write(values: unknown, options?: SliceWriteOptions): Promise<WriteReport>;
}
