/** A box on a thread: reads the chunks of its inputs once, combines their values by programs, and reduces the results. */
import { defined } from '../../wire/guards.js';
import { isDeepStrictEqual } from 'node:util';
import { sizeOf } from '../core/bytes/shape.js';
import type { CodecChain } from '../format/codec/codec.js';
import { codecs } from '../core/wasm/module.js';
import { type Block, type FixedSizeType, isFixedSize } from '../core/dtype/data-type.js';
import { AbortedError, CodecError, UnsupportedError } from '../core/errors.js';
import type { ReadPlan } from '../format/plan/plan.js';
import {
  type BoxCombiner,
  type BoxesPlan,
  type CombinedOperand,
  machineOf,
  planBoxes,
} from '../compute/program/combine-box.js';
import { type Program, RUN } from '../compute/program/program.js';
import { gatherRows } from '../compute/gather-rows.js';
import { partialOfBlock } from '../compute/reduce/partial.js';
import { decodeTask, type Tally } from './spans.js';
import { PlaceSink } from './place-sink.js';
import type {
  BoxInputMessage,
  BoxMessage,
  BoxOutcome,
  BoxReadMessage,
  BoxRule,
  BoxValues,
  Outcome,
} from './protocol.js';
import { readFiles } from './read-files.js';
import { restorePlan, taskFinder } from './shared-plan.js';
import { alignedBytes, MAX_RULES } from './slots.js';

/** @returns undefined if anything failed: the owner of the read repeats the box, and reports the error */
export function reduceBox(
  { inputs, shape, rules }: BoxMessage,
  chainOf: (id: number) => CodecChain,
  tallies: readonly Tally[],
  isCancelled: () => boolean,
): BoxOutcome | undefined {
  try {
    const own = inputs.map((input) => preparedInput(input, shape, chainOf));
    const itemSizes = rules.map(({ program }) => program.result.dtype.itemSize);
    const lengths = own.map(({ dtype, shape: size }) => sizeOf(size) * dtype.itemSize);
    const combiners = rules.map(({ program, inputs: used }) => {
      const operands = used.map((k) => ({ axes: defined(inputs[k]).axes, itemSize: defined(own[k]).dtype.itemSize }));
      return combinerOf(program, operands, shape);
    }); // prettier-ignore
    const scratchBytes = combiners.map(({ plan }) => plan.scratchBytes(shape));
    const place = allocate(
      [...lengths, sizeOf(shape) * Math.max(...itemSizes), Math.max(...scratchBytes)],
      Math.max(0, ...own.map((input) => ('plan' in input ? decodingBytes(input.plan) : 0))),
    );
    const blocks: Block[] = [];
    const outcomes: (readonly Outcome[])[] = [];
    own.forEach((input, k) => {
      const bytes = place(k);
      const { dtype, shape: size } = input;
      if ('plan' in input)
        outcomes.push(readInput(input.message, input.plan, bytes, isCancelled, defined(tallies[k])));
      else {
        placeValues(input.memory, size, bytes);
        outcomes.push([]);
      }
      blocks.push({ dtype, shape: size, bytes });
    });
    const partials = rules.map((rule, r) => {
      if (isCancelled()) throw new AbortedError('the box was cancelled');
      const values = rule.inputs.map((k) => defined(blocks[k]));
      const { itemSize } = rule.program.result.dtype;
      // Throws if decoding has detached the memory.
      const bytes = place(inputs.length).subarray(0, sizeOf(shape) * itemSize);
      for (const _ of defined(combiners[r]).combiner.run(values, shape, bytes, place(inputs.length + 1)));
      const steps = partialOfBlock(rule.form, rule.axes, shape, { bytes });
      for (;;) {
        const step = steps.next();
        if (step.done === true) return inSlot(step.value, rule);
      }
    });
    return { partials, inputs: outcomes };
  } catch {
    return undefined;
  }
}

/** An input whose values are to be placed. */
type PreparedInput = { readonly dtype: FixedSizeType; readonly shape: readonly number[] } & (
  { readonly message: BoxReadMessage; readonly plan: ReadPlan } | { readonly memory: BoxValues }
);

function preparedInput(
  message: BoxInputMessage,
  box: readonly number[],
  chainOf: (id: number) => CodecChain,
): PreparedInput {
  if ('values' in message) {
    const { dtype, axes } = message;
    return { memory: message, dtype, shape: axes.map((axis) => defined(box[axis])) };
  }
  const { read } = message;
  if (read.plan === undefined) throw new CodecError('the box has no plan');
  const plan = restorePlan(read.plan, chainOf(read.chain));
  return { message, plan, dtype: fixedType(plan), shape: plan.shape };
}

