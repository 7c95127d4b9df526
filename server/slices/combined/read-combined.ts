/** Reads and folds slices with several inputs, box by box: one is computed while the next is read, or on threads. */
import { fixedItemSize, type Block } from '../../core/dtype/data-type.js';
import { defined } from '../../../wire/guards.js';
import { sizeOf, stridesOf } from '../../core/bytes/shape.js';
import { copyStrided } from '../../core/bytes/strided-copy.js';
import { withContext, type ErrorContext, throwIfAborted } from '../../core/errors.js';
import { addBlock, foldCost, workOfBox } from '../fold-slice.js';
import type { LazySlice, SliceFoldOptions, SliceReadOptions } from '../lazy-slice.js';
import { defaultLimits, type Limits } from '../../core/limits.js';
import { assertWithinLimits, type PlanCost } from '../../format/plan/cost.js';
import type { BoxesPlan } from '../../compute/program/combine-box.js';
import { mappedAxes } from '../../compute/axis-map.js';
import type { Fold } from '../../compute/reduce/fold.js';
import { OneState } from '../one-state.js';
import { createPause, inTurns } from '../../core/turns.js';
import { type AxisChunks, type Box, boxesOfShape, selectionIn } from '../boxes.js';
import { type CombinedInput, type Combination, programOf } from './combination.js';
import { joinBoxes } from './join-boxes.js';
import { boxInputsOf, poolForBoxes } from './reduce-boxes.js';
import { destination } from '../../core/bytes/values.js';

export interface CombinedWork {
  readonly where: ErrorContext;
  readonly inputs: readonly CombinedInput[];
  readonly shape: readonly number[];
  readonly chunks: readonly AxisChunks[];
  /** The shape of a box. */
  readonly lengths: readonly number[];
  /** Total bytes per element of all inputs and the result. */
  readonly elementBytes: number;
  readonly combination: Combination;
  /** How boxes are combined. */
  readonly plan: () => BoxesPlan;
}

/** Reads a combined slice. Options and errors are those of `LazySlice.read`. */
export async function readCombined(
  work: CombinedWork,
  cost: PlanCost,
  options: SliceFoldOptions,
  out: Uint8Array | undefined,
): Promise<Block> {
  const { shape, combination } = work;
  const { dtype } = combination;
  assertWithinLimits(cost, limitsOf(work, options));
  const bytes = destination(out, sizeOf(shape) * dtype.itemSize);
  const strides = stridesOf(shape, dtype.itemSize);
  // A single box is computed in the result itself, if typed arrays can view its address.
  const isOne = work.lengths.every((size, d) => size === shape[d]) && bytes.byteOffset % 8 === 0;
  const boxes = boxesOfShape(shape, work.chunks, work.lengths);
  const state = new OneState(work, options);
  const reading = readingOf(work, options, state);
  for await (const { box, values } of computedBoxes(
    work,
    { state, reading },
    boxes,
    isOne ? bytes : undefined,
  )) {
    if (values === bytes) continue;
    const own = stridesOf(box.shape, dtype.itemSize);
    const to = box.start.reduce((sum, position, d) => sum + position * defined(strides[d]), 0);
    const dims = box.shape.map((count, d) => ({ count, from: defined(own[d]), to: defined(strides[d]) }));
    copyStrided(values, 0, bytes, to, dims, dtype.itemSize);
  }
  return { dtype, shape, bytes };
}

/**
 * Folds a combined slice. Folds of the same inputs that begin in one turn of the event loop read them once. Options and
 * errors are those of `LazySlice.fold`.
 */
export async function foldCombined<T>(
  slice: LazySlice,
  work: CombinedWork,
  fold: Fold<T>,
  options: SliceFoldOptions = {},
): Promise<T> {
  const limits = limitsOf(work, options);
  assertWithinLimits(foldCost(slice, fold, fold.totalBytes), limits);
  const total = fold.createTotal();
  const { shape, inputs, lengths, elementBytes, combination } = work;
  const axes = mappedAxes(fold.maps, shape);
  const state = new OneState(work, options);
  const reading = readingOf(work, options, state);
  const { dtype } = combination;
  const program = programOf(combination);
  const run = createRunner(options.signal);
  const addComputed = async (boxes: Iterator<Box>): Promise<void> => {
    for await (const { box, values } of computedBoxes(work, { state, reading }, boxes))
      await run(addBlock(total, fold, { dtype, shape: box.shape, bytes: values }, axes, box.start));
  };
  const boxes = boxesOfShape(shape, work.chunks, lengths);
  const known = program === undefined ? undefined : boxInputsOf(inputs, reading);
  const pool = known === undefined ? undefined : poolForBoxes(known);
  if (program === undefined || known === undefined || pool === undefined) await addComputed(boxes);
  else {
    await joinBoxes({
      boxes,
      inputs: known,
      pool,
      grid: work,
      boxBytes: sizeOf(lengths) * elementBytes,
      program,
      reading,
      workOf: (box) => inTurns(workOfBox(fold, dtype, axes, box)),
      async add(partial, { placed, form }) {
        state.assertUnchanged();
        await run(total.add(partial, placed, form));
      },
      addComputed,
    });
    for (const { array } of inputs.flatMap((input) => input.slice.inputs))
      await array.confirmCurrent?.({ signal: options.signal });
  }
  return total.finish();
}

