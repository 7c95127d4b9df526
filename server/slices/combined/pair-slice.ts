/** Statistics of pairs of values over some dimensions: two expressions of the same inputs, which are read once. */
import { defined } from '../../../wire/guards.js';
import { sizeOf, stridesOf } from '../../core/bytes/shape.js';
import { destination } from '../../core/bytes/values.js';
import { type Block, numberType } from '../../core/dtype/data-type.js';
import { throwIfAborted } from '../../core/errors.js';
import { createPause } from '../../core/turns.js';
import type { AxisMap } from '../../compute/axis-map.js';
import type { DimLabels } from '../../compute/made-dim.js';
import {
  correlationOf,
  covarianceOf,
  interleave,
  pairsAt,
  type PairSummary,
  regressionNames,
  regressionOf,
} from '../../compute/pairs/pair-moments.js';
import { slotFold } from '../../compute/reduce/slot-fold.js';
import type { Fold } from '../../compute/reduce/fold.js';
import type { ReduceState } from '../../compute/state.js';
import { defaultLimits } from '../../core/limits.js';
import { foldCost, foldSlice } from '../fold-slice.js';
import { PairBins, PairRange } from '../../compute/pairs/pair-bins.js';
import { type Program, registerBytes, RUN } from '../../compute/program/program.js';
import { createMachine } from '../../compute/program/run-program.js';
import type { PlanCost } from '../../format/plan/cost.js';
import type { SelectionInput } from '../../format/selection/plain.js';
import { resolveSelection } from '../../format/selection/resolve.js';
import { ComputedSlice, framedAs } from '../computed-slice.js';
import type { LazySlice, SliceFoldOptions, SliceReadOptions } from '../lazy-slice.js';
import { mappedOrigin } from '../mapped-origin.js';
import { pickSlice } from '../picked-slice.js';
import { mapSlice } from '../mapped/mapped-slice.js';
import { MAX_ALIGNED_BYTES } from '../split-slice.js';
import type { Combination } from './combination.js';

export const pairStatistics = ['correlation', 'covariance', 'regression'] as const;
export type PairStatistic = (typeof pairStatistics)[number];

/** Computes pairs of two programs with results in float64, as complex numbers: the first as the real part. */
export function pairsOf(a: Program, b: Program): Combination {
  return {
    dtype: numberType('complex128'),
    steps: a.steps.length + b.steps.length + 1,
    run: RUN,
    workBytes: registerBytes(a) + registerBytes(b) + 2 * PAIR_RUN_BYTES,
    programs: [a, b],
    createCombiner(programs) {
      const machines = [createMachine(defined(programs[0])), createMachine(defined(programs[1]))] as const;
      let [first, second] = [new Float64Array(0), new Float64Array(0)];
      return {
        *run(inputs, count, out) {
          if (first.length < count) [first, second] = [new Float64Array(count), new Float64Array(count)];
          yield* machines[0].run(inputs, count, new Uint8Array(first.buffer, 0, count * 8));
          yield* machines[1].run(inputs, count, new Uint8Array(second.buffer, 0, count * 8));
          interleave(first, second, count, new Float64Array(out.buffer, out.byteOffset, 2 * count));
          yield;
        },
      };
    },
  };
}

/** Memory of the results of one program before they are paired, in bytes. */
const PAIR_RUN_BYTES = 16 * RUN * 8;

/**
 * @param pairs complex numbers; see `pairsOf`
 * @param over the axes to reduce
 * @param labels labels of the first dimension of a regression
 */
export function pairSlice(
  pairs: LazySlice,
  statistic: PairStatistic,
  over: readonly number[],
  labels: DimLabels,
): LazySlice {
  const maps = pairs.shape.map((_, d): AxisMap => ({ kind: over.includes(d) ? 'all' : 'keep' }));
  const count = regressionNames.length;
  const leading = statistic === 'regression' ? { name: labels.name, size: count, labels } : undefined;
  return mapSlice(pairs, maps, {
    dtype: numberType('float64'),
    leading,
    cost(input, own, outputBytes) {
      const cost = foldCost(input, pairFold(input, own), outputBytes);
      return { ...cost, work: cost.work + sizeOf(input.shape) * PAIR_WORK };
    },
    read: (input, own, options) => readPairs(input, own, statistic, options),
  });
}

/** Nanoseconds to add one pair. */
const PAIR_WORK = 10;