/** Moves the arrays of a state to the slot while they fit, so that boxes reuse memory instead of sending it. */
function inSlot(partial: unknown, { form: { reducer }, slot }: BoxRule): unknown {
  const { kind } = reducer;
  // Totals of these kinds keep the arrays, but the next box overwrites the slot.
  if (kind === 'statistics' || kind === 'labelOrder') return partial;
  let at = 0;
  const moved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(moved);
    if (!(value instanceof Float64Array) || at + value.byteLength > slot.byteLength) return value;
    const copy = new Float64Array(slot, at, value.length);
    copy.set(value);
    at += value.byteLength;
    return copy;
  };
  const fields = Object.entries(partial ?? {});
  return Object.fromEntries(fields.map(([name, value]) => [name, moved(value)]));
}

/** @throws CodecError, RangeError if the values do not have the size of the box */
function placeValues({ values, gathered, dtype }: BoxValues, shape: readonly number[], to: Uint8Array): void {
  if (gathered === undefined) {
    if (values.length !== to.length)
      throw new CodecError('the values of an input do not have the size of the box');
    to.set(values);
    return;
  }
  const { count, by } = gathered;
  for (const _ of gatherRows(values, shape.with(by.axis, count), by, dtype, to));
}

function fixedType(plan: ReadPlan): FixedSizeType {
  const dtype = plan.resultType;
  if (isFixedSize(dtype)) return dtype;
  throw new UnsupportedError('values of variable length cannot be combined');
}

/** Memory for the stored bytes of a chunk and for two decoding steps. */
function decodingBytes({ cost }: ReadPlan): number {
  return 3 * cost.chunkBytes + 2 ** 20;
}

/** Maximum number of bytes that are kept between boxes. */
const MAX_KEPT_BYTES = 16 * 2 ** 20;

/**
 * Divides memory into aligned parts. Uses the memory of the codecs if the parts fit, which avoids copies of
 * decoded chunks.
 * @param spare bytes to decode a chunk
 * @returns a part by its number
 */
function allocate(lengths: readonly number[], spare: number): (k: number) => Uint8Array {
  let end = 0;
  const starts = lengths.map((length) => {
    const start = end;
    end += alignedBytes(length);
    return start;
  });
  const { buffer, byteOffset } = end <= MAX_KEPT_BYTES ? codecs.hold(end, spare) : new Uint8Array(end);
  return (k) => new Uint8Array(buffer, byteOffset + defined(starts[k]), lengths[k]);
}

/** What a combiner was created for. */
interface CombinerKey {
  readonly program: Program;
  readonly operands: readonly CombinedOperand[];
  /** Whether each axis has more than one position. */
  readonly isLong: readonly boolean[];
}

interface KnownCombiner {
  readonly key: CombinerKey;
  readonly plan: BoxesPlan;
  readonly combiner: BoxCombiner;
}

/** The combiners of the last boxes. Kept, because their programs may be compiled. */
const known: KnownCombiner[] = [];

function combinerOf(
  program: Program,
  operands: readonly CombinedOperand[],
  shape: readonly number[],
): KnownCombiner {
  const key = { program, operands, isLong: shape.map((length) => length > 1) };
  const at = known.findIndex((one) => isDeepStrictEqual(one.key, key));
  const [found = createKnown(key, shape)] = at < 0 ? [] : known.splice(at, 1);
  known.unshift(found);
  known.splice(MAX_RULES);
  return found;
}

function createKnown(key: CombinerKey, shape: readonly number[]): KnownCombiner {
  const { program, operands } = key;
  const { itemSize } = program.result.dtype;
  const plan = planBoxes(operands, shape, {
    programs: [program],
    run: RUN,
    itemSize,
    createCombiner: machineOf,
  });
  return { key, plan, combiner: plan.createCombiner() };
}

const { signal } = new AbortController();

/** Reads the part of an array that a box needs. @throws if a chunk cannot be read */
function readInput(
  { read, spans, absent, fill }: BoxReadMessage,
  plan: ReadPlan,
  bytes: Uint8Array,
  isCancelled: () => boolean,
  tally: Tally,
): readonly Outcome[] {
  const sink = new PlaceSink(plan, fill, { out: bytes, maxOutputBytes: Infinity });
  const taskAt = taskFinder(plan);
  const missing = [...absent];
  const all: Outcome[] = [];
  // Between two requests, the box may be cancelled.
  for (const span of spans) {
    if (isCancelled()) throw new AbortedError('the box was cancelled');
    if (read.files === undefined) throw new CodecError('the box has no files');
    const outcomes = readFiles([span], read.files, tally, (encoded, { position }) => {
      decodeTask(plan, taskAt(position), encoded, sink);
      return { decoded: true };
    });
    for (const [i, outcome] of outcomes.entries()) {
      const chunk = span.chunks[i];
      if ('absent' in outcome && chunk !== undefined) missing.push(chunk.position);
      else if (!('decoded' in outcome)) throw new CodecError('a chunk could not be read');
      all.push(outcome);
    }
  }
  if (isCancelled()) throw new AbortedError('the box was cancelled');
  for (const position of missing)
    if (sink.absent(taskAt(position), signal) !== undefined) throw new CodecError('the chunk is too large');
  return all;
}
