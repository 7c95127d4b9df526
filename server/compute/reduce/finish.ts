/** Computes results from the state of a reduction. */
import type { DataType } from '../../core/dtype/data-type.js';
import { numberAccess } from '../../core/dtype/number-access.js';
import { UnsupportedError } from '../../core/errors.js';
import type { ResolvedReduce, Result, SlotFacts } from '../kernel.js';
import { reductionOf, slotsOf } from './reduction.js';
import { numberAt, type ReduceState } from '../state.js';

const SLOTS_PER_STEP = 4096;

/**
 * Writes the results in C order. Yields every `SLOTS_PER_STEP` slots, or `MEANS_PER_STEP` for plain means.
 * @throws UnsupportedError if an integer sum does not fit in the result's 64 bits, or for a data type that
 * `writerOf` does not support
 */
export function* finishState(
  state: ReduceState,
  resolved: ResolvedReduce,
  facts: SlotFacts,
  bytes: Uint8Array,
): Generator<void> {
  const slots = slotsOf(resolved);
  const all = slots.finishAll?.(state, resolved, bytes);
  if (all !== undefined) {
    yield* all;
    return;
  }
  const isMissing = missingTest(state, resolved, facts);
  const write = writerOf(resolved.dtype, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  for (let slot = 0; slot < state.count.length; slot++) {
    write(slot, isMissing(slot) ? undefined : slots.finish(state, slot, resolved, facts));
    if (slot % SLOTS_PER_STEP === SLOTS_PER_STEP - 1) yield;
  }
}

function missingTest(
  { count }: ReduceState,
  { by, skipMissing, minCount = 0, isEmptyMissing = false }: ResolvedReduce,
  { elements }: SlotFacts,
): (slot: number) => boolean {
  const { withoutValues, missingElement } = reductionOf(by);
  const spreads = missingElement === 'spreads' && !skipMissing;
  return (slot) => {
    const present = numberAt(count, slot);
    if (present < minCount || (spreads && present < elements(slot))) return true;
    if (present > 0 || withoutValues === 'value') return false;
    return withoutValues === 'missing' || (isEmptyMissing && elements(slot) === 0);
  };
}

/**
 * Creates a function that writes results of a data type.
 * @throws UnsupportedError for a data type that no reduction of numbers or times returns
 */
export function writerOf({ name }: DataType, view: DataView): (slot: number, value: Result) => void {
  const access = numberAccess(name);
  if (access === undefined)
    throw new UnsupportedError(`unsupported data type ${name} for the result of a reduction`);
  const { set, unit, missing, parts } = access;
  if (parts === 2)
    return (slot, value) => {
      const [re, im] = typeof value === 'object' ? value : [NaN, NaN];
      set(view, 2 * slot * unit, re);
      set(view, (2 * slot + 1) * unit, im);
    };
  return (slot, value) =>
    set(view, slot * unit, typeof value === 'number' || typeof value === 'bigint' ? value : missing);
}
