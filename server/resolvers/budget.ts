/**
 * Per-request limits. The full cost of a slice is charged before any part of it is read, so that many
 * slices, each within the limits, cannot exceed them together.
 */
import { noMemory, type MemoryLease } from '../memory/lease.js';
import type { OutputMemory } from '../memory/output-memory.js';
import { createReadMemory, needOfRead, needOfWork } from '../memory/read-memory.js';
import { FIELD_BYTES, READ_WINDOW_BYTES } from '../memory/sizes.js';
import {
  type Block,
  isStored,
  type LazySlice,
  LimitError,
  type Limits,
  type ErrorContext,
} from '../zarr/index.js';
import {
  add,
  blockBytes,
  type Charge,
  chargeOf,
  excessOf,
  limitError,
  nothing,
  type FittingSelection,
  suggestFit,
} from './charge.js';
import type { DocumentLimits } from './limits.js';
import type { ReadBy, RequestBudget } from './request-budget.js';

export type {
  ChargedWork,
  ComputeOptions,
  OperationCost,
  ReadBy,
  ReadScope,
  RequestBudget,
  WriteCost,
} from './request-budget.js';

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
  /** The lease for the request's memory. @default a lease that grants none */
  readonly memory?: MemoryLease | undefined;
  /** Releases values before the request ends. @default values are held until then */
  readonly outputs?: OutputMemory | undefined;
}

/** Maximum number of errors per request that suggest a selection that fits. */
const MAX_HINTS = 3;