/** The cost of `accumulate`. */
function costOfPairs(input: LazySlice, outputBytes: number | undefined): PlanCost {
  const cost = input.cost();
  return {
    ...cost,
    decodedBytes: 0,
    reducedBytes: cost.reducedBytes + cost.decodedBytes,
    work: cost.work + sizeOf(input.shape) * PAIR_WORK,
    outputBytes,
    allocatedBytes: outputBytes ?? 0,
    intermediateBytes: cost.intermediateBytes + Math.min(cost.allocatedBytes, MAX_ALIGNED_BYTES),
  };
}

function keptShape({ shape }: LazySlice, maps: readonly AxisMap[]): number[] {
  return shape.filter((_, d) => maps[d]?.kind === 'keep');
}

/** Receives pairs; see `PairBins.add`. */
interface PairAccumulator {
  add(pairs: Float64Array, from: number, count: number, cell: number, cellStep: 0 | 1): void;
}

/** Reads pairs, and adds each of them to the cell of the kept axes. */
async function accumulate(
  input: LazySlice,
  maps: readonly AxisMap[],
  accumulator: PairAccumulator,
  { signal, limits, onVersion }: Pick<SliceReadOptions, 'signal' | 'limits' | 'onVersion'>,
): Promise<void> {
  const { shape } = input;
  const own = stridesOf(keptShape(input, maps));
  let k = 0;
  const strides = shape.map((_, d) => (maps[d]?.kind === 'keep' ? defined(own[k++]) : 0));
  // Neighbouring elements are in neighbouring cells, or in the same one.
  const last = maps.at(-1)?.kind;
  let axis = shape.length;
  while (axis > 0 && maps[axis - 1]?.kind === last) axis--;
  const run = sizeOf(shape.slice(axis));
  const outer = stridesOf(shape.slice(0, axis));
  const cellOf = (row: number): number =>
    outer.reduce(
      (sum, stride, d) => sum + (Math.floor(row / stride) % defined(shape[d])) * defined(strides[d]),
      0,
    );
  const pause = createPause();
  for await (const { block, from, to } of input.stream({ signal, limits, onVersion })) {
    if (!('bytes' in block)) throw new TypeError('pairs have a fixed size');
    const bytes = block.bytes.byteOffset % 8 === 0 ? block.bytes : new Uint8Array(block.bytes);
    const pairs = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);
    for (let at = from; at < to;) {
      const row = Math.floor(at / run);
      const offset = at - row * run;
      const count = Math.min(to - at, run - offset, PAIRS_PER_STEP);
      const step = last === 'keep' ? 1 : 0;
      accumulator.add(pairs, at - from, count, cellOf(row) + offset * step, step);
      at += count;
      await pause();
      throwIfAborted(signal);
    }
  }
}

const PAIRS_PER_STEP = 16_384;

async function readPairs(
  input: LazySlice,
  maps: readonly AxisMap[],
  statistic: PairStatistic,
  { out, ...reading }: SliceReadOptions,
): Promise<Block> {
  const kept = keptShape(input, maps);
  const cells = sizeOf(kept);
  const fold = pairFold(input, maps);
  const limits = reading.limits ?? input.inputs[0]?.array.context.limits ?? defaultLimits;
  // The state is intermediate, not output (see `foldCost`).
  const own = { ...limits, maxOutputBytes: Math.max(limits.maxOutputBytes, fold.totalBytes) };
  const state = await foldSlice(input, fold, { ...reading, limits: own });
  const pause = createPause(reading.signal);
  const resultCount = statistic === 'regression' ? regressionNames.length : 1;
  const results = new Float64Array(resultCount * cells);
  for (let cell = 0; cell < cells; cell++) {
    numbersOf(statistic, pairsAt(state, cell)).forEach((number, s) => {
      results[s * cells + cell] = number;
    });
    if (cell % 1024 === 1023) await pause();
  }
  const bytes = destination(out, results.byteLength);
  bytes.set(new Uint8Array(results.buffer));
  return {
    dtype: numberType('float64'),
    shape: statistic === 'regression' ? [resultCount, ...kept] : kept,
    bytes,
  };
}

function pairFold({ shape, dtype }: LazySlice, maps: readonly AxisMap[]): Fold<ReduceState> {
  return slotFold({ kind: 'pairs' }, maps, shape, dtype);
}

