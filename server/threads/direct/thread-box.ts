/** A box on a thread: reads the chunks of its inputs, combines their values by a program, and reduces the result. */
import { defined } from '../../../wire/guards.js';
import { isDeepStrictEqual } from 'node:util';
import { sizeOf } from '../../core/bytes/shape.js';
import type { CodecChain } from '../../format/codec/codec.js';
import { codecs } from '../../core/wasm/module.js';
import { type Block, type FixedSizeType, isFixedSize } from '../../core/dtype/data-type.js';
import { AbortedError, CodecError, UnsupportedError } from '../../core/errors.js';
import type { ReadPlan } from '../../format/plan/plan.js';
import { combineBox, type Combiner } from '../../compute/program/combine-box.js';
import { type Program, RUN } from '../../compute/program/program.js';
import { createMachine } from '../../compute/program/run-program.js';
import { partialOfBlock } from '../../compute/reduce/partial.js';
import {
  type BoxInputMessage,
  type BoxMessage,
  type BoxReply,
  type BoxRule,
  restorePlan,
  taskFinder,
  type WindowReply,
} from './protocol.js';
import { createTally, readTask } from './read-task.js';
import { alignedBytes } from './region-copy.js';
import { createPlacer, filesOf, threadBuffer } from './thread-read.js';
import { chunkState, openWindow } from './window.js';

/** @returns a reply without result if anything failed: the owner of the read repeats the box, and reports the error */
export function reduceBox(message: BoxMessage, chainOf: (id: number) => CodecChain): BoxReply {
  const { id, inputs, rule } = message;
  try {
    const { shape, axes, form, program } = rule;
    const plans = inputs.map(({ plan, chain }) => restorePlan(plan, chainOf(chain)));
    const types = plans.map(fixedType);
    const { itemSize } = program.result.dtype;
    const lengths = plans.map((plan, k) => sizeOf(plan.shape) * defined(types[k]).itemSize);
    const place = allocate([...lengths, sizeOf(shape) * itemSize], Math.max(...plans.map(decodingBytes)));
    const blocks: Block[] = [];
    const versions: WindowReply['versions'][] = [];
    inputs.forEach((input, k) => {
      const [plan, dtype, bytes] = [plans[k], types[k], place(k)];
      if (plan === undefined || dtype === undefined) return;
      versions.push(readInput(input, plan, bytes));
      blocks.push({ dtype, shape: plan.shape, bytes });
    });
    // Throws if decoding has detached the memory.
    const bytes = place(inputs.length);
    for (const _ of combineBox(inputs, blocks, shape, combinerOf(rule), RUN, { bytes, itemSize }));
    const steps = partialOfBlock(form, axes, shape, { bytes });
    for (;;) {
      const step = steps.next();
      if (step.done === true)
        return { id, box: { partial: inSlot(step.value, form, message.slot), versions } };
    }
  } catch {
    return { id, box: undefined };
  }
}

/** Moves the arrays of a state to the slot while they fit, so that boxes reuse memory instead of sending it. */
function inSlot(partial: unknown, { reducer: { kind } }: BoxRule['form'], slot: SharedArrayBuffer): unknown {
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

/** The program of the last box. Kept, because it may be compiled. */
let last: { readonly program: Program; readonly combiner: Combiner } | undefined;

function combinerOf({ program }: BoxRule): Combiner {
  if (last === undefined || !isDeepStrictEqual(last.program, program))
    last = { program, combiner: createMachine(program) };
  return last.combiner;
}

const { signal } = new AbortController();

/** @returns versions of files. @throws if a chunk cannot be read */
function readInput(input: BoxInputMessage, plan: ReadPlan, bytes: Uint8Array): WindowReply['versions'] {
  const { sink, decode } = createPlacer(plan, input.fill, bytes);
  const taskAt = taskFinder(plan);
  const window = openWindow(input.window);
  const readNow = filesOf(input.access);
  const memory = { maxBytes: input.maxBytes, pool: threadBuffer };
  const tally = createTally();
  for (let task = window.take(); task !== undefined; task = window.take())
    readTask(window, task, readNow, memory, tally, (_, chunk, encoded) =>
      decode(taskAt(chunk.position), encoded),
    );
  window.leave(tally.requests, tally.bytes);
  // A window without tasks is cancelled too.
  if (window.isCancelled()) throw new AbortedError('the box was cancelled');
  const absent = [...input.absent];
  for (let at = 0; at < input.window.chunks; at++) {
    const state = window.stateOf(at);
    if (state === chunkState.absent) absent.push(window.chunk(at).position);
    else if (state !== chunkState.done) throw new CodecError('a chunk could not be read');
  }
  for (const position of absent)
    if (sink.absent(taskAt(position), signal) !== undefined) throw new CodecError('the chunk is too large');
  return tally.versions;
}
