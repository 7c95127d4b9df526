/**
 * What one request may still read. Every slice whose values are asked for is charged with its whole cost before anything
 * of it is read, so that a hundred slices that are each within bounds do not pass them together.
 */
import { noMemory, type MemoryLease } from '../memory/lease.js';
import { createReadMemory, needOfRead } from '../memory/read-memory.js';
import { FIELD_BYTES, READ_WINDOW_BYTES } from '../memory/sizes.js';
import { listCount } from '../transport/json/list-text.js';
import {
  type ArraySlice,
  type Block,
  chargedItemBytes,
  type Excess,
  isStored,
  itemBytes,
  type LazySlice,
  LimitError,
  type Limits,
  type PlanCost,
  sizeOf,
} from '../zarr/index.js';
import type { DocumentLimits } from './limits.js';
import { type FittingSelection, suggestFit } from './slices/suggest-fit.js';

interface Charge {
  readonly maxChunks: number;
  readonly maxDecodedBytes: number;
  readonly maxReducedBytes: number;
  readonly maxOutputBytes: number;
}

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

export interface RequestBudget {
  /**
   * Charges the slice, then reads it.
   * @throws LimitError before anything is read; NotReadError where nothing is to be read; what the read throws
   */
  read(slice: LazySlice, signal: AbortSignal | undefined): Promise<Block>;
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

/** Stands for values that were not read, since only their cost was asked for. No mistake: it is shown to nobody. */
export class NotReadError extends Error {
  override readonly name = 'NotReadError';
}

/** What belongs to one request and its reads. */
export interface ReadScope {
  readonly budget: RequestBudget;
  readonly signal: AbortSignal | undefined;
}

export interface BudgetOptions {
  /** Only charges. @default false */
  readonly costOnly?: boolean | undefined;
  readonly valuesAreSent?: boolean | undefined;
  /** Where the request's memory is reserved. @default one that grants none */
  readonly memory?: MemoryLease | undefined;
}

const nothing: Charge = { maxChunks: 0, maxDecodedBytes: 0, maxReducedBytes: 0, maxOutputBytes: 0 };

/** Errors of one request that say what would fit. */
const maxHints = 3;

export function createRequestBudget(
  limits: Limits & Pick<DocumentLimits, 'maxPositions' | 'maxListedNodes' | 'maxComplexity'>,
  { costOnly = false, valuesAreSent = false, memory = noMemory }: BudgetOptions = {},
): RequestBudget {
  let spent = nothing;
  let hints = maxHints;
  let positions = 0;
  let listedNodes = 0;
  let fields = 0;
  /** Values of variable length show their size when they are read: one after the other, each gets what is left. */
  let turn: Promise<unknown> = Promise.resolve();
  const readMemory = createReadMemory(memory);

  function charge(slice: LazySlice, charged: Charge): void {
    const alone = excessOf(charged, limits);
    if (alone.length > 0)
      throw limitError(slice, alone, 'this slice is too large', 'Select less', partWithin(slice, nothing));
    const needed = add(spent, charged);
    const excess = excessOf(needed, limits);
    if (excess.length > 0)
      throw limitError(
        slice,
        excess,
        'this slice and others of the request are too large together',
        'Ask in several requests, or select less',
        partWithin(slice, spent),
      );
    spent = needed;
  }

  /** What of the slice would fit beside what is spent; told for the first slices only, since it takes many plans. */
  function partWithin(slice: LazySlice, before: Charge): FittingSelection | undefined {
    if (hints === 0) return undefined;
    hints -= 1;
    return suggestFit(slice, (one) => excessOf(add(before, chargeOf(one)), limits).length === 0);
  }

  async function readVariable(slice: LazySlice, signal: AbortSignal | undefined): Promise<Block> {
    // The elements are charged already, their contents are not.
    const elements = chargeOf(slice).maxOutputBytes;
    const left = limits.maxOutputBytes - spent.maxOutputBytes + elements;
    const block = await slice.read({ signal, limits: { ...limits, maxOutputBytes: left } });
    const contents = Math.max(0, bytesOf(block) - elements);
    charge(slice, { ...nothing, maxOutputBytes: contents });
    return block;
  }

  async function readReserved(slice: LazySlice, signal: AbortSignal | undefined): Promise<Block> {
    const need = needOfRead(slice);
    const granted = readMemory.begin(need, signal);
    // Reads of one tick begin in one tick, and are put together by the store.
    if (granted !== undefined) await granted;
    try {
      const block = await readCharged(slice, signal);
      readMemory.end(need, bytesOf(block));
      return block;
    } catch (error) {
      readMemory.fail(need);
      throw error;
    }
  }

  async function readCharged(slice: LazySlice, signal: AbortSignal | undefined): Promise<Block> {
    // What decodes values further may do so in place.
    const readOnly = valuesAreSent && isStored(slice);
    if (slice.cost().outputBytes !== undefined) return slice.read({ signal, limits, readOnly });
    const mine = turn.then(() => readVariable(slice, signal));
    turn = mine.catch(() => undefined);
    return mine;
  }

  return {
    async read(slice, signal) {
      charge(slice, chargeOf(slice));
      if (costOnly) throw new NotReadError('only the cost was asked for');
      return readReserved(slice, signal);
    },
    async lookUp(slice, signal) {
      charge(slice, chargeOf(slice));
      return readReserved(slice, signal);
    },
    chargeWrite(slice, contents = 0) {
      const { chunks, decodedBytes } = slice.writeCost();
      charge(slice, { ...nothing, maxChunks: chunks, maxDecodedBytes: decodedBytes + contents });
    },
    async whileWriting({ allocatedBytes, decodedBytes, stepBytes }, signal, write) {
      // The chunks that are edited at a time are decoded, changed and encoded.
      const bytes = allocatedBytes + 2 * Math.min(decodedBytes, Math.max(READ_WINDOW_BYTES, stepBytes));
      await memory.take(bytes, { signal });
      try {
        return await write();
      } finally {
        memory.give(bytes);
      }
    },
    reserveFields: (signal) => memory.take(fields * FIELD_BYTES, { signal }),
    chargeFields(count) {
      fields += count;
      const allowed = limits.maxComplexity;
      if (fields > allowed)
        throw new LimitError(
          `the answer could have ${fields} fields; maxComplexity allows ${allowed}: ask for fewer in each list ("first"), for fewer fields, or in several requests`,
          { excess: [{ limit: 'maxComplexity', allowed, needed: fields }] },
        );
    },
    chargeJson(bytes, signal) {
      const needed = spent.maxOutputBytes + bytes;
      const allowed = limits.maxOutputBytes;
      if (needed > allowed)
        throw new LimitError(
          `the attributes, metadata and values of the request are too large together: maxOutputBytes allows ${allowed}, ${needed} are needed; use "attribute" for a single attribute, or several requests`,
          { excess: [{ limit: 'maxOutputBytes', allowed, needed }] },
        );
      spent = { ...spent, maxOutputBytes: needed };
      return memory.take(bytes, { signal });
    },
    left: () => ({
      maxChunks: limits.maxChunks - spent.maxChunks,
      maxDecodedBytes: limits.maxDecodedBytes - spent.maxDecodedBytes,
      maxReducedBytes: limits.maxReducedBytes - spent.maxReducedBytes,
      maxOutputBytes: limits.maxOutputBytes - spent.maxOutputBytes,
    }),
    chargePositions(count) {
      positions += count;
      const allowed = limits.maxPositions;
      if (positions > allowed)
        throw new LimitError(
          `the selections of the request list too many positions: maxPositions allows ${allowed}, ${positions} are needed so far; use slices with steps, or ask in several requests`,
          { excess: [{ limit: 'maxPositions', allowed, needed: positions }] },
        );
    },
    chargeListedNodes(count) {
      listedNodes += count;
      const allowed = limits.maxListedNodes;
      if (listedNodes > allowed)
        throw new LimitError(
          `the listings of the request look at too many nodes: maxListedNodes allows ${allowed}; look below a group, or ask in several requests`,
          { excess: [{ limit: 'maxListedNodes', allowed, needed: listedNodes }] },
        );
    },
    costOnly,
    spent: () => ({
      fields,
      chunks: spent.maxChunks,
      decodedBytes: spent.maxDecodedBytes,
      reducedBytes: spent.maxReducedBytes,
      outputBytes: spent.maxOutputBytes,
    }),
  };
}

function chargeOf(slice: LazySlice): Charge {
  const cost = slice.cost();
  return {
    maxChunks: cost.chunks,
    maxDecodedBytes: cost.decodedBytes,
    maxReducedBytes: cost.reducedBytes,
    maxOutputBytes: Math.max(
      cost.outputBytes ?? 0,
      sizeOf(slice.shape) * chargedItemBytes(slice.dtype),
      // Brackets are output too: (10^9, 0) has no bytes and a thousand million lists.
      listCount(slice.shape),
    ),
  };
}

function hintOf({ dimension, name, size }: FittingSelection): string {
  const places = size === 1 ? 'one place' : `${size} places`;
  return `: ${places} of dimension ${dimension}${name === null ? '' : ` ("${name}")`} would fit`;
}

function add(a: Charge, b: Charge): Charge {
  return {
    maxChunks: a.maxChunks + b.maxChunks,
    maxDecodedBytes: a.maxDecodedBytes + b.maxDecodedBytes,
    maxReducedBytes: a.maxReducedBytes + b.maxReducedBytes,
    maxOutputBytes: a.maxOutputBytes + b.maxOutputBytes,
  };
}

function excessOf(needed: Charge, limits: Limits): Excess[] {
  const names = ['maxOutputBytes', 'maxDecodedBytes', 'maxReducedBytes', 'maxChunks'] as const;
  return names
    .filter((name) => needed[name] > limits[name])
    .map((name) => ({ limit: name, allowed: limits[name], needed: needed[name] }));
}

function limitError(
  slice: LazySlice,
  excess: readonly Excess[],
  what: string,
  advice: string,
  fits?: FittingSelection,
): LimitError {
  const bounds = excess.map(
    ({ limit, allowed, needed }) => `${limit} allows ${allowed}, ${needed} are needed`,
  );
  const hint = fits === undefined ? '' : hintOf(fits);
  return new LimitError(
    `${what}: ${bounds.join('; ')}. ${advice}${hint}; "estimate" tells what a part takes`,
    {
      excess,
      where: slice.where,
      ...(fits === undefined ? {} : { fits: { ...fits } }),
    },
  );
}

function bytesOf(block: Block): number {
  return 'bytes' in block ? block.bytes.length : itemBytes(block.items);
}
