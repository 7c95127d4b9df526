/**
 * A part of an array: a selection and, optionally, a field. Immutable: `select` and `field` return new slices.
 * Only the asynchronous methods access the store.
 */
import { isSameRead } from '#direct-reads';
import { defined } from '../../wire/guards.js';
import {
  dataTypeName,
  isFixedSize,
  chargedItemBytes,
  type Block,
  type DataType,
} from '../core/dtype/data-type.js';
import { sizeOf } from '../core/bytes/shape.js';
import {
  SelectionError,
  UnsupportedError,
  withContext,
  type Excess,
  type WriteReport,
  isZarrError,
} from '../core/errors.js';
import type { Limits } from '../core/limits.js';
import { readBlock, readSharedChunk, reduceValues } from '../chunks/read/read.js';
import {
  extractField,
  fieldOf,
  fieldShape,
  selectWithin,
  wholeElement,
  type FieldView,
  copyOfField,
} from '../format/plan/field-view.js';
import type {
  ArraySlice,
  FoldPlan,
  LazySlice,
  SliceBlock,
  SliceDim,
  SlicedArray,
  SliceOrigin,
  SliceStreamOptions,
  StoredElements,
  StoredFoldOptions,
  StoredReadOptions,
} from './lazy-slice.js';
import {
  assertWithinLimits,
  exceededLimits,
  writeCost,
  readCost,
  type PlanCost,
} from '../format/plan/cost.js';
import { objectKeys, objectVersions, type ObjectVersions, type VersionOptions } from '../chunks/read/object-versions.js'; // prettier-ignore
import type { Values } from '../core/bytes/values.js';
import { loadCodecs } from '../format/codec/run-chain.js';
import { asValues } from '../core/dtype/item-values.js';
import { foldCost } from './fold-slice.js';
import type { ChunkSource, ReadSettings } from '../chunks/read/chunk-read.js';
import { partOfPlan, planRead, planTasks, type ReadPlan, type TaskSpan } from '../format/plan/plan.js';
import { poolFor } from '../threads/shared-pool.js';
import { droppedAxis, mappedAxes, type MappedAxis } from '../compute/axis-map.js';
import { onAxes } from '../compute/cells.js';
import type { Fold, Total } from '../compute/reduce/fold.js';
import { axesOfTask, type ReduceRule } from '../compute/reduce/partial.js';
import { widen } from '../compute/number-planes.js';
import type { ElementRegion } from '../format/plan/region.js';
import { placedFill } from '../threads/place-sink.js';
import type { ReduceFill, ReducePart } from '../chunks/read/reduce-sink.js';
import { createJoiner } from './join-work.js';
import { type ResolvedDim, type ResolvedSelection, selectedShape } from '../format/selection/selection.js';
import { composeSelections } from '../format/selection/compose.js';
import type { SelectionInput } from '../format/selection/plain.js';
import { resolveSelection } from '../format/selection/resolve.js';
import { streamSlice } from './stream-slice.js';
import { writeRegion, type SliceWriteOptions } from '../chunks/write/write-region.js';

/** Minimum number of decoded bytes of folds that wait for a turn of the event loop, so that others may join them. */
const MIN_JOINED_BYTES = 4 * 2 ** 20;

export class StoredSlice implements ArraySlice {
  readonly where: ArraySlice['where'];
  readonly origin: SliceOrigin;
  readonly inputs: readonly ArraySlice[] = [this];
  readonly dtype: DataType;
  readonly shape: readonly number[];
  #dims: SliceDim[] | undefined;
  #cost: PlanCost | undefined;

  constructor(
    readonly array: SlicedArray,
    readonly selection: ResolvedSelection,
    private readonly view?: FieldView,
  ) {
    const { context, path, meta, dimensionNames, geometry } = array;
    this.where = { store: context.store.label, path };
    this.origin = { dimensionNames, shape: meta.shape, chunks: geometry.grid.dims, selection };
    this.dtype = view?.dtype ?? meta.dtype;
    const outer = selectedShape(selection);
    this.shape = view === undefined ? outer : [...outer, ...fieldShape(view)];
  }

