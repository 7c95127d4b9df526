/** The interface of the budget of one request. */
import type {
  ArraySlice,
  Block,
  LazySlice,
  Limits,
  Place,
  PlanCost,
  SliceReadOptions,
} from '../zarr/index.js';

/** What a request takes by its plans; of values of variable length, the output as it was read. */
export interface OperationCost {
  /** Fields that the answer may have, by the document and its variables. */
  readonly fields: number;
  readonly chunks: number;
  readonly decodedBytes: number;
  readonly reducedBytes: number;
  readonly outputBytes: number;
}

/** What a write takes: its values, and the chunks that it edits. */
export type WriteCost = Pick<PlanCost, 'allocatedBytes' | 'decodedBytes' | 'stepBytes'>;

/** How a slice is read once it is charged. */
export type ReadBy = (options: SliceReadOptions) => Promise<Block>;

/** What is computed from slices, priced like one. */
export interface ChargedWork {
  /** For messages. */
  readonly where: Place;
  /** Everything that is read. */
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
   * @param readBy in place of the slice's own `read`
   * @throws LimitError before anything is read; NotReadError where nothing is to be read; what the read throws
   */
  read(slice: LazySlice, signal: AbortSignal | undefined, readBy?: ReadBy): Promise<Block>;
  /**
   * The same for a result that is no slice.
   * @param run begins once the memory is reserved
   */
  compute<T>(
    work: ChargedWork,
    signal: AbortSignal | undefined,
    run: (options: ComputeOptions) => Promise<T>,
  ): Promise<T>;
  /** The same for what has to be known before a cost can be told, such as labels: also where nothing else is to be read. */
  lookUp(slice: LazySlice, signal: AbortSignal | undefined): Promise<Block>;
  /**
   * Charges a slice that is to be written: its chunks are decoded or encoded and its shards written whole, but nothing
   * goes out.
   * @param contents of values of variable length: see `writtenContents`
   * @throws LimitError
   */
  chargeWrite(slice: ArraySlice, contents?: number): void;
  /**
   * Runs a write while the memory that it takes is reserved.
   * @throws BusyError, LimitError before it is begun
   */
  whileWriting<T>(cost: WriteCost, signal: AbortSignal | undefined, write: () => Promise<T>): Promise<T>;
  /** Charges the fields that the answer may have, before the first of them is asked for. @throws LimitError */
  chargeFields(count: number): void;
  /** Reserves the memory of those fields. @returns undefined where that is done at once */
  reserveFields(signal: AbortSignal | undefined): Promise<void> | undefined;
  /**
   * Charges a JSON value to the output, before it is written.
   * @returns undefined where its memory is granted at once. @throws LimitError
   */
  chargeJson(bytes: number, signal: AbortSignal | undefined): Promise<void> | undefined;
  /** What may still be asked for. */
  left(): Limits;
  /** Charges the entries of a selection's lists, before anything is made of them. @throws LimitError */
  chargePositions(count: number): void;
  /** Charges the nodes that a listing comes by. @throws LimitError */
  chargeListedNodes(count: number): void;
  /** What has been charged so far. */
  spent(): OperationCost;
  /** Whether nothing is to be read or written, only charged. */
  readonly costOnly: boolean;
}

/** What belongs to one request and its reads. */
export interface ReadScope {
  readonly budget: RequestBudget;
  readonly signal: AbortSignal | undefined;
}
