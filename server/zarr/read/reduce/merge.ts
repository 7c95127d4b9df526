/** Partial results merged into the result, slot by slot. Always in the order of the plan, so that its bits do not vary. */
import { stridesOf } from '../../bytes/shape.js';
import { runLength } from '../parts.js';
import type { ReadTask } from '../plan.js';
import { runsOf, type ReduceSpec } from './partial.js';
import { kernelOf } from './prepare.js';
import type { ReduceState } from './state.js';

const SLOTS_PER_STEP = 4096;

/** @param shape of the result. Yields after each few thousand slots. */
export function* mergePartial(
  spec: ReduceSpec,
  shape: readonly number[],
  total: ReduceState,
  partial: ReduceState,
  parts: ReadTask['parts'],
): Generator<void> {
  const kernel = kernelOf(spec.by);
  const strides = stridesOf(shape);
  const isUniform = partial.count.length === 1;
  const kept = runsOf(spec, parts).filter((_, d) => spec.roles[d]?.isKept === true);
  const index = kept.map(() => 0);
  const offset = (d: number): number => {
    const run = kept[d];
    if (run === undefined) return 0;
    const i = index[d] ?? 0;
    return ('at' in run ? (run.at[i] ?? 0) : run.start + i * run.step) * (strides[d] ?? 0);
  };
  const slots = kept.reduce((product, run) => product * runLength(run), 1);
  const offsets = kept.map((_, d) => offset(d));
  for (let slot = 0; slot < slots; slot++) {
    let i = 0;
    for (const one of offsets) i += one;
    const j = isUniform ? 0 : slot;
    kernel.merge(total, i, partial, j);
    total.count[i] = (total.count[i] ?? 0) + (partial.count[j] ?? 0);
    for (let d = kept.length - 1; d >= 0; d--) {
      const run = kept[d];
      index[d] = (index[d] ?? 0) + 1;
      if (run !== undefined && (index[d] ?? 0) >= runLength(run)) index[d] = 0;
      offsets[d] = offset(d);
      if (index[d] !== 0) break;
    }
    if (slot % SLOTS_PER_STEP === SLOTS_PER_STEP - 1) yield;
  }
}
