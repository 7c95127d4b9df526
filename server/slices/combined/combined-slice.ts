/**
 * Slices whose values are computed from those of several inputs at the same position. Lazy; passes selections on to the
 * inputs.
 */
import { defined } from '../../../wire/guards.js';
import { sizeOf } from '../../core/bytes/shape.js';
import { fixedItemSize, dataTypeName, type Block } from '../../core/dtype/data-type.js';
import type { ErrorContext } from '../../core/errors.js';
import type { LazySlice, SliceOrigin, SliceFoldOptions } from '../lazy-slice.js';
import { workOf, type PlanCost } from '../../format/plan/cost.js';
import { PARTIAL_SLOT_BYTES } from '../../threads/slots.js';
import { resolveSelection } from '../../format/selection/resolve.js';
import { dimSelectionOf, type ResolvedSelection } from '../../format/selection/selection.js';
import { composeSelections } from '../../format/selection/compose.js';
import { dimsOfOrigin } from '../slice.js';
import { costOfInputs } from '../slice-inputs.js';
import { chunkSizeAlong } from '../split-slice.js';
import { boxLengths, chunksAlong } from '../boxes.js';
import type { CombinedInput, Combination } from './combination.js';
import { boxesAhead, boxesInMemory } from './reduce-boxes.js';
import { type CombinedWork, foldCombined, readCombined } from './read-combined.js';
import { ComputedSlice } from '../computed-slice.js';
import type { SelectionInput } from '../../format/selection/plain.js';

/** The dimensions of the result. */
export interface CombinedFrame {
  /** Location of the slice, for error messages. */
  readonly where: ErrorContext;
  readonly dimensionNames: readonly (string | null)[];
  readonly shape: readonly number[];
}

/**
 * @param inputs one or more inputs, in which each dimension has the length of its axis
 * @param frame axes of the result
 */
export function combineSlices(
  inputs: readonly CombinedInput[],
  frame: CombinedFrame,
  combination: Combination,
): LazySlice {
  const { where, dimensionNames, shape } = frame;
  const chunkShape = shape.map((size, axis) => commonChunk(inputs, axis, size));
  const origin: SliceOrigin = {
    dimensionNames,
    shape,
    chunkShape,
    selection: {
      kind: 'box',
      dims: shape.map((count) => ({ kind: 'range', start: 0, step: 1, count, dropped: false })),
    },
  };
  return new CombinedSlice(where, inputs, origin, combination);
}

class CombinedSlice extends ComputedSlice {
  readonly #inputs: readonly CombinedInput[];
  readonly #combination: Combination;
  readonly #work: CombinedWork;

  constructor(
    where: ErrorContext,
    inputs: readonly CombinedInput[],
    origin: SliceOrigin,
    combination: Combination,
  ) {
    const { dtype } = combination;
    const dims = dimsOfOrigin(origin);
    const shape = dims.map(({ size }) => size);
    super(
      { where, origin, dtype, dtypeName: dataTypeName(dtype), shape, dims },
      inputs.map(({ slice }) => slice),
    );
    const elementBytes = inputs.reduce((sum, { slice }) => sum + fixedItemSize(slice.dtype), dtype.itemSize);
    const chunks = chunksAlong(this);
    const lengths = boxLengths(shape, chunks, elementBytes);
    this.#inputs = inputs;
    this.#combination = combination;
    this.#work = { where, inputs, shape, chunks, lengths, elementBytes, combination };
  }