  get dtypeName(): string {
    return this.view === undefined ? this.array.meta.dtypeName : dataTypeName(this.dtype);
  }

  get dims(): readonly SliceDim[] {
    this.#dims ??= [...dimsOfOrigin(this.origin), ...(this.view === undefined ? [] : fieldDims(this.view))];
    return this.#dims;
  }

  get takesOut(): boolean {
    return isFixedSize(this.dtype);
  }

  get elements(): StoredElements | undefined {
    return this.view === undefined ? { stored: this, transform: undefined } : undefined;
  }

  /** Selections by lists have none, because their keys would be long. */
  get joinKey(): string | undefined {
    const { array, selection, view } = this;
    if (view !== undefined || selection.kind === 'points') return undefined;
    if (selection.dims.some(({ kind }) => kind === 'list') || this.cost().decodedBytes < MIN_JOINED_BYTES)
      return undefined;
    return JSON.stringify([array.cacheKey, selection.dims]);
  }

  select(inner?: SelectionInput): ArraySlice {
    const { array, selection, view, dims } = this;
    const resolved = resolveSelection(inner, dims);
    const outerRank = selectedShape(selection).length;
    if (view === undefined || dims.length === outerRank)
      return new StoredSlice(array, composeSelections(selection, resolved), view);
    if (resolved.kind === 'points')
      throw new SelectionError(
        'points cannot be selected along the dimensions of a sub-array field; select the points before the field',
      );
    const onArray: ResolvedSelection = { kind: 'box', dims: resolved.dims.slice(0, outerRank) };
    const onField = selectWithin(view, resolved.dims.slice(outerRank));
    return new StoredSlice(array, composeSelections(selection, onArray), onField);
  }

  field(name: string): ArraySlice {
    return new StoredSlice(this.array, this.selection, fieldOf(this.view ?? wholeElement(this.dtype), name));
  }

  cost(): PlanCost {
    this.#cost ??= sliceCost(this.array, this.selection, this.view);
    return this.#cost;
  }

  writeCost(): PlanCost {
    return writeCost(this.array.geometry, this.array.meta.dtype, this.selection);
  }

  exceeded(limits: Limits): Excess[] {
    return exceededLimits(this.cost(), limits);
  }

  read(options: StoredReadOptions = {}): Promise<Block> {
    const { view } = this;
    return runOnArray(this, options, async (plan, source, settings) => {
      if (view !== undefined && plan.transform !== undefined)
        throw new UnsupportedError('the elements of a field cannot be transformed');
      const shared =
        options.readOnly === true && options.out === undefined
          ? await readSharedChunk(plan, source, settings)
          : undefined;
      const out = view === undefined ? options.out : undefined;
      const block = shared ?? (await readBlock(plan, source, settings, out));
      return view === undefined ? block : extractField(block, view, options.out);
    });
  }

  fold<T>(fold: Fold<T>, options: StoredFoldOptions = {}): Promise<T> {
    return foldStored(this, this.view, fold, options);
  }

  get planned(): StoredElements {
    return { stored: this, transform: undefined };
  }

  foldPlan(fold: Fold<unknown>, transform: StoredFoldOptions['transform']): FoldPlan {
    return planOfFold(this, this.view, fold, transform);
  }

  stream(options?: SliceStreamOptions): AsyncIterable<SliceBlock> {
    return streamSlice(this, options);
  }

  objectKeys(most: number): ReadonlySet<string> | undefined {
    const { array, selection, where } = this;
    try {
      const { layout, source } = array.source();
      return objectKeys(planRead(layout, array.meta.dtype, selection), source, most);
    } catch (error) {
      throw withContext(error, where);
    }
  }

