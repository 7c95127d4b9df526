/**
 * Slices whose values are computed from those of several inputs at the same position. Lazy; passes selections on to the
 * inputs.
 */
import { isSameRead } from '#direct-reads';
import { defined } from '../../../wire/guards.js';
import { sizeOf } from '../../core/bytes/shape.js';
import { fixedItemSize, dataTypeName, type Block } from '../../core/dtype/data-type.js';
import type { ErrorContext } from '../../core/errors.js';
import type { Limits } from '../../core/limits.js';
import { type BoxesPlan, planBoxes } from '../../compute/program/combine-box.js';
import type { MadeDim } from '../../compute/made-dim.js';
import { foldCost } from '../fold-slice.js';
import { HeldSlice, isPointwise } from '../held-slice.js';
import type {
  LazySlice,
  SliceBlock,
  SliceDim,
  SliceFoldOptions,
  SliceOrigin,
  SliceStreamOptions,
} from '../lazy-slice.js';
import { wholeDim } from '../mapped-origin.js';
import { OneState } from '../one-state.js';
import { createStreamSession } from '../stream-slice.js';
import { assertWithinLimits, workOf, type PlanCost } from '../../format/plan/cost.js';
import { PARTIAL_SLOT_BYTES } from '../../threads/slots.js';
import { resolveSelection } from '../../format/selection/resolve.js';
import {
  dimSelectionOf,
  type ResolvedDim,
  type ResolvedSelection,
} from '../../format/selection/selection.js';
import { composeSelections } from '../../format/selection/compose.js';
import { dimsOfOrigin } from '../slice.js';
import { costOfInputs } from '../slice-inputs.js';
import { regularDim } from '../../format/grid.js';
import { chunkSizeAlong } from '../split-slice.js';
import { boxLengths, chunksAlong } from '../boxes.js';
import { type CombinedInput, type Combination, programOf } from './combination.js';
import { boxesAhead, boxesInMemory, isInMemory } from './reduce-boxes.js';
import { type CombinedWork, foldCombined, joinKeyOf, limitsOf, readCombined } from './read-combined.js';
import { ComputedSlice } from '../computed-slice.js';
import type { SelectionInput } from '../../format/selection/plain.js';

/** The dimensions of the result. */
export interface CombinedFrame {
  /** Location of the slice, for error messages. */
  readonly where: ErrorContext;
  readonly dimensionNames: readonly (string | null)[];
  readonly shape: readonly number[];
  /** Where the dimensions come from; undefined for whole dimensions of the dataset. */
  readonly along?: readonly FrameDim[];
}

/** A dimension of the result whose labels are not those of a whole dimension of the dataset. */
export interface FrameDim extends Pick<SliceDim, 'name'> {
  /** The name in the dataset; null if the labels are `made`, or if there are none. */
  readonly dimensionName: string | null;
  /** The size of the dimension that the positions are selected from. */
  readonly size: number;
  readonly selection: ResolvedDim;
  readonly made: MadeDim | undefined;
}

/**
 * @param inputs one or more inputs, in which each dimension has the length of its axis
 * @param frame axes of the result
 */
export function combineSlices(
  all: readonly CombinedInput[],
  frame: CombinedFrame,
  whole: Combination,
): LazySlice {
  const { inputs, combination } = withoutRepeats(all, whole);
  const { where, dimensionNames, shape } = frame;
  const chunks = shape.map((size, axis) => {
    const length = commonChunk(inputs, axis, size);
    return length === undefined ? undefined : regularDim(size, length);
  });
  const along = frame.along ?? shape.map((size, axis): FrameDim => {
    const name = dimensionNames[axis] ?? null;
    return { name, dimensionName: name, size, selection: wholeDim(size), made: undefined };
  }); // prettier-ignore
  const origin: SliceOrigin = {
    dimensionNames: along.map(({ dimensionName }) => dimensionName),
    shape: along.map(({ size }) => size),
    chunks,
    selection: { kind: 'box', dims: along.map(({ selection }) => selection) },
    ...(along.some(({ made }) => made !== undefined) ? { made: along.map(({ made }) => made) } : {}),
  };
  return new CombinedSlice(where, inputs, { origin, names: along.map(({ name }) => name) }, combination);
}