  select(selection?: SelectionInput): LazySlice {
    const resolved = resolveSelection(selection, this.dims);
    const selected = { ...this.origin, selection: composeSelections(this.origin.selection, resolved) };
    const inputs = this.#inputs.map((input) => selectInput(input, resolved));
    return new CombinedSlice(this.where, inputs, selected, this.#combination);
  }

  cost(): PlanCost {
    return combinedCost(this.#work);
  }

  protected compute(options: SliceFoldOptions, out: Uint8Array | undefined): Promise<Block> {
    return readCombined(this.#work, this.cost(), options, out);
  }

  override get fold(): NonNullable<LazySlice['fold']> {
    return (fold, options) => foldCombined(this, this.#work, fold, options);
  }
}

/** Number of operations that take about as long as decoding one element. */
const STEPS_OF_DECODING = 8;

/**
 * The cost of reading all inputs, each chunk once, and of computing the result. The result counts as
 * decoded bytes, once per eight operations. Otherwise, the outer product of two small vectors would be
 * free, regardless of its size.
 */
function combinedCost({ inputs, shape, lengths, elementBytes, combination }: CombinedWork): PlanCost {
  const slices = inputs.map(({ slice }) => slice);
  const outputBytes = sizeOf(shape) * combination.dtype.itemSize;
  const ofInputs = costOfInputs(slices, { outputBytes, allocatedBytes: outputBytes, intermediateBytes: 0 });
  const threads = slices[0]?.inputs[0]?.array.context.decoding.pool?.threads ?? 0;
  const boxBytes = sizeOf(lengths) * elementBytes;
  const isOneBox = lengths.every((length, d) => length === shape[d]);
  const slotBytes = (isOneBox ? 1 : boxesAhead(threads, boxBytes)) * PARTIAL_SLOT_BYTES;
  const mayUseThreads = threads > 0 && combination.program !== undefined;
  const computedBytes = outputBytes * Math.max(1, Math.ceil(combination.steps / STEPS_OF_DECODING));
  return {
    ...ofInputs,
    decodedBytes: ofInputs.decodedBytes + computedBytes,
    work: ofInputs.work + sizeOf(shape) * combination.steps * workOf.step,
    // One box is computed while the next one is read, or each thread computes one. Threads place the partial results of
    // reductions in slots.
    intermediateBytes:
      boxesInMemory(threads, boxBytes) * boxBytes + (mayUseThreads ? slotBytes : 0) + combination.workBytes,
  };
}

/**
 * The chunk length of an axis. If the inputs have different chunks, boxes end at common chunk boundaries,
 * unless those are far apart.
 */
function commonChunk(inputs: readonly CombinedInput[], axis: number, size: number): number | undefined {
  const chunks = inputs.flatMap(({ slice: { origin, dims }, axes }) => {
    const d = axes.indexOf(axis);
    if (d < 0 || dims[d]?.step !== 1 || dims[d].start !== 0) return [];
    return chunkSizeAlong({ origin }, d) ?? [];
  });
  const most = chunks.reduce((a, b) => Math.max(a, b), 0);
  if (most === 0) return undefined;
  const common = chunks.reduce((a, b) => (a * b) / greatestCommonDivisor(a, b), 1);
  return common <= Math.max(4 * most, 1) && common <= size ? common : most;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

/** The selection of an input at the same positions, along its axes. */
function selectInput({ slice, axes }: CombinedInput, resolved: ResolvedSelection): CombinedInput {
  if (resolved.kind === 'points') {
    if (axes.length === 0) return { slice, axes };
    const points = Array.from({ length: resolved.count }, (_, p) => axes.map((axis) => defined(resolved.at[axis]?.[p]))); // prettier-ignore
    if (!resolved.dropped) return { slice: slice.select({ kind: 'points', points }), axes: [0] };
    const dims = (points[0] ?? []).map((index) => ({ kind: 'index' as const, index }));
    return { slice: slice.select({ kind: 'dims', dims }), axes: [] };
  }
  const { dims } = resolved;
  const outputAxes = dims.map((_, axis) => dims.slice(0, axis).filter(({ dropped }) => !dropped).length);
  return {
    slice: slice.select({
      kind: 'dims',
      dims: axes.map((axis) => {
        const dim = dims[axis];
        return dim === undefined ? { kind: 'slice' } : dimSelectionOf(dim);
      }),
    }),
    axes: axes.filter((axis) => dims[axis]?.dropped !== true).map((axis) => defined(outputAxes[axis])),
  };
}
