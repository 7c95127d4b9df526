/** The types of slices: values that can be priced and read, made of parts of one array or of several. */
import type { Block, DataType } from './dtype/data-type.js';
import type { Excess, Place, WriteReport } from './errors.js';
import type { Limits } from './limits.js';
import type { ArrayMeta } from './metadata/model.js';
import type { CallOptions, NodeHome } from './node-home.js';
import type { ChunkSource } from './read/fetch.js';
import type { ObjectVersions } from './read/object-versions.js';
import type { PlanCost } from './read/plan.js';
import type { ElementTransform } from './read/transform/element-transform.js';
import type { SelectableDim } from './selection/resolve.js';
import type { Fold } from './read/reduce/fold.js';
import type { ResolvedDim, ResolvedSelection, Selection } from './selection/selection.js';
import type { ChunkGeometry, InnerChunkLayout } from './sharding/layout.js';
import type { SliceWriteOptions } from './write/write-region.js';

/** What a slice needs of its array. */
export interface SlicedArray {
  readonly home: NodeHome;
  readonly path: string;
  readonly meta: ArrayMeta;
  readonly dimensionNames: readonly (string | null)[];
  readonly chunkShape: readonly number[];
  readonly layout: InnerChunkLayout | undefined;
  /** Known even where the array cannot be decoded: what a read would take. */
  readonly geometry: ChunkGeometry;
  source(): { readonly layout: InnerChunkLayout; readonly source: ChunkSource };
  /** See `ZarrArray`. */
  readonly confirmMissing?: ((signal: AbortSignal | undefined) => Promise<void>) | undefined;
}

/**
 * A dimension of a slice's result. `chunkSize` is known only where the slice takes all of one dimension of its origin:
 * only then do selections by chunk have a meaning.
 */
export interface SliceDim extends SelectableDim {
  /** First position in the origin, and the distance to the next; undefined for lists and points. */
  readonly start: number | undefined;
  readonly step: number | undefined;
}

/**
 * The dimensions that a slice selects from, and what it selects: of an array slice, those of its array; of a slice that
 * is computed from several, those that they share. Coordinates and labels are found by it.
 */
export interface SliceOrigin {
  /** null: the dimension has no name, or no coordinate describes it (it was made by an operation). */
  readonly dimensionNames: readonly (string | null)[];
  readonly shape: readonly number[];
  /** Lengths along which parts are best cut; undefined where there are none. */
  readonly chunkShape: readonly (number | undefined)[];
  readonly selection: ResolvedSelection;
  /** Dimensions whose selected positions were put together in blocks, by their place; `dimensionNames` has null there. */
  readonly coarsened?: readonly (CoarsenedDim | undefined)[] | undefined;
}

/** Neighbours among the selected positions of a dimension that became one. */
export interface CoarsenedDim {
  readonly name: string | null;
  /** Positions of a block; the last one may have fewer. */
  readonly factor: number;
  /** Which of the blocks there are, where they are not all. */
  readonly chosen: ResolvedDim | undefined;
}

/** A stored object that values were read from. */
export interface ReadObject extends Place {
  /** The label of its store. */
  readonly store: string;
  /** Of its array. */
  readonly path: string;
  readonly key: string;
}

export interface SliceFoldOptions extends CallOptions {
  /** Instead of the hierarchy's. */
  readonly limits?: Limits;
  /** Whether decoded chunks are kept for other reads; no for what is read once and is large. @default true */
  readonly keepChunks?: boolean;
  /**
   * Is told of every stored object that something was read of, in which version; undefined: it is not there. Computed
   * slices pass it on to all of their inputs.
   */
  readonly onVersion?: (object: ReadObject, version: string | undefined) => void;
}

export interface SliceReadOptions extends SliceFoldOptions {
  /**
   * Where the values go (little-endian, C order), exactly as long as they are: saves the allocation. Only where
   * `takesOut`.
   */
  readonly out?: Uint8Array;
  /**
   * The reader will not change the values: then they may be the memory of the cache itself, for as long as nobody does.
   * A slice that computes its values must not pass it on to its inputs if it changes theirs.
   * @default false
   */
  readonly readOnly?: boolean;
}

/** How stored values are folded. */
export interface StoredFoldOptions extends SliceFoldOptions {
  /** What becomes of the elements before they are folded. Not for fields. */
  readonly transform?: ElementTransform | undefined;
}

/** How stored values are read. */
export interface StoredReadOptions extends SliceReadOptions {
  /** What becomes of the elements as they are read: the result, and `out`, are of its type. Not for fields. */
  readonly transform?: ElementTransform | undefined;
}

/** A part of the elements, by their places in C order; `to` is not included. */
export interface ElementRange {
  readonly from: number;
  readonly to: number;
}