  async objectVersions(options: VersionOptions = {}): Promise<ObjectVersions | undefined> {
    const { array, selection, where } = this;
    try {
      const { layout, source } = array.source();
      const plan = planRead(layout, array.meta.dtype, selection);
      return await objectVersions(plan, source, array.context.store, options);
    } catch (error) {
      throw withContext(error, where);
    }
  }

  async write(values: unknown, options: SliceWriteOptions = {}): Promise<WriteReport> {
    try {
      return await writeRegion(this.array, this.selection, this.view, values, options);
    } catch (error) {
      throw withContext(error, this.where);
    }
  }
}

/** Whether the values are stored, so that they can be written. */
export function isStored(slice: LazySlice): slice is ArraySlice {
  return slice.inputs.length === 1 && slice.inputs[0] === slice;
}

/** The dimensions that the selection of an origin keeps, in order. */
export function dimsOfOrigin({ selection, dimensionNames, shape, chunks }: SliceOrigin): SliceDim[] {
  if (selection.kind === 'points')
    return selection.dropped
      ? []
      : [{ name: null, size: selection.count, chunks: undefined, start: undefined, step: undefined }];
  const dims: SliceDim[] = [];
  for (const [d, dim] of selection.dims.entries()) {
    if (dim.dropped) continue;
    const isWhole = dim.kind === 'range' && dim.step === 1 && dim.count === shape[d];
    dims.push({
      name: dimensionNames[d] ?? null,
      chunks: isWhole ? chunks[d] : undefined,
      ...extentOf(dim),
    });
  }
  return dims;
}

function fieldDims({ selected }: FieldView): SliceDim[] {
  return selected.flatMap((dim) =>
    dim.dropped ? [] : [{ name: null, chunks: undefined, ...extentOf(dim) }],
  );
}

function extentOf(dim: ResolvedDim): Pick<SliceDim, 'size' | 'start' | 'step'> {
  return dim.kind === 'range'
    ? { size: dim.count, start: dim.start, step: dim.step }
    : { size: dim.at.length, start: undefined, step: undefined };
}

function sliceCost(array: SlicedArray, selection: ResolvedSelection, field: FieldView | undefined): PlanCost {
  const cost = readCost(array.geometry, array.meta.dtype, selection);
  if (field === undefined) return cost;
  const count = sizeOf(selectedShape(selection)) * sizeOf(fieldShape(field));
  return {
    ...cost,
    outputBytes: count * field.dtype.itemSize,
    allocatedBytes: Math.max(cost.allocatedBytes, count * chargedItemBytes(field.dtype)),
  };
}

/**
 * Plans a read of a slice, and runs it with the settings of its array. Checks afterwards that the array still exists.
 * @throws errors from `run`, with the location of the array
 */
async function runOnArray<R>(
  { array, selection, where }: ArraySlice,
  options: StoredFoldOptions,
  run: (plan: ReadPlan, source: ChunkSource, settings: ReadSettings) => Promise<R>,
  span?: TaskSpan,
): Promise<R> {
  const { context, path, confirmMissing, confirmCurrent } = array;
  const store = context.store.label;
  try {
    const { layout, source } = array.source();
    const whole = planRead(layout, array.meta.dtype, selection, options.transform);
    const plan = span === undefined ? whole : partOfPlan(whole, span);
    const loading = loadCodecs(array.meta.chain);
    if (loading !== undefined) await loading;
    const decodesHere = options.decodesHere ?? context.decoding.here;
    const pool =
      plan.cost.chunks > 1 || decodesHere === false
        ? poolFor(
            context.decoding,
            plan.layout.largest.chain,
            plan.cost.decodedBytes,
            decodesHere === false ? Infinity : plan.cost.chunkBytes,
          )
        : undefined;
    let isMissing = false;
    const onVersion = (key: string, version: string | undefined): void => {
      isMissing ||= version === undefined;
      options.onVersion?.({ store, path, key }, version);
    };
    const result = await run(plan, source, {
      limits: options.limits ?? context.limits,
      signal: options.signal,
      metrics: context.metrics,
      pool,
      decodesHere: (pool === undefined ? context.decoding.here : decodesHere) ?? true,
      inTurns: context.decoding.inTurns === true,
      cache: options.keepChunks === false ? undefined : context.chunkCache,
      onVersion: confirmMissing === undefined && options.onVersion === undefined ? undefined : onVersion,
    });
    if (isMissing) await confirmMissing?.(options.signal);
    await confirmCurrent?.({ signal: options.signal });
    return result;
  } catch (error) {
    // The chunks may belong to an array that has replaced this one.
    if (isZarrError(error, 'CODEC_ERROR', 'CHECKSUM_MISMATCH'))
      await confirmCurrent?.({ signal: options.signal, fresh: true });
    throw withContext(error, where);
  }
}

