/**
 * Combines blocks in memory by programs, one run of elements at a time. Values that do not vary along all axes are computed
 * once (see `stagesOf`), and repeated in memory along the last axes, so that runs of them are views.
 */
import { defined } from '../../../wire/guards.js';
import { assertLength } from '../../core/bytes/bounds.js';
import { indicesOf, sizeOf, stridesAlong, stridesOf } from '../../core/bytes/shape.js';
import { copyPieces, copyStrided } from '../../core/bytes/strided-copy.js';
import type { Block } from '../../core/dtype/data-type.js';
import type { Program } from './program.js';
import { createMachine } from './run-program.js';
import { stagesOf } from './stages.js';

/** Combines one run of elements at a time, in private memory. */
export interface Combiner {
  /**
   * Computes the elements of the result. Yields every few tenths of a millisecond.
   * @param inputs `count` elements of each input that the combiner uses, aligned to their types
   * @param out `count` elements of the result
   */
  run(inputs: readonly Uint8Array[], count: number, out: Uint8Array): Generator<void>;
}

/** How values are combined. */
export interface Combining {
  /** The programs that combiners run; none if they use all inputs by other code. */
  readonly programs: readonly Program[];
  /** Maximum number of elements per run; more if no input must be copied. */
  readonly run: number;
  /** Size of an element of the result in bytes. */
  readonly itemSize: number;
  /** @param programs the programs, in which results that were computed before may be inputs */
  readonly createCombiner: (programs: readonly Program[]) => Combiner;
}

/** The combiner of a single program. */
export function machineOf(programs: readonly Program[]): Combiner {
  return createMachine(defined(programs[0]));
}

export interface CombinedOperand {
  /** The axis of the box for each dimension, in any order. */
  readonly axes: readonly number[];
  readonly itemSize: number;
}

/** How boxes are combined. Pure. */
export interface BoxesPlan {
  /** Memory that a box of this shape needs, besides its inputs and its result. */
  scratchBytes(shape: readonly number[]): number;
  createCombiner(): BoxCombiner;
}

/** Combines the values of one box at a time. */
export interface BoxCombiner {
  /**
   * @param blocks values of the box, one block per input
   * @param out elements of the box in C order
   * @param scratch memory at an address aligned to 8; see `BoxesPlan.scratchBytes`
   */
  run(
    blocks: readonly Block[],
    shape: readonly number[],
    out: Uint8Array,
    scratch: Uint8Array,
  ): Generator<void>;
}

/** Combined values, and their operands: inputs and results of earlier steps. */
interface BoxStep {
  /** Index of each operand that combiners use. */
  readonly used: readonly number[];
  /** The axes of the result, in ascending order. */
  readonly axes: readonly number[];
  readonly itemSize: number;
  createCombiner(): Combiner;
}

/** Number of runs that are combined at once if no input must be copied. */
const FLAT_RUNS = 16;

/** @param shape the whole shape of which boxes are parts */
export function planBoxes(
  inputs: readonly CombinedOperand[],
  shape: readonly number[],
  { programs, run, itemSize, createCombiner }: Combining,
): BoxesPlan {
  const isLong = (axis: number): boolean => shape[axis] !== 1;
  const staged = stagesOf(programs, inputs.map(({ axes }) => axes.filter(isLong))); // prettier-ignore
  const operands: CombinedOperand[] = [
    ...inputs,
    ...staged.stages.map(({ axes, program }) => ({ axes, itemSize: program.result.dtype.itemSize })),
  ];
  const stages = staged.stages.map(({ axes, program }): BoxStep => ({
    used: inputsOf([program]),
    axes,
    itemSize: program.result.dtype.itemSize,
    createCombiner: () => createMachine(program),
  }));
  const last: BoxStep = {
    used: programs.length === 0 ? [...inputs.keys()] : inputsOf(staged.programs),
    axes: [...shape.keys()],
    itemSize,
    createCombiner: () => createCombiner(staged.programs),
  };
  const layout = createLayout(operands, run);

  return {
    scratchBytes(box) {
      const results = stages.map((step) => alignedTo8(sizeOf(shapeAlong(step, box)) * step.itemSize));
      const copies = [...stages, last].map((step) => copyBytes(layout(step, box)));
      return results.reduce((sum, bytes) => sum + bytes, Math.max(...copies));
    },
    createCombiner() {
      const steps = [...stages, last].map((step) => ({ step, combiner: step.createCombiner() }));
      return {
        *run(blocks, box, out, scratch) {
          const values = blocks.map(bytesOf);
          let at = 0;
          for (const step of stages) {
            const bytes = sizeOf(shapeAlong(step, box)) * step.itemSize;
            const result = scratch.subarray(at, at + bytes);
            assertLength(result, bytes, 'the memory of a box');
            values.push(result);
            at += alignedTo8(bytes);
          }
          // Copies of a step are no longer needed in the next one.
          const copies = scratch.subarray(at);
          for (const [k, { step, combiner }] of steps.entries()) {
            const to = k < stages.length ? defined(values[inputs.length + k]) : out;
            yield* combineStep(layout(step, box), values, combiner, { bytes: to, itemSize: step.itemSize }, copies);
          }
        },
      };
    },
  };
} // prettier-ignore