function numbersOf(statistic: PairStatistic, summary: PairSummary): readonly number[] {
  if (statistic === 'regression') return regressionOf(summary);
  return [statistic === 'correlation' ? correlationOf(summary) : covarianceOf(summary)];
}

/** The ends of the first and of the second numbers of all pairs without missing ones: four numbers. */
export function pairRangeSlice(pairs: LazySlice): LazySlice {
  const maps = pairs.shape.map((): AxisMap => ({ kind: 'all' }));
  return mapSlice(pairs, maps, {
    dtype: numberType('float64'),
    leading: { name: 'end', size: 4 },
    cost: (input, _, outputBytes) => costOfPairs(input, outputBytes),
    async read(input, own, { out, ...reading }) {
      const range = new PairRange();
      await accumulate(input, own, range, reading);
      const bytes = destination(out, range.ends.byteLength);
      bytes.set(new Uint8Array(range.ends.buffer));
      return { dtype: numberType('float64'), shape: [4], bytes };
    },
  });
}

/** A dimension of bins: ascending edges, and the labels of the bins. */
export interface PairAxis {
  readonly edges: Float64Array;
  readonly labels: DimLabels;
}

/**
 * Counts pairs in bins of the first and of the second number, which are the first dimensions of the result (int64).
 * @param over the axes of the pairs to reduce
 */
export function pairHistogram(
  pairs: LazySlice,
  over: readonly number[],
  bins: readonly [x: PairAxis, y: PairAxis],
): LazySlice {
  return new PairHistogram(pairs, over, bins);
}

class PairHistogram extends ComputedSlice {
  readonly #pairs: LazySlice;
  readonly #maps: readonly AxisMap[];
  readonly #bins: readonly [PairAxis, PairAxis];

  constructor(pairs: LazySlice, over: readonly number[], bins: readonly [PairAxis, PairAxis]) {
    const maps = pairs.shape.map((_, d): AxisMap => ({ kind: over.includes(d) ? 'all' : 'keep' }));
    const [x, y] = bins.map(({ edges, labels }) => ({ name: labels.name, size: edges.length - 1, labels }));
    if (x === undefined || y === undefined) throw new TypeError('pairs have two numbers');
    const kept = keptShape(pairs, maps);
    const inner = mappedOrigin(pairs, maps, y);
    const innerShape = [y.size, ...kept];
    const keep = innerShape.map((): AxisMap => ({ kind: 'keep' }));
    const made = { chunks: undefined, start: undefined, step: undefined };
    super(
      framedAs(pairs, {
        dtype: numberType('int64'),
        shape: [x.size, ...innerShape],
        origin: mappedOrigin({ origin: inner, shape: innerShape }, keep, x),
        dims: [
          { name: x.name, size: x.size, ...made },
          { name: y.name, size: y.size, ...made },
          ...pairs.dims.filter((_, d) => maps[d]?.kind === 'keep'),
        ],
      }),
      [pairs],
    );
    this.#pairs = pairs;
    this.#maps = maps;
    this.#bins = bins;
  }

  override get isReadWhole(): boolean {
    return true;
  }

  select(selection?: SelectionInput): LazySlice {
    return pickSlice(this, resolveSelection(selection, this.dims));
  }

  cost(): PlanCost {
    const outputBytes = sizeOf(this.shape) * 8;
    const cost = costOfPairs(this.#pairs, outputBytes);
    return { ...cost, intermediateBytes: cost.intermediateBytes + outputBytes };
  }

  protected async compute(options: SliceFoldOptions, out: Uint8Array | undefined): Promise<Block> {
    const [{ edges: x }, { edges: y }] = this.#bins;
    const cells = sizeOf(keptShape(this.#pairs, this.#maps));
    const bins = new PairBins(cells, x, y);
    await accumulate(this.#pairs, this.#maps, bins, options);
    const bytes = destination(out, bins.counts.length * 8);
    const counts = new BigInt64Array(bins.counts.length);
    const perCell = counts.length / Math.max(1, cells);
    const pause = createPause();
    for (let cell = 0; cell < cells; cell++) {
      for (let k = 0; k < perCell; k++)
        counts[k * cells + cell] = BigInt(defined(bins.counts[cell * perCell + k]));
      await pause();
    }
    bytes.set(new Uint8Array(counts.buffer));
    return { dtype: numberType('int64'), shape: this.shape, bytes };
  }
}