/** A fold of a part of an array. */
interface StoredFold {
  readonly slice: ArraySlice;
  readonly options: StoredFoldOptions;
  /** @throws LimitError; UnsupportedError if the transform does not apply to the elements */
  partOf(plan: ReadPlan, source: ChunkSource, limits: Limits): ReducePart<void>;
}

/** Folds a part of an array. Options and errors are those of `ArraySlice.fold`. */
async function foldStored<T>(
  slice: ArraySlice,
  field: FieldView | undefined,
  fold: Fold<T>,
  options: StoredFoldOptions,
): Promise<T> {
  let result: { readonly value: T } | undefined;
  const work: StoredFold = {
    slice,
    options,
    partOf(plan, source, limits) {
      // The merged result counts as intermediate memory, because callers check the size of results.
      assertWithinLimits(foldCost(slice, fold, 0), limits);
      const rule = ruleOfFold(slice, field, fold, plan);
      const createTotal = (): Total<void> => {
        const total = fold.createTotal();
        return {
          add: (partial, axes, form) => total.add(partial, axes, form),
          mergesByPieces: total.mergesByPieces ?? false,
          finish() {
            result = { value: total.finish() };
          },
        };
      };
      return { reduction: { ...rule, createTotal }, fill: () => fillOf(rule, field, plan, source) };
    },
  };
  if (slice.joinKey === undefined || field !== undefined || fold.span !== undefined)
    await reduceStored([work], options, fold.span);
  else await joinFolds(work, options.signal);
  return defined(result).value;
}

function fillOf(
  { spec, cells }: ReduceRule,
  field: FieldView | undefined,
  plan: ReadPlan,
  source: ChunkSource,
): ReduceFill {
  if (field === undefined) {
    const element = copied(placedFill(source.fill, plan));
    // Closed forms do not apply if equal elements have different masks or weights.
    if (cells === undefined || widen({ values: element, count: 1 }, spec.dtype).hasMissing)
      return { element };
  }
  // The elements of a sub-array may differ, so an absent chunk is reduced like a stored one.
  return { chunk: copied(asValues(source.fill, plan.dtype)) };
}

/** @param works folds of the same part of an array */
async function reduceStored(
  works: readonly StoredFold[],
  options: StoredFoldOptions,
  span?: TaskSpan,
): Promise<void> {
  const run = (plan: ReadPlan, source: ChunkSource, settings: ReadSettings): Promise<unknown> =>
    reduceValues(
      plan,
      source,
      settings,
      works.map((work) => work.partOf(plan, source, settings.limits)),
    );
  await runOnArray(defined(works[0]).slice, options, run, span);
}

/** Folds of the same part of an array that begin in one turn of the event loop read and decode its chunks once. */
const joinFolds = createJoiner<StoredFold>(
  ({ slice, options }, other) =>
    slice.joinKey === other.slice.joinKey &&
    slice.array.context === other.slice.array.context &&
    options.limits === other.options.limits &&
    options.keepChunks === other.options.keepChunks &&
    options.decodesHere === other.options.decodesHere &&
    isSameRead(
      { selection: slice.selection, transform: options.transform },
      { selection: other.slice.selection, transform: other.options.transform },
    ),
  async (group, first) => {
    const { works, signal } = group;
    if (works.length > 1)
      try {
        return await reduceStored(works, {
          ...first.options,
          signal,
          onVersion(object, version) {
            for (const work of works) if (group.isActive(work)) work.options.onVersion?.(object, version);
          },
        });
      } catch {
        // The error may be that of one fold, so each of them is repeated.
      }
    for (const work of works) await group.attempt(work, () => reduceStored([work], work.options));
  },
);

