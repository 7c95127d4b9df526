/** The budget of one request: charges planned costs and reserves memory. */
import type {
  ArraySlice,
  Block,
  LazySlice,
  Limits,
  ErrorContext,
  PlanCost,
  SliceReadOptions,
} from '../zarr/index.js';

/** Planned cost of a request. For values of variable length, the output is counted when it is read. */
export interface OperationCost {
  /** Upper bound of the number of fields in the response, from the document and its variables. */
  readonly fields: number;
  readonly chunks: number;
  readonly decodedBytes: number;
  readonly reducedBytes: number;
  readonly work: number;
  readonly outputBytes: number;
}

/** Cost of a write: its values, and the chunks that it edits. */
export type WriteCost = Pick<PlanCost, 'allocatedBytes' | 'decodedBytes' | 'stepBytes'>;

/** Reads a slice once it is charged. */
export type ReadBy = (options: SliceReadOptions) => Promise<Block>;

/** A computation on slices, charged like a slice. */
export interface ChargedWork {
  /** Location of the data for error messages. */
  readonly where: ErrorContext;
  /** All slices to read. */
  readonly inputs: readonly ArraySlice[];
  cost(): PlanCost;
}

export interface ComputeOptions {
  readonly signal: AbortSignal | undefined;
  readonly limits: Limits;
}

export interface RequestBudget {
  /**
   * Charges the slice, then reads it.
   * @param readBy used instead of `slice.read`
   * @throws LimitError before anything is read; NotReadError if only the cost was requested; errors from the
   * read
   */
  read(slice: LazySlice, signal: AbortSignal | undefined, readBy?: ReadBy): Promise<Block>;
  /**
   * Like `read`, for a result that is not a slice.
   * @param run called once the memory is reserved
   */
  compute<T>(
    work: ChargedWork,
    signal: AbortSignal | undefined,
    run: (options: ComputeOptions) => Promise<T>,
  ): Promise<T>;
  /**
   * Like `read`, but also reads if only the cost was requested. For values that determine the cost, such as
   * labels.
   */
  lookUp(slice: LazySlice, signal: AbortSignal | undefined): Promise<Block>;
  /**
   * Reserves memory until the request ends, for values that are derived from those of `lookUp`.
   * @returns undefined if it is granted immediately
   * @throws LimitError if the request needs more memory than it may use
   */
  reserve(bytes: number, signal: AbortSignal | undefined): Promise<void> | undefined;
  /** Memory of the values of `lookUp` and of those derived from them, which every request for the same slices needs. */
  preparedBytes(): number;
  /**
   * Charges a slice that will be written: its chunks are decoded or encoded and its shards rewritten, but no
   * values are returned.
   * @param contents contents of variable-length values; see `writtenContents`
   * @throws LimitError if the request exceeds a limit
   */
  chargeWrite(slice: ArraySlice, contents?: number): void;
  /**
   * Runs a write after it has reserved the memory that the write needs.
   * @param contents contents of variable-length values; see `writtenContents`
   * @throws BusyError or LimitError before the write starts
   */
  whileWriting<T>(
    cost: WriteCost,
    contents: number,
    signal: AbortSignal | undefined,
    write: () => Promise<T>,
  ): Promise<T>;
  /**
   * Charges the maximum number of fields in the response, before the first one is resolved, and the levels of
   * pyramids when they are resolved.
   * @throws LimitError if the request exceeds a limit
   */
  chargeFields(count: number): void;
  /**
   * Reserves the memory of the fields charged with `chargeFields`.
   * @returns undefined if it is granted immediately
   */
  reserveFields(signal: AbortSignal | undefined): Promise<void> | undefined;
  /**
   * Charges a JSON value to the output, before it is written.
   * @returns undefined if its memory is granted immediately
   * @throws LimitError if the request exceeds a limit
   */
  chargeJson(bytes: number, signal: AbortSignal | undefined): Promise<void> | undefined;
  /** The limits that remain for further reads. */
  left(): Limits;
  /**
   * Charges the entries of a selection's lists before they are processed.
   * @throws LimitError if the request exceeds a limit
   */
  chargePositions(count: number): void;
  /** Charges the nodes that a listing visits. @throws LimitError if the request exceeds a limit */
  chargeListedNodes(count: number): void;
  /** The total cost charged so far. */
  spent(): OperationCost;
  /** Whether reads are only charged, except by `lookUp`. Mutations are then neither charged nor executed. */
  readonly costOnly: boolean;
}

/** The properties of a request that its reads depend on. */
export interface ReadScope {
  readonly budget: RequestBudget;
  readonly signal: AbortSignal | undefined;
}
