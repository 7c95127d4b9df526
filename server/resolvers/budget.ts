/**
 * The budget of one request: its planned costs against the limits of a request, and the memory of its operation. The
 * full cost of a slice is charged before any part of it is read, so that many slices, each within the limits, cannot
 * exceed them together.
 */
import type { LookUpOptions } from '../dataset/coordinate-reader.js';
import { noMemory, OperationMemory, type RequestMemory } from '../memory/budget.js';
import { needOfRead, needOfWork } from '../memory/needs.js';
import { FIELD_BYTES, READ_WINDOW_BYTES } from '../memory/sizes.js';
import {
  addCosts,
  type ArraySlice,
  type Block,
  type Cost,
  costError,
  type ErrorContext,
  excessOf,
  isStored,
  type LazySlice,
  LimitError,
  type Limits,
  limitsAfter,
  noCost,
  type PlanCost,
  type SliceReadOptions,
} from '../zarr/index.js';
import { blockBytes, chargeOf, chargeOfWork, type FittingSelection, hintOf, suggestFit } from './charge.js';
import type { DocumentLimits } from './limits.js';

/** Planned cost of a request. For values of variable length, the output is counted when it is read. */
export interface OperationCost extends Cost {
  /** Upper bound of the number of fields in the response, from the document and its variables. */
  readonly fields: number;
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

/**
 * Replaces values that were not read because only the cost was requested. Removed from responses, because it
 * is not an error of the request.
 */
export class NotReadError extends Error {
  override readonly name = 'NotReadError';
}

export interface BudgetOptions {
  /** Whether to charge without reading, except values that determine the cost. @default false */
  readonly costOnly?: boolean | undefined;
  readonly valuesAreSent?: boolean | undefined;
  /** The memory of the request. @default none is granted */
  readonly memory?: RequestMemory | undefined;
  /** The memory of the operation. @default a part of `memory` */
  readonly operation?: OperationMemory | undefined;
  /** When the planning of the operation began, from `performance.now()`. @default unknown */
  readonly plannedFromMs?: number | undefined;
}

type RequestLimits = Limits & Pick<DocumentLimits, 'maxPositions' | 'maxListedNodes' | 'maxComplexity'>;

/** Maximum number of errors per request that suggest a selection that fits. */
const MAX_HINTS = 3;

export class RequestBudget {
  /** Whether reads are only charged, except by `lookUp`. Mutations are then neither charged nor executed. */
  readonly costOnly: boolean;
  /** See `BudgetOptions`. */
  readonly plannedFromMs: number | undefined;
  readonly #limits: RequestLimits;
  readonly #valuesAreSent: boolean;
  readonly #memory: RequestMemory;
  readonly #operation: OperationMemory;
  #spent = noCost;
  #hints = MAX_HINTS;
  #positions = 0;
  #listedNodes = 0;
  #fields = 0;
  #prepared = 0;
  /**
   * The size of variable-length values is unknown before they are read, so they are read one after the
   * other, each with the remaining budget.
   */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    limits: RequestLimits,
    {
      costOnly = false,
      valuesAreSent = false,
      memory = noMemory,
      operation = new OperationMemory(memory),
      plannedFromMs,
    }: BudgetOptions = {},
  ) {
    // A copy, because the gateway may change its limits during the request.
    this.#limits = { ...limits };
    this.costOnly = costOnly;
    this.plannedFromMs = plannedFromMs;
    this.#valuesAreSent = valuesAreSent;
    this.#memory = memory;
    this.#operation = operation;
  }

  /**
   * Charges the slice, then reads it.
   * @param readBy used instead of `slice.read`
   * @throws LimitError before anything is read; NotReadError if only the cost was requested; errors from the
   * read
   */
  async read(slice: LazySlice, signal: AbortSignal | undefined, readBy?: ReadBy): Promise<Block> {
    this.#charge(slice.where, chargeOf(slice), slice);
    if (this.costOnly) throw new NotReadError('only the cost was requested');
    return this.#readReserved(slice, signal, readBy);
  }