/** Equal inputs are read once, such as a variable and the condition on it. */
function withoutRepeats(
  all: readonly CombinedInput[],
  combination: Combination,
): { readonly inputs: readonly CombinedInput[]; readonly combination: Combination } {
  const { programs } = combination;
  if (programs.length === 0) return { inputs: all, combination };
  const inputs: CombinedInput[] = [];
  const places = all.map((input) => {
    const at = inputs.findIndex((other) => isSameInput(input, other));
    return at < 0 ? inputs.push(input) - 1 : at;
  });
  if (inputs.length === all.length) return { inputs, combination };
  const placed = programs.map((program) => ({
    ...program,
    loads: program.loads.map((load) => ({ ...load, input: defined(places[load.input]) })),
  }));
  return { inputs, combination: { ...combination, programs: placed } };
}

function isSameInput(a: CombinedInput, b: CombinedInput): boolean {
  const [x, y] = [a.slice.elements, b.slice.elements];
  if (x === undefined || y === undefined) return false;
  const [one, other] = [x.stored.array, y.stored.array];
  if (one.context !== other.context || one.cacheKey !== other.cacheKey) return false;
  if (a.axes.length !== b.axes.length || a.axes.some((axis, d) => axis !== b.axes[d])) return false;
  return isSameRead(
    { selection: x.stored.selection, transform: x.transform },
    { selection: y.stored.selection, transform: y.transform },
  );
}

/** The origin, and the names of its dimensions. */
interface NamedOrigin {
  readonly origin: SliceOrigin;
  readonly names: readonly (string | null)[];
}

function namedDims({ origin, names }: NamedOrigin): SliceDim[] {
  const dims = dimsOfOrigin(origin);
  const { selection } = origin;
  if (selection.kind === 'points') return dims;
  const kept = selection.dims.flatMap((dim, d) => (dim.dropped ? [] : [names[d] ?? null]));
  return dims.map((dim, d) => ({ ...dim, name: kept[d] ?? null }));
}

class CombinedSlice extends ComputedSlice {
  readonly #inputs: readonly CombinedInput[];
  readonly #names: readonly (string | null)[];
  readonly #combination: Combination;
  readonly #work: CombinedWork;

  constructor(
    where: ErrorContext,
    inputs: readonly CombinedInput[],
    { origin, names }: NamedOrigin,
    combination: Combination,
  ) {
    const { dtype } = combination;
    const dims = namedDims({ origin, names });
    const shape = dims.map(({ size }) => size);
    super(
      { where, origin, dtype, dtypeName: dataTypeName(dtype), shape, dims },
      inputs.map(({ slice }) => slice),
    );
    const elementBytes = inputs.reduce((sum, { slice }) => sum + fixedItemSize(slice.dtype), dtype.itemSize);
    const chunks = chunksAlong(this);
    const lengths = boxLengths(shape, chunks, elementBytes);
    this.#inputs = inputs;
    this.#names = names;
    this.#combination = combination;
    let plan: BoxesPlan | undefined;
    const planned = (): BoxesPlan =>
      (plan ??= planBoxes(
        inputs.map(({ axes, slice }) => ({ axes, itemSize: fixedItemSize(slice.dtype) })),
        shape,
        { ...combination, itemSize: dtype.itemSize },
      ));
    this.#work = { where, inputs, shape, chunks, lengths, elementBytes, combination, plan: planned };
  }

  override get isPointwise(): boolean {
    return this.#inputs.every(({ slice }) => isPointwise(slice));
  }

  select(selection?: SelectionInput): LazySlice {
    const resolved = resolveSelection(selection, this.dims);
    const selected = { ...this.origin, selection: composeSelections(this.origin.selection, resolved) };
    const inputs = this.#inputs.map((input) => selectInput(input, resolved));
    return this.#with(inputs, selected);
  }

  #with(inputs: readonly CombinedInput[], origin: SliceOrigin): CombinedSlice {
    return new CombinedSlice(this.where, inputs, { origin, names: this.#names }, this.#combination);
  }

  cost(): PlanCost {
    return combinedCost(this.#work);
  }

  override get joinKey(): string | undefined {
    return this.#hasHeld ? undefined : joinKeyOf(this.#work);
  }

  get #hasHeld(): boolean {
    return this.#inputs.some(({ slice }) => slice instanceof HeldSlice && !slice.isHeld);
  }

  /** The same values, with inputs that are read only once in memory. */
  async #held(options: SliceFoldOptions): Promise<CombinedSlice> {
    const inputs: CombinedInput[] = [];
    // One after the other, because each holds what it reads.
    for (const input of this.#inputs) {
      const { slice } = input;
      inputs.push(
        slice instanceof HeldSlice && !slice.isHeld ? { ...input, slice: await slice.hold(options) } : input,
      );
    }
    return this.#with(inputs, this.origin);
  }