export function createRequestBudget(
  limits: Limits & Pick<DocumentLimits, 'maxPositions' | 'maxListedNodes' | 'maxComplexity'>,
  { costOnly = false, valuesAreSent = false, memory = noMemory, outputs }: BudgetOptions = {},
): RequestBudget {
  let spent = nothing;
  let hints = MAX_HINTS;
  let positions = 0;
  let listedNodes = 0;
  let prepared = 0;
  let fields = 0;
  /**
   * The size of variable-length values is unknown before they are read, so they are read one after the
   * other, each with the remaining budget.
   */
  let turn: Promise<unknown> = Promise.resolve();
  const readMemory = createReadMemory(memory, outputs);

  /** @param slice the slice of the charge, to suggest a part that fits */
  function charge(where: ErrorContext, charged: Charge, slice?: LazySlice): void {
    const needed = add(spent, charged);
    const excess = excessOf(needed, limits);
    if (excess.length === 0) {
      spent = needed;
      return;
    }
    const alone = excessOf(charged, limits);
    if (alone.length > 0)
      throw limitError(
        where,
        alone,
        'the slice is too large',
        'select fewer elements',
        partWithin(slice, nothing),
      );
    throw limitError(
      where,
      excess,
      'the slices of the request are too large in total',
      'split the request, or select fewer elements',
      partWithin(slice, spent),
    );
  }

  /**
   * Finds the part of the slice that fits the remaining budget. Computed only for the first errors, because
   * it requires many plans.
   */
  function partWithin(slice: LazySlice | undefined, before: Charge): FittingSelection | undefined {
    if (slice === undefined || hints === 0) return undefined;
    hints -= 1;
    return suggestFit(slice, (part) => excessOf(add(before, chargeOf(part)), limits).length === 0);
  }

  async function readVariable(
    slice: LazySlice,
    signal: AbortSignal | undefined,
    readBy: ReadBy,
  ): Promise<Block> {
    // The elements have been charged; this charges their contents.
    const elements = chargeOf(slice).maxOutputBytes;
    const left = limits.maxOutputBytes - spent.maxOutputBytes + elements;
    const block = await readBy({ signal, limits: { ...limits, maxOutputBytes: left } });
    const contents = Math.max(0, blockBytes(block) - elements);
    charge(slice.where, { ...nothing, maxOutputBytes: contents });
    return block;
  }

  function readReserved(
    slice: LazySlice,
    signal: AbortSignal | undefined,
    readBy: ReadBy = (options) => slice.read(options),
  ): Promise<Block> {
    // Slices with further decoding may modify the values in place.
    const readOnly = valuesAreSent && isStored(slice);
    const run = (): Promise<Block> => {
      if (slice.cost().outputBytes !== undefined) return readBy({ signal, limits, readOnly });
      const reading = turn.then(() => readVariable(slice, signal, readBy));
      turn = reading.catch(() => undefined);
      return reading;
    };
    return readMemory.hold(needOfRead(slice), signal, run, blockBytes);
  }

  return {
    async read(slice, signal, readBy) {
      charge(slice.where, chargeOf(slice), slice);
      if (costOnly) throw new NotReadError('only the cost was requested');
      return readReserved(slice, signal, readBy);
    },
    async compute(work, signal, run) {
      const cost = work.cost();
      charge(work.where, {
        maxChunks: cost.chunks,
        maxDecodedBytes: cost.decodedBytes,
        maxReducedBytes: cost.reducedBytes,
        maxWork: cost.work,
        maxOutputBytes: Math.max(cost.outputBytes ?? 0, cost.allocatedBytes),
      });
      if (costOnly) throw new NotReadError('only the cost was requested');
      const need = needOfWork(work);
      return readMemory.hold(
        need,
        signal,
        () => run({ signal, limits }),
        () => need.resultBytes,
      );
    },
    async lookUp(slice, signal) {
      charge(slice.where, chargeOf(slice), slice);
      const block = await readReserved(slice, signal);
      prepared += blockBytes(block);
      return block;
    },
    reserve(bytes, signal) {
      prepared += bytes;
      return memory.take(bytes, { signal });
    },
    preparedBytes: () => prepared,
    chargeWrite(slice, contents = 0) {
      const { chunks, decodedBytes } = slice.writeCost();
      charge(slice.where, { ...nothing, maxChunks: chunks, maxDecodedBytes: decodedBytes + contents });
    },
    async whileWriting({ allocatedBytes, decodedBytes, stepBytes }, contents, signal, write) {
      // An edited chunk needs memory for its decoded, changed and encoded form.
      // All contents may belong to one chunk.
      const chunkBytes = Math.min(decodedBytes, Math.max(READ_WINDOW_BYTES, stepBytes)) + contents;
      const bytes = allocatedBytes + 2 * chunkBytes;
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
          `the response could have ${fields} fields; maxComplexity allows ${allowed}; request fewer items per list ("first") or fewer fields, or split the request`,
          { excess: [{ limit: 'maxComplexity', allowed, needed: fields }] },
        );
    },
    chargeJson(bytes, signal) {
      const needed = spent.maxOutputBytes + bytes;
      const allowed = limits.maxOutputBytes;
      if (needed > allowed)
        throw new LimitError(
          `the attributes, metadata and values of the request are too large in total: maxOutputBytes allows ${allowed}, but ${needed} are needed; use "attribute" for a single attribute, or split the request`,
          { excess: [{ limit: 'maxOutputBytes', allowed, needed }] },
        );
      spent = { ...spent, maxOutputBytes: needed };
      return memory.take(bytes, { signal });
    },
    left: () => ({
      maxChunks: limits.maxChunks - spent.maxChunks,
      maxDecodedBytes: limits.maxDecodedBytes - spent.maxDecodedBytes,
      maxReducedBytes: limits.maxReducedBytes - spent.maxReducedBytes,
      maxWork: limits.maxWork - spent.maxWork,
      maxOutputBytes: limits.maxOutputBytes - spent.maxOutputBytes,
    }),
    chargePositions(count) {
      positions += count;
      const allowed = limits.maxPositions;
      if (positions > allowed)
        throw new LimitError(
          `the selections of the request list too many positions: maxPositions allows ${allowed}, but at least ${positions} are needed; use slices with steps, or split the request`,
          { excess: [{ limit: 'maxPositions', allowed, needed: positions }] },
        );
    },
    chargeListedNodes(count) {
      listedNodes += count;
      const allowed = limits.maxListedNodes;
      if (listedNodes > allowed)
        throw new LimitError(
          `the listings of the request visit too many nodes: maxListedNodes allows ${allowed}; list fewer variables or a deeper group, or split the request`,
          { excess: [{ limit: 'maxListedNodes', allowed, needed: listedNodes }] },
        );
    },
    costOnly,
    spent: () => ({
      fields,
      chunks: spent.maxChunks,
      decodedBytes: spent.maxDecodedBytes,
      reducedBytes: spent.maxReducedBytes,
      work: spent.maxWork,
      outputBytes: spent.maxOutputBytes,
    }),
  };
}