  /**
   * Like `read`, for a result that is not a slice.
   * @param run called once the memory is reserved
   */
  async compute<T>(
    work: ChargedWork,
    signal: AbortSignal | undefined,
    run: (options: ComputeOptions) => Promise<T>,
  ): Promise<T> {
    this.#charge(work.where, chargeOfWork(work.cost()));
    if (this.costOnly) throw new NotReadError('only the cost was requested');
    const need = needOfWork(work);
    return this.#operation.hold(
      need,
      signal,
      () => run({ signal, limits: this.#limits }),
      () => need.resultBytes,
    );
  }

  /**
   * Like `read`, but also reads if only the cost was requested. For values that determine the cost, such as
   * labels.
   */
  async lookUp(slice: LazySlice, signal: AbortSignal | undefined, reading?: LookUpOptions): Promise<Block> {
    this.#charge(slice.where, chargeOf(slice), slice);
    const block = await this.#readReserved(slice, signal, (options) =>
      slice.read({ ...options, ...reading }),
    );
    this.#prepared += blockBytes(block);
    return block;
  }

  /** Charges a slice whose values are remembered as if `lookUp` read it: prices do not depend on caches. */
  chargeRemembered(slice: LazySlice): void {
    this.#charge(slice.where, chargeOf(slice), slice);
    this.#prepared += slice.cost().allocatedBytes;
  }

  /**
   * Reserves memory until the request ends, for values that are derived from those of `lookUp`.
   * @returns undefined if it is granted immediately
   * @throws LimitError if the request needs more memory than it may use
   */
  reserve(bytes: number, signal: AbortSignal | undefined): Promise<void> | undefined {
    this.#prepared += bytes;
    return this.#memory.take(bytes, { signal });
  }

  /** Memory of the values of `lookUp` and of those derived from them, which every request for the same slices needs. */
  preparedBytes(): number {
    return this.#prepared;
  }

  /**
   * Charges a slice that will be written: its chunks are decoded or encoded and its shards rewritten, but no
   * values are returned.
   * @param contents contents of variable-length values; see `writtenContents`
   * @throws LimitError if the request exceeds a limit
   */
  chargeWrite(slice: ArraySlice, contents = 0): void {
    const { chunks, decodedBytes } = slice.writeCost();
    this.#charge(slice.where, { ...noCost, chunks, decodedBytes: decodedBytes + contents });
  }

  /**
   * Runs a write after it has reserved the memory that the write needs.
   * @param contents contents of variable-length values; see `writtenContents`
   * @throws BusyError or LimitError before the write starts
   */
  whileWriting<T>(
    { allocatedBytes, decodedBytes, stepBytes }: WriteCost,
    contents: number,
    signal: AbortSignal | undefined,
    write: () => Promise<T>,
  ): Promise<T> {
    // An edited chunk needs memory for its decoded, changed and encoded form. All contents may belong to one chunk.
    const chunkBytes = Math.min(decodedBytes, Math.max(READ_WINDOW_BYTES, stepBytes)) + contents;
    return this.#operation.during(allocatedBytes + 2 * chunkBytes, signal, write);
  }