  protected async compute(options: SliceFoldOptions, out: Uint8Array | undefined): Promise<Block> {
    if (!this.#hasHeld) return readCombined(this.#work, this.cost(), options, out);
    assertWithinLimits(this.cost(), options.limits ?? limitsOf(this.#work, options));
    const state = new OneState(this, options);
    const watched = { ...options, onVersion: state.onVersion };
    const held = await this.#held(watched);
    const block = await readCombined(held.#work, held.cost(), watched, out);
    state.assertUnchanged();
    return block;
  }

  override streamedCost(limits: Limits): PlanCost {
    return this.#hasHeld ? this.cost() : super.streamedCost(limits);
  }

  override async *stream(options: SliceStreamOptions = {}): AsyncGenerator<SliceBlock> {
    if (!this.#hasHeld) {
      yield* super.stream(options);
      return;
    }
    const { signal, limits, session = createStreamSession() } = options;
    const state = new OneState(this, { ...options, session });
    const held = await this.#held({ signal, limits, onVersion: state.onVersion });
    state.assertUnchanged();
    yield* held.stream({ ...options, session });
  }

  override get fold(): NonNullable<LazySlice['fold']> {
    if (!this.#hasHeld) return (fold, options) => foldCombined(this, this.#work, fold, options);
    return async (fold, options = {}) => {
      const limits = options.limits ?? limitsOf(this.#work, options);
      assertWithinLimits(foldCost(this, fold, fold.totalBytes), limits);
      const state = new OneState(this, options);
      const watched = { ...options, onVersion: state.onVersion };
      const held = await this.#held(watched);
      const result = await foldCombined(held, held.#work, fold, watched);
      state.assertUnchanged();
      return result;
    };
  }
}

/** Number of operations that take about as long as decoding one element. */
const STEPS_OF_DECODING = 8;

/**
 * The cost of reading all inputs, each chunk once, and of computing the result. The result counts as
 * decoded bytes, once per eight operations. Otherwise, the outer product of two small vectors would be
 * free, regardless of its size.
 */
function combinedCost(work: CombinedWork): PlanCost {
  const { inputs, shape, lengths, elementBytes, combination } = work;
  const slices = inputs.map(({ slice }) => slice);
  const outputBytes = sizeOf(shape) * combination.dtype.itemSize;
  const ofInputs = costOfInputs(slices, { outputBytes, allocatedBytes: outputBytes, intermediateBytes: 0 });
  const threads = slices[0]?.inputs[0]?.array.context.decoding.pool?.threads ?? 0;
  const boxBytes = sizeOf(lengths) * elementBytes;
  const isOneBox = lengths.every((length, d) => length === shape[d]);
  const heldBytes = inputs.reduce((sum, { slice, axes }) => {
    if (!isInMemory(slice) && !(slice instanceof HeldSlice)) return sum;
    return sum + sizeOf(axes.map((axis) => defined(lengths[axis]))) * fixedItemSize(slice.dtype);
  }, 0);
  const perBoxAhead = PARTIAL_SLOT_BYTES + heldBytes;
  const aheadBytes = (isOneBox ? 1 : boxesAhead(threads, boxBytes)) * perBoxAhead;
  const mayUseThreads = threads > 0 && programOf(combination) !== undefined;
  const computedBytes = outputBytes * Math.max(1, Math.ceil(combination.steps / STEPS_OF_DECODING));
  return {
    ...ofInputs,
    decodedBytes: ofInputs.decodedBytes + computedBytes,
    work: ofInputs.work + sizeOf(shape) * combination.steps * workOf.step,
    // One box is computed while the next one is read, or each thread computes one. Threads place the partial results of
    // reductions in slots, and receive copies of values in memory.
    intermediateBytes:
      boxesInMemory(threads, boxBytes) * boxBytes +
      (mayUseThreads ? aheadBytes : 0) +
      (mayUseThreads ? threads : 1) * work.plan().scratchBytes(lengths) +
      combination.workBytes +
      slices.reduce((sum, slice) => sum + (isPointwise(slice) ? 0 : slice.cost().intermediateBytes), 0),
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