/** How the chunks of a plan are folded. @throws UnsupportedError if the transform does not apply to the elements */
function ruleOfFold(
  { selection, shape }: ArraySlice,
  field: FieldView | undefined,
  fold: Fold<unknown>,
  { transform, dtype, layout }: ReadPlan,
): ReduceRule {
  if (field !== undefined && transform !== undefined)
    throw new UnsupportedError('the elements of a field cannot be transformed');
  const stored = field?.dtype ?? dtype;
  if (transform !== undefined && transform.sourceBytes !== stored.itemSize)
    throw new UnsupportedError(`the transform does not apply to values of type ${stored.name}`);
  return {
    spec: {
      reducer: fold.reducer,
      dtype: transform?.dtype ?? stored,
      transform,
      itemSize: stored.itemSize,
      axes: layout.axes,
      part: field === undefined ? undefined : partOf(field),
    },
    axes: taskAxes(selection, mappedAxes(fold.maps, shape)),
    cells: fold.cells === undefined ? undefined : onAxes(fold.cells, axesOfResult(selection, shape)),
  };
}

/** Number of placements between two pauses. */
const PLACED = 64;

function planOfFold(
  slice: ArraySlice,
  field: FieldView | undefined,
  fold: Fold<unknown>,
  transform: StoredFoldOptions['transform'],
): FoldPlan {
  const { array, selection, where } = slice;
  const { layout, source } = array.source();
  const plan = planRead(layout, array.meta.dtype, selection, transform);
  const rule = ruleOfFold(slice, field, fold, plan);
  const { chunks, chunkBytes } = plan.cost;
  return {
    tasks: chunks,
    tasksPerObject: sizeOf(layout.chunksPerObject),
    chunkBytes,
    *placements(span) {
      for (const task of planTasks(partOfPlan(plan, span))) {
        for (const steps = axesOfTask(rule, task); ;) {
          const step = steps.next();
          if (step.done === true) {
            yield { axes: step.value, form: rule.spec };
            break;
          }
          yield undefined;
        }
        if (task.index % PLACED === PLACED - 1) yield undefined;
      }
    },
    async versions(span, options) {
      try {
        return await objectVersions(partOfPlan(plan, span), source, array.context.store, options);
      } catch (error) {
        throw withContext(error, where);
      }
    },
  };
}

function partOf(field: FieldView): ElementRegion {
  const { start, dims } = copyOfField(field, []);
  return { from: start, dims };
}

/** Maps the dimensions of a task, which include those dropped from the slice. */
function taskAxes(selection: ResolvedSelection, axes: readonly MappedAxis[]): MappedAxis[] {
  if (selection.kind === 'points') return selection.dropped ? [droppedAxis, ...axes] : [...axes];
  const left = [...axes];
  const outer = selection.dims.map((dim) => (dim.dropped ? droppedAxis : (left.shift() ?? droppedAxis)));
  return [...outer, ...left];
}

/** The axis of a task for each dimension of the slice; see `taskAxes`. */
function axesOfResult(selection: ResolvedSelection, shape: readonly number[]): number[] {
  if (selection.kind === 'points') return [...shape.keys()].map((d) => (selection.dropped ? d + 1 : d));
  const kept = selection.dims.flatMap((dim, axis) => (dim.dropped ? [] : [axis]));
  return [...shape.keys()].map((d) => kept[d] ?? selection.dims.length + d - kept.length);
}

/** Copies values to an aligned address, so that typed arrays can view the bytes. */
function copied(values: Values): Values {
  return 'bytes' in values ? { bytes: new Uint8Array(values.bytes) } : values;
}