  /**
   * Charges the maximum number of fields in the response, before the first one is resolved, and the levels of
   * pyramids when they are resolved.
   * @throws LimitError if the request exceeds a limit
   */
  chargeFields(count: number): void {
    this.#fields += count;
    const allowed = this.#limits.maxComplexity;
    if (this.#fields <= allowed) return;
    throw countError(
      'maxComplexity',
      allowed,
      this.#fields,
      `the response could have ${this.#fields} fields; maxComplexity allows ${allowed}; request fewer items per list ("first") or fewer fields, or split the request`,
    );
  }

  /**
   * Reserves the memory of the fields charged with `chargeFields`.
   * @returns undefined if it is granted immediately
   */
  reserveFields(signal: AbortSignal | undefined): Promise<void> | undefined {
    return this.#memory.take(this.#fields * FIELD_BYTES, { signal });
  }

  /**
   * Charges a JSON value to the output, before it is written.
   * @returns undefined if its memory is granted immediately
   * @throws LimitError if the request exceeds a limit
   */
  chargeJson(bytes: number, signal: AbortSignal | undefined): Promise<void> | undefined {
    const outputBytes = this.#spent.outputBytes + bytes;
    const allowed = this.#limits.maxOutputBytes;
    if (outputBytes > allowed)
      throw countError(
        'maxOutputBytes',
        allowed,
        outputBytes,
        'the attributes, metadata and values of the request are too large in total: maxOutputBytes allows ' +
          `${allowed}, but ${outputBytes} are needed; use "attribute" for a single attribute, or split the request`,
      );
    this.#spent = { ...this.#spent, outputBytes };
    return this.#memory.take(bytes, { signal });
  }

  /** The limits that remain for further reads. */
  left(): Limits {
    return limitsAfter(this.#spent, this.#limits);
  }

  /**
   * Charges the entries of a selection's lists before they are processed.
   * @throws LimitError if the request exceeds a limit
   */
  chargePositions(count: number): void {
    this.#positions += count;
    const allowed = this.#limits.maxPositions;
    if (this.#positions <= allowed) return;
    throw countError(
      'maxPositions',
      allowed,
      this.#positions,
      `the selections of the request list too many positions: maxPositions allows ${allowed}, ` +
        `but at least ${this.#positions} are needed; use slices with steps, or split the request`,
    );
  }

  /** Charges the nodes that a listing visits. @throws LimitError if the request exceeds a limit */
  chargeListedNodes(count: number): void {
    this.#listedNodes += count;
    const allowed = this.#limits.maxListedNodes;
    if (this.#listedNodes <= allowed) return;
    throw countError(
      'maxListedNodes',
      allowed,
      this.#listedNodes,
      `the listings of the request visit too many nodes: maxListedNodes allows ${allowed}; list fewer variables or a deeper group, or split the request`,
    );
  }

  /** The total cost charged so far. */
  spent(): OperationCost {
    return { fields: this.#fields, ...this.#spent };
  }

  /** @param slice the slice of the charge, to suggest a part that fits */
  #charge(where: ErrorContext, cost: Cost, slice?: LazySlice): void {
    const total = addCosts(this.#spent, cost);
    const excess = excessOf(total, this.#limits);
    if (excess.length === 0) {
      this.#spent = total;
      return;
    }
    const alone = excessOf(cost, this.#limits);
    const isAlone = alone.length > 0;
    const fits = this.#partWithin(slice, isAlone ? noCost : this.#spent);
    const advice = isAlone ? 'select fewer elements' : 'split the request, or select fewer elements';
    throw costError(isAlone ? alone : excess, {
      problem: isAlone ? 'the slice is too large' : 'the slices of the request are too large in total',
      advice: `${advice}${fits === undefined ? '' : hintOf(fits)}; query "estimate" for the cost of a slice`,
      where,
      fits: fits === undefined ? undefined : { ...fits },
    });
  }

  /**
   * Finds the part of the slice that fits the remaining budget. Computed only for the first errors, because
   * it requires many plans.
   */
  #partWithin(slice: LazySlice | undefined, before: Cost): FittingSelection | undefined {
    if (slice === undefined || this.#hints === 0) return undefined;
    this.#hints -= 1;
    return suggestFit(slice, (part) => excessOf(addCosts(before, chargeOf(part)), this.#limits).length === 0);
  }

  #readReserved(slice: LazySlice, signal: AbortSignal | undefined, readBy?: ReadBy): Promise<Block> {
    // Slices with further decoding may modify the values in place.
    const readOnly = this.#valuesAreSent && isStored(slice);
    const run = (): Promise<Block> => {
      if (slice.cost().outputBytes !== undefined) {
        const options = { signal, limits: this.#limits, readOnly };
        return readBy === undefined ? slice.read(options) : readBy(options);
      }
      const reading = this.#turn.then(() => this.#readVariable(slice, signal, readBy));
      this.#turn = reading.catch(() => undefined);
      return reading;
    };
    return this.#operation.hold(needOfRead(slice), signal, run, blockBytes);
  }

  async #readVariable(
    slice: LazySlice,
    signal: AbortSignal | undefined,
    readBy: ReadBy = (options) => slice.read(options),
  ): Promise<Block> {
    // The elements have been charged; this charges their contents.
    const elements = chargeOf(slice).outputBytes;
    const left = this.#limits.maxOutputBytes - this.#spent.outputBytes + elements;
    const block = await readBy({ signal, limits: { ...this.#limits, maxOutputBytes: left } });
    this.#charge(slice.where, { ...noCost, outputBytes: Math.max(0, blockBytes(block) - elements) });
    return block;
  }
}

/** The error for more than the allowed number of something that a request counts. */
function countError(limit: string, allowed: number, needed: number, message: string): LimitError {
  return new LimitError(message, { excess: [{ limit, allowed, needed }] });
}

/** The properties of a request that its reads depend on. */
export interface ReadScope {
  readonly budget: RequestBudget;
  readonly signal: AbortSignal | undefined;
}