export interface SliceStreamOptions extends CallOptions {
  /** Elements that are wanted, by their places in C order; blocks may have some before and after. @default all */
  readonly range?: ElementRange | undefined;
  /** Of one block; instead of the hierarchy's. */
  readonly limits?: Limits | undefined;
  /** By `objectName`: what must still be stored when a block is read. Then all blocks are of one state. */
  readonly versions?: ObjectVersions | undefined;
  /** Shared with other streams, which then are of one state with this one. */
  readonly session?: StreamSession | undefined;
  /** See `SliceFoldOptions`. */
  readonly onVersion?: SliceFoldOptions['onVersion'] | undefined;
}

/** A block, and which of the slice's elements it has. Its bytes are valid until the next block is asked for. */
export interface SliceBlock extends ElementRange {
  readonly block: Block;
}

/**
 * What streams have in common that follow one another: the versions of what they read, and memory for one block. Fresh
 * memory for each block would be given back late, and take several times as much.
 */
export interface StreamSession {
  /** Whether an object still has the version that was seen first. */
  isUnchanged(name: string, version: string | undefined): boolean;
  /** Memory for a slice's values; none where they cannot be read to a given place. */
  outFor(slice: LazySlice): { readonly out?: Uint8Array };
}

/** Values that can be priced and read, as they are stored or computed from what is stored. Immutable. */
export interface LazySlice {
  /** The array or dataset whose values they are, for messages. */
  readonly where: Place;
  /**
   * The parts of arrays that reading the values reads: versions, rights and memory come from all of
   * them. Of a part as it is stored, itself alone.
   */
  readonly inputs: readonly ArraySlice[];
  readonly origin: SliceOrigin;
  /** Of the field, where one was chosen. */
  readonly dtype: DataType;
  readonly dtypeName: string;
  /** Of the result; a sub-array field adds its dimensions at the end. */
  readonly shape: readonly number[];
  readonly dims: readonly SliceDim[];
  /** Whether values can be read into given memory: `out` of `read`. */
  readonly takesOut: boolean;
  /** A part of this part. @throws SelectionError */
  select(selection: Selection): LazySlice;
  /** A field of a struct. @throws NotFoundError, SelectionError */
  field(name: string): LazySlice;
  /** What reading would take, of all inputs; pure. For an unsupported type or codec: what its chunks would take. */
  cost(): PlanCost;
  /** The limits that reading would pass, all of them. */
  exceeded(limits: Limits): readonly Excess[];
  /**
   * @throws LimitError before anything is read; UnsupportedError, CodecError, ChecksumError, ConflictError, store
   *   errors, AbortedError
   */
  read(options?: SliceReadOptions): Promise<Block>;
  /**
   * Reads the values as blocks in C order, one after the other, in memory that does not grow with their number. Blocks end
   * where chunks end if that can be, so that no chunk is decoded twice. Limits apply to each block.
   * @throws as `read`; ConflictError where an object changed since an earlier block of it was read
   */
  stream(options?: SliceStreamOptions): AsyncIterable<SliceBlock>;
  /**
   * Folds all values chunk by chunk, where they are decoded; undefined where they are computed in other ways. Call
   * `foldSlice`, which folds any slice.
   * @throws as `read`
   */
  fold?<T>(fold: Fold<T>, options?: SliceFoldOptions): Promise<T>;
}

/** A part of an array as it is stored. */
export interface ArraySlice extends LazySlice {
  readonly array: SlicedArray;
  readonly selection: ResolvedSelection;
  /** What writing would take; pure. Shards are read and written whole. */
  writeCost(): PlanCost;
  select(selection: Selection): ArraySlice;
  field(name: string): ArraySlice;
  /** As `LazySlice.read`; also UnsupportedError for a value that the type of `transform` cannot hold. */
  read(options?: StoredReadOptions): Promise<Block>;
  /** As `LazySlice.fold`. Chunks that are not stored cost nothing but their lookup. */
  fold<T>(fold: Fold<T>, options?: StoredFoldOptions): Promise<T>;
  /**
   * The versions of the stored objects that reading would stand on, without reading them; undefined where the store does
   * not tell, or it would take too many requests. Of any slice: `versionsOfInputs`.
   * @throws UnsupportedError, store errors, AbortedError
   */
  objectVersions(options?: CallOptions): Promise<ObjectVersions | undefined>;
  /**
   * Writes values, broadcast to this shape as NumPy does; where an index occurs twice, the later value wins.
   * @param values a block, nested lists, typed arrays or a bare value, of this type or one that casts to it without loss
   *   (see `blockOfValues`)
   * @throws ReadOnlyError, InputError, LimitError, UnsupportedError before anything is written; errors after that tell
   *   in `written` what had been done
   */
  write(values: unknown, options?: SliceWriteOptions): Promise<WriteReport>;
}
