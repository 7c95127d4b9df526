/**
 * Deviations from the means of groups. Reads the values twice: to compute the means, which are kept in
 * memory, and to subtract them from the values. Variances over the whole axis take one pass (see `foldDeviations`).
 */
import { sizeOf } from '../../core/bytes/shape.js';
import {
  fixedItemSize,
  isFixedSize,
  type Block,
  type DataType,
  numberType,
} from '../../core/dtype/data-type.js';
import { throwIfAborted, UnsupportedError, withContext } from '../../core/errors.js';
import { type AxisView, chosenPart, selectView, wholeView } from '../axis-view.js';
import type { ListedGrouping } from '../mapped/coarsened-slice.js';
import { guardSlice } from '../guarded-slice.js';
import type {
  LazySlice,
  SliceBlock,
  SliceFoldOptions,
  SliceStreamOptions,
  SlicePreparation,
} from '../lazy-slice.js';
import { mapSlice } from '../mapped/mapped-slice.js';
import { pickSlice } from '../picked-slice.js';
import { foldSlice } from '../fold-slice.js';
import { foldDeviations, isWholeAxis } from './anomaly-variance.js';
import { floatArray, type FloatArray, floatPieces, isReal, putFloat } from '../../compute/float-elements.js';
import type { PlanCost } from '../../format/plan/cost.js';
import { type GroupOffsets, noCells } from '../../compute/cells.js';
import type { Fold } from '../../compute/reduce/fold.js';
import { groupsAt } from '../../compute/axis-map.js';
import { type GroupsMap, MAX_LISTED, someGroups } from '../../compute/groups.js';
import { presentGroups } from '../../compute/present-groups.js';
import { hasMoments, resultTypeOf } from '../../compute/reduce/reduction.js';
import { resolveGroups } from '../../compute/reduce/resolve.js';
import { mappingOf } from '../mapped/reduced-slice.js';
import { countOf, type ResolvedDim } from '../../format/selection/selection.js';
import { resolveSelection } from '../../format/selection/resolve.js';
import { costBeside } from '../slice-inputs.js';
import { OneState } from '../one-state.js';
import { createStreamSession } from '../stream-slice.js';
import { runToEnd, createPause } from '../../core/turns.js';
import { ComputedSlice, framedAs, joinedPreparation } from '../computed-slice.js';
import { destination } from '../../core/bytes/values.js';
import type { SelectionInput } from '../../format/selection/plain.js';
import type { Limits } from '../../core/limits.js';
import { streamedCost } from '../split-slice.js';

/**
 * Subtracts the mean of its group from each value. Positions without a group are missing. Means are
 * computed in float64 and not rounded. Reads nothing.
 * @throws UnsupportedError for a data type that is not a real number
 */
export function anomalySlice(slice: LazySlice, { axis, map, known }: ListedGrouping): LazySlice {
  if (!isReal(slice.dtype))
    throw withContext(
      new UnsupportedError(`anomalies of type ${slice.dtype.name} are not supported`),
      slice.where,
    );
  const dtype = resultTypeOf('MEAN', slice.dtype);
  return new AnomalySlice(wholeView(guardSlice(slice, known), axis), map, dtype);
}

class AnomalySlice extends ComputedSlice {
  readonly #view: AxisView;
  readonly #map: GroupsMap;
  readonly #part: LazySlice;
  #means: GroupMeans | undefined;

  constructor(view: AxisView, map: GroupsMap, dtype: DataType) {
    const part = chosenPart(view);
    super(framedAs(part, { dtype }), [view.source]);
    this.#view = view;
    this.#map = map;
    this.#part = part;
  }

  get #known(): GroupMeans {
    return (this.#means ??= runToEnd(meansOf(this.#view, this.#map)));
  }