/** See `LazySlice.joinKey`. Inputs that are selected by lists have none, because their keys would be long. */
export function joinKeyOf(work: CombinedWork): string | undefined {
  const { inputs, lengths, combination } = work;
  if (programOf(combination) === undefined) return undefined;
  const stored = inputs.flatMap(({ slice: { elements }, axes }) =>
    elements?.stored.selection.kind === 'box' &&
    elements.stored.selection.dims.every(({ kind }) => kind === 'range')
      ? [[elements.stored.array.cacheKey, elements.stored.selection.dims, axes]]
      : [],
  );
  if (stored.length < inputs.length) return undefined;
  const known = boxInputsOf(inputs, { keepChunks: keepsChunks(work) });
  return known === undefined ? undefined : JSON.stringify([lengths, stored]);
}

function createRunner(signal: AbortSignal | undefined): (steps: Iterable<void>) => Promise<void> {
  const pause = createPause();
  return async (steps) => {
    for (const _ of steps) {
      const turn = pause();
      if (turn === undefined) continue;
      await turn;
      throwIfAborted(signal);
    }
  };
}

interface ComputedBox {
  readonly box: Box;
  /** The elements in C order. Valid until the next box is requested. */
  readonly values: Uint8Array;
}

/** @param out destination of the values if there is only one box */
async function* computedBoxes(
  { where, inputs, combination, plan }: CombinedWork,
  { state, reading }: { readonly state: OneState; readonly reading: SliceReadOptions },
  boxes: Iterator<Box>,
  out?: Uint8Array,
): AsyncGenerator<ComputedBox> {
  const { itemSize } = combination.dtype;
  const readBox = createBoxReader(inputs, reading);
  const own = plan();
  const combiner = own.createCombiner();
  const pause = createPause();
  let memory = new Uint8Array(0);
  let scratch = new Uint8Array(0);
  let next = begin(boxes, readBox);
  while (next !== undefined) {
    const { box } = next;
    const blocks = await next.blocks;
    throwIfAborted(reading.signal);
    state.assertUnchanged();
    next = begin(boxes, readBox);
    const count = sizeOf(box.shape);
    if (out === undefined && memory.length < count * itemSize) memory = new Uint8Array(count * itemSize);
    const bytes = out ?? memory.subarray(0, count * itemSize);
    const scratchBytes = own.scratchBytes(box.shape);
    if (scratch.length < scratchBytes) scratch = new Uint8Array(scratchBytes);
    try {
      for (const _ of combiner.run(blocks, box.shape, bytes, scratch)) {
        const turn = pause();
        if (turn === undefined) continue;
        await turn;
        throwIfAborted(reading.signal);
      }
    } catch (error) {
      throw withContext(error, where);
    }
    yield { box, values: bytes };
  }
}

/**
 * Reads the inputs of all boxes into reused memory for two boxes: one is read while the other one is
 * computed. The garbage collector would release new memory for each box late.
 */
function createBoxReader(
  inputs: readonly CombinedInput[],
  reading: SliceReadOptions,
): (box: Box) => Promise<Block[]> {
  const memory = inputs.map(() => [new Uint8Array(0), new Uint8Array(0)]);
  let turn = 0;
  function readInput({ slice, axes }: CombinedInput, box: Box, own: Uint8Array[]): Promise<Block> {
    const part = slice.select(selectionIn(box, axes));
    const bytes = sizeOf(part.shape) * fixedItemSize(part.dtype);
    if (!part.takesOut) return part.read(reading);
    let memory = own[turn] ?? new Uint8Array(0);
    if (memory.length < bytes) own[turn] = memory = new Uint8Array(bytes);
    return part.read({ ...reading, out: memory.subarray(0, bytes) });
  }
  return (box) => {
    turn = 1 - turn;
    const blocks = Promise.all(inputs.map((input, k) => readInput(input, box, memory[k] ?? [])));
    // The promise is awaited later, unless another error occurs first.
    blocks.catch(() => undefined);
    return blocks;
  };
}

function begin(
  boxes: Iterator<Box>,
  readBox: (box: Box) => Promise<Block[]>,
): { readonly box: Box; readonly blocks: Promise<Block[]> } | undefined {
  const next = boxes.next();
  return next.done === true ? undefined : { box: next.value, blocks: readBox(next.value) };
}

export function limitsOf({ inputs }: CombinedWork, { limits }: SliceFoldOptions): Limits {
  return limits ?? inputs[0]?.slice.inputs[0]?.array.context.limits ?? defaultLimits;
}

/** Maximum decoded size, in bytes, of a read whose chunks are cached for other reads. */
const MAX_KEPT_BYTES = 32 * 2 ** 20;

function decodedBytesOf({ inputs }: CombinedWork): number {
  return inputs.reduce((sum, { slice }) => sum + slice.cost().decodedBytes, 0);
}

/** Whether decoded chunks are cached for other reads, unless the caller decides it. */
function keepsChunks(work: CombinedWork): boolean {
  const hasCache = work.inputs.some(({ slice }) =>
    slice.inputs.some(({ array }) => array.context.chunkCache !== undefined),
  );
  return hasCache && decodedBytesOf(work) <= MAX_KEPT_BYTES;
}

/** Options for reading the inputs. */
function readingOf(
  work: CombinedWork,
  { signal, keepChunks, ...options }: SliceFoldOptions,
  { onVersion }: OneState,
): SliceReadOptions {
  const limits = limitsOf(work, options);
  return {
    signal,
    keepChunks: keepChunks !== false && keepsChunks(work),
    readOnly: true,
    decodesHere: false,
    // The slice as a whole is within the limits (see `combinedCost`). The limit on decoded bytes does not apply to
    // folded chunks.
    limits: {
      ...limits,
      maxOutputBytes: Math.max(limits.maxOutputBytes, 128 * 2 ** 20),
      maxDecodedBytes: Math.max(limits.maxDecodedBytes, limits.maxReducedBytes),
    },
    onVersion,
  };
}