function inputsOf(programs: readonly Program[]): number[] {
  return [...new Set(programs.flatMap(({ loads }) => loads.map(({ input }) => input)))];
}

function shapeAlong({ axes }: BoxStep, box: readonly number[]): number[] {
  return axes.map((axis) => defined(box[axis]));
}

function bytesOf(block: Block): Uint8Array {
  if (!('bytes' in block)) throw new TypeError('values of variable length cannot be combined');
  // Copies the values to an aligned address if necessary, so that typed arrays can view them.
  return block.bytes.byteOffset % 8 === 0 ? block.bytes : new Uint8Array(block.bytes);
}

function alignedTo8(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}

/** How a step gets runs of an operand. */
interface OperandLayout {
  readonly operand: number;
  readonly itemSize: number;
  /** Stride in bytes along each axis of the step; of the copy if it is `repeated`. */
  readonly strides: readonly number[];
  /** If the values are first repeated along the last axes: the lengths of these, and the strides of the operand. */
  readonly repeated: { readonly shape: readonly number[]; readonly strides: readonly number[] } | undefined;
  /** Size of the memory for copies. */
  readonly copyBytes: number;
  /** Whether each run must be copied. */
  readonly isGathered: boolean;
}

interface StepLayout {
  readonly shape: readonly number[];
  /** Runs do not extend over axes before this one. */
  readonly lead: number;
  readonly run: number;
  readonly operands: readonly OperandLayout[];
}

function copyBytes({ operands }: StepLayout): number {
  return operands.reduce((sum, operand) => sum + alignedTo8(operand.copyBytes), 0);
}

function createLayout(all: readonly CombinedOperand[], run: number) {
  return (step: BoxStep, box: readonly number[]): StepLayout => {
    const shape = shapeAlong(step, box);
    const result = stridesOf(shape, 1);
    // The last axes whose elements fill a run.
    let lead = shape.length;
    while (lead > 0 && sizeOf(shape.slice(lead)) < run) lead--;
    const isAligned = (strides: readonly number[], itemSize: number, from: number): boolean =>
      shape.every((length, axis) => axis < from || length === 1 || strides[axis] === result[axis] * itemSize);
    const operands = step.used.map((operand): OperandLayout => {
      const { axes, itemSize } = defined(all[operand]);
      const own = stridesOf(axes.map((axis) => defined(box[axis])), itemSize); // prettier-ignore
      const kept = axes.flatMap((axis, d) => {
        const at = step.axes.indexOf(axis);
        return at < 0 ? [] : [{ at, stride: defined(own[d]) }];
      });
      const strides = stridesAlong(kept.map(({ at }) => at), kept.map(({ stride }) => stride), shape.length); // prettier-ignore
      const layout = { operand, itemSize, strides, repeated: undefined, copyBytes: 0, isGathered: false };
      if (isAligned(strides, itemSize, 0)) return layout;
      const first = shape.findIndex((length, axis) => length > 1 && strides[axis] !== 0);
      const from = first < 0 ? lead : Math.min(first, lead);
      if (sizeOf(shape.slice(0, from)) === 1)
        return { ...layout, copyBytes: Math.min(run, sizeOf(shape)) * itemSize, isGathered: true };
      if (isAligned(strides, itemSize, from)) return layout;
      const copied = shape.slice(from);
      const inCopy = [...shape.slice(0, from).map(() => 0), ...stridesOf(copied, itemSize)];
      const repeated = { shape: copied, strides: strides.slice(from) };
      return { ...layout, strides: inCopy, repeated, copyBytes: sizeOf(copied) * itemSize };
    });
    if (operands.some(({ isGathered }) => isGathered)) return { shape, lead, run, operands };
    // The last axes are one.
    const areWhole = operands.every(({ strides, itemSize }) => isAligned(strides, itemSize, 0));
    const flat = areWhole ? 0 : lead;
    return {
      shape: [...shape.slice(0, flat), sizeOf(shape.slice(flat))],
      lead: flat,
      run: FLAT_RUNS * run,
      operands: operands.map((one) => ({ ...one, strides: [...one.strides.slice(0, flat), one.itemSize] })),
    };
  };
}