  override get preparation(): SlicePreparation | undefined {
    return joinedPreparation([super.preparation, this.#means === undefined ? this.#makeMeans() : undefined]);
  }

  #makeMeans(): SlicePreparation {
    const steps = function* (this: AnomalySlice): Generator<void, void, void> {
      this.#means ??= yield* meansOf(this.#view, this.#map);
    };
    return {
      bytes: isWholeAxis(this.#view) ? 0 : preparedBytes(countOf(this.#view.chosen), this.#map.of.length),
      steps: steps.bind(this),
    };
  }

  select(selection?: SelectionInput): LazySlice {
    const resolved = resolveSelection(selection, this.dims);
    return resolved.kind === 'points'
      ? pickSlice(this, resolved)
      : new AnomalySlice(selectView(this.#view, resolved.dims), this.#map, this.dtype);
  }

  cost(): PlanCost {
    return this.#costOf(this.#part.cost());
  }

  override streamedCost(limits: Limits): PlanCost {
    return this.#costOf(streamedCost(this.#part, limits));
  }

  #costOf(values: PlanCost): PlanCost {
    const ofMeans = this.#known.slice.cost();
    const both = costBeside(values, ofMeans, values.allocatedBytes);
    // The means are computed before the values are read.
    const unused = Math.min(values.intermediateBytes, ofMeans.intermediateBytes);
    const intermediateBytes = both.intermediateBytes - unused;
    const outputBytes = sizeOf(this.shape) * fixedItemSize(this.dtype);
    return { ...both, outputBytes, allocatedBytes: outputBytes, intermediateBytes };
  }

  protected compute(options: SliceFoldOptions, out: Uint8Array | undefined): Promise<Block> {
    return readAnomaly(this, this.#part, this.#known, options, out);
  }

  override stream(options: SliceStreamOptions = {}): AsyncIterable<SliceBlock> {
    return streamAnomaly(this, this.#part, this.#known, options);
  }

  override get fold(): LazySlice['fold'] {
    if (!isFoldable(this.#view, this.#part, this.dtype)) return undefined;
    const from = { view: this.#view, map: this.#map, part: this.#part, means: this.#known };
    return (fold, options) => foldAnomaly(this, from, fold, options);
  }
}

/** Whether the threads that decode the chunks can subtract the means. */
function isFoldable({ chosen }: AxisView, part: LazySlice, dtype: DataType): boolean {
  const isFloat = dtype.name === 'float32' || dtype.name === 'float64';
  return isFloat && part.dtype.name === dtype.name && part.fold !== undefined && !chosen.dropped;
}

interface AnomalyParts {
  readonly view: AxisView;
  readonly map: GroupsMap;
  /** The values from which the means are subtracted. */
  readonly part: LazySlice;
  readonly means: GroupMeans;
}

async function foldAnomaly<T>(
  slice: LazySlice,
  { view, map, part, means }: AnomalyParts,
  fold: Fold<T>,
  options: SliceFoldOptions = {},
): Promise<T> {
  // The means differ along the other axes, so a fold over one of them would mix groups.
  const isOver =
    isWholeAxis(view) && fold.maps.every(({ kind }, d) => kind === (d === view.axis ? 'all' : 'keep'));
  const { reducer } = fold;
  if (isOver && reducer.kind === 'reduction' && hasMoments(reducer) && fold.cells === undefined) {
    const result = await foldDeviations(slice, view, map, fold, options);
    if (result !== undefined) return result;
  }
  const state = new OneState(slice, options);
  const own = await offsetsOf(slice, view.axis, means, { ...options, onVersion: state.onVersion });
  state.assertUnchanged();
  const cells = { ...(fold.cells ?? noCells), offsets: [own, ...(fold.cells?.offsets ?? [])] };
  const result = await foldSlice(part, { ...fold, cells }, { ...options, onVersion: state.onVersion });
  state.assertUnchanged();
  return result;
}

async function offsetsOf(
  { dtype, shape }: LazySlice,
  axis: number,
  { slice, of }: GroupMeans,
  options: SliceFoldOptions,
): Promise<GroupOffsets> {
  const held = await slice.read(options);
  const axes = [...shape.keys()];
  const numbers = { axes, lengths: held.shape, numbers: float64sOf(held) };
  return { axis, of, numbers, isSingle: dtype.name === 'float32' };
}

function float64sOf(means: Block): Float64Array {
  if (!('bytes' in means)) throw new TypeError('group means must have a fixed size');
  return new Float64Array(means.bytes.buffer, means.bytes.byteOffset, means.bytes.length / 8);
}

/**
 * Memory of the groups of a part of `positions` positions: first the group of each, and its number among the groups of the
 * part; then these numbers, and the listed members of the groups among all positions.
 */
function preparedBytes(positions: number, all: number): number {
  return Math.max(positions * 8, positions * 4 + Math.min(all, MAX_LISTED) * MEMBER_BYTES);
}

/** Memory of each listed member: its position and its group. */
const MEMBER_BYTES = 12;

interface GroupMeans {
  /** The means in float64, with the groups along the axis. */
  readonly slice: LazySlice;
  readonly groups: number;
  /** The group of each position of the result; -1 for none. */
  readonly of: Int32Array;
  /** Distance in elements between positions along the axis of the result. */
  readonly run: number;
}

/**
 * The means of the groups with members in the result. Each mean includes all members of the group. Yields between pieces
 * of work.
 */
function* meansOf({ source, axis, chosen }: AxisView, map: GroupsMap): Generator<void, GroupMeans, void> {
  const isWhole = isWholeAxis({ source, axis, chosen });
  const own = isWhole ? undefined : yield* presentGroups(yield* chosenGroups(map, chosen));
  const { map: some, selection } =
    own === undefined ? { map, selection: { kind: 'slice' } as const } : yield* someGroups(map, own.groups);
  const dims = source.shape.map((_, d) => (d === axis ? selection : ({ kind: 'slice' } as const)));
  const members = source.select({ kind: 'dims', dims });
  const { resolved, maps } = resolveGroups({ by: 'MEAN' }, axis, some, members.shape, members.dtype);
  const slice = mapSlice(members, maps, mappingOf({ ...resolved, dtype: numberType('float64') }));
  const run = sizeOf(source.shape.slice(axis + 1));
  return { slice, groups: some.count, of: own?.of ?? map.of, run };
}

function chosenGroups(map: GroupsMap, chosen: ResolvedDim): Generator<void, Int32Array, void> {
  return groupsAt(map, chosen.kind === 'list' ? { at: chosen.at } : chosen);
}

async function readAnomaly(
  slice: LazySlice,
  part: LazySlice,
  means: GroupMeans,
  options: SliceFoldOptions,
  out: Uint8Array | undefined,
): Promise<Block> {
  const state = new OneState(slice, options);
  const held = await means.slice.read({ ...options, onVersion: state.onVersion });
  const block = await part.read({ ...options, onVersion: state.onVersion });
  state.assertUnchanged();
  const difference = await subtract(slice, block, 0, held, means, options.signal);
  if (out === undefined || !('bytes' in difference)) return difference;
  const bytes = destination(out, difference.bytes.length);
  bytes.set(difference.bytes);
  return { ...difference, bytes };
}

async function* streamAnomaly(
  slice: LazySlice,
  part: LazySlice,
  means: GroupMeans,
  options: SliceStreamOptions,
): AsyncGenerator<SliceBlock> {
  const { signal, limits, session = createStreamSession() } = options;
  const state = new OneState(slice, { ...options, session });
  const held = await means.slice.read({ signal, limits, onVersion: state.onVersion });
  state.assertUnchanged();
  for await (const { block, from, to } of part.stream({ ...options, session }))
    yield { block: await subtract(slice, block, from, held, means, signal), from, to };
}

/** @param from index in C order of the first element of the block */
async function subtract(
  { dtype }: LazySlice,
  block: Block,
  from: number,
  means: Block,
  { groups, of, run }: GroupMeans,
  signal: AbortSignal | undefined,
): Promise<Block> {
  if (!isFixedSize(dtype)) throw new TypeError('anomalies require a data type of fixed size');
  const mean = float64sOf(means);
  const result = floatArray(dtype, sizeOf(block.shape));
  const pause = createPause();
  for (const { values, start, count } of floatPieces(block)) {
    for (let i = 0; i < count;) {
      const at = from + start + i;
      const row = Math.floor(at / run);
      const offset = at - row * run;
      const length = Math.min(count - i, run - offset);
      const group = of[row % of.length] ?? -1;
      const first = (Math.floor(row / of.length) * groups + group) * run + offset;
      const own = values.subarray(i, i + length);
      putRun(result, start + i, own, group < 0 ? undefined : mean.subarray(first, first + length));
      i += length;
    }
    await pause();
    throwIfAborted(signal);
  }
  return { dtype, shape: block.shape, bytes: result.bytes };
}

function putRun(result: FloatArray, at: number, values: Float64Array, means: Float64Array | undefined): void {
  if (result.isHalf || means === undefined) {
    for (let i = 0; i < values.length; i++)
      putFloat(result, at + i, (values[i] ?? NaN) - (means?.[i] ?? NaN));
    return;
  }
  const array = result.array.subarray(at, at + values.length);
  for (let i = 0; i < values.length; i++) array[i] = (values[i] ?? NaN) - (means[i] ?? NaN);
}