function* combineStep(
  { shape, lead, run, operands }: StepLayout,
  values: readonly Uint8Array[],
  combiner: Combiner,
  out: { readonly bytes: Uint8Array; readonly itemSize: number },
  copies: Uint8Array,
): Generator<void> {
  const runs: Uint8Array[] = values.map(() => new Uint8Array(0));
  const sources: { readonly layout: OperandLayout; readonly bytes: Uint8Array; readonly copy: Uint8Array; last: Slab | undefined }[] = []; // prettier-ignore
  let at = 0;
  for (const layout of operands) {
    const own = defined(values[layout.operand]);
    const copy = copies.subarray(at, at + layout.copyBytes);
    assertLength(copy, layout.copyBytes, 'the memory of a box');
    at += alignedTo8(layout.copyBytes);
    if (layout.repeated !== undefined) yield* repeat(own, layout.repeated, layout.itemSize, copy);
    sources.push({ layout, bytes: layout.repeated === undefined ? own : copy, copy, last: undefined });
  }
  for (const slab of slabsOf(shape, run, lead)) {
    const { from, count } = slab;
    for (const source of sources) {
      const { layout, bytes, copy } = source;
      const { strides, itemSize, operand, isGathered } = layout;
      const begin = slab.start.reduce((sum, position, axis) => sum + position * strides[axis], 0);
      if (!isGathered) runs[operand] = bytes.subarray(begin, begin + count * itemSize);
      else {
        if (!hasSameValues(slab, source.last, strides)) gather(bytes, begin, layout, slab, copy);
        source.last = slab;
        runs[operand] = copy.subarray(0, count * itemSize);
      }
    }
    yield* combiner.run(runs, count, out.bytes.subarray(from * out.itemSize, (from + count) * out.itemSize));
  }
}

/** Whether a run has the values of the last one: it has the same shape, and is elsewhere only along axes without strides. */
function hasSameValues(slab: Slab, last: Slab | undefined, strides: readonly number[]): boolean {
  if (last === undefined || slab.count !== last.count) return false;
  return strides.every((stride, axis) => stride === 0 || slab.start[axis] === last.start[axis]);
}

/** A run of consecutive elements of a box: whole rows of some axis. */
interface Slab {
  /** Position of the first element in C order. */
  readonly from: number;
  readonly count: number;
  readonly start: readonly number[];
  readonly shape: readonly number[];
}

/** @param lead slabs have one position along each axis before this one */
function* slabsOf(shape: readonly number[], run: number, lead: number): Generator<Slab> {
  let [axis, inner] = [shape.length, 1];
  while (axis > lead && inner * shape[axis - 1] <= run) inner *= shape[--axis];
  const whole = shape.slice(axis);
  const zeros = whole.map(() => 0);
  if (axis === 0) {
    yield { from: 0, count: inner, start: zeros, shape: whole };
    return;
  }
  const length = shape[axis - 1];
  const most = axis === lead ? 1 : Math.max(1, Math.floor(run / inner));
  // Divides the axis into approximately equal parts.
  const rows = Math.ceil(length / Math.ceil(length / most));
  const outer = shape.slice(0, axis - 1);
  const ones = outer.map(() => 1);
  let from = 0;
  for (const index of indicesOf(outer)) {
    for (let row = 0; row < length; row += rows) {
      const taken = Math.min(rows, length - row);
      const count = taken * inner;
      yield { from, count, start: [...index, row, ...zeros], shape: [...ones, taken, ...whole] };
      from += count;
    }
  }
}

function gather(
  bytes: Uint8Array,
  begin: number,
  { strides, itemSize }: OperandLayout,
  { shape }: Slab,
  to: Uint8Array,
): void {
  const own = stridesOf(shape, itemSize);
  const dims = shape.map((count, axis) => ({ count, from: strides[axis], to: own[axis] }));
  copyStrided(bytes, begin, to, 0, dims, itemSize);
}

/** Size of the pieces in which values are repeated, in bytes. */
const REPEATED_BYTES = 2 ** 18;

function* repeat(
  bytes: Uint8Array,
  { shape, strides }: Exclude<OperandLayout['repeated'], undefined>,
  itemSize: number,
  to: Uint8Array,
): Generator<void> {
  const own = stridesOf(shape, itemSize);
  const dims = shape.map((count, axis) => ({ count, from: strides[axis], to: own[axis] }));
  for (const piece of copyPieces({ from: 0, to: 0, dims }, itemSize, REPEATED_BYTES)) {
    copyStrided(bytes, piece.from, to, piece.to, piece.dims, itemSize);
    yield;
  }
}
