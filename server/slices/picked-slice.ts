/** Selects values of a slice that must be computed as a whole. */
import { defined } from '../../wire/guards.js';
import { sizeOf, stridesOf } from '../core/bytes/shape.js';
import { allocateValues, copyValues, unitOf } from '../core/bytes/values.js';
import type { Block } from '../core/dtype/data-type.js';
import type { CoarsenedDim, LazySlice, SliceDim, SliceOrigin, SliceFoldOptions } from './lazy-slice.js';
import { defaultLimits } from '../core/limits.js';
import type { PlanCost } from '../format/plan/cost.js';
import { toBlock } from '../threads/place-sink.js';
import { type CopyDim, copyPieces } from '../core/bytes/strided-copy.js';
import { createPause } from '../core/turns.js';
import { resolveSelection } from '../format/selection/resolve.js';
import { type ResolvedDim, type ResolvedSelection, selectedShape } from '../format/selection/selection.js';
import { composeSelections } from '../format/selection/compose.js';
import { ComputedSlice, framedAs } from './computed-slice.js';
import type { SelectionInput } from '../format/selection/plain.js';

/** @param selection selection that has been resolved against the dimensions of the slice */
export function pickSlice(base: LazySlice, selection: ResolvedSelection): LazySlice {
  return new PickedSlice(base, selection);
}

class PickedSlice extends ComputedSlice {
  readonly #base: LazySlice;
  readonly #selection: ResolvedSelection;

  constructor(base: LazySlice, selection: ResolvedSelection) {
    const origin = pickedOrigin(base.origin, selection);
    const dims = pickedDims(base.dims, selection);
    super(framedAs(base, { dtype: base.dtype, origin, dims, shape: selectedShape(selection) }), [base]);
    this.#base = base;
    this.#selection = selection;
  }

  override get isComputed(): boolean {
    return this.#base.isComputed === true;
  }

  override get takesOut(): boolean {
    return false;
  }

  select(selection?: SelectionInput): LazySlice {
    return pickSlice(this.#base, composeSelections(this.#selection, resolveSelection(selection, this.dims)));
  }

  override field(name: string): LazySlice {
    return pickSlice(this.#base.field(name), this.#selection);
  }

  cost(): PlanCost {
    const whole = this.#base.cost();
    const { itemSize } = this.dtype;
    const outputBytes = itemSize === null ? undefined : sizeOf(this.shape) * itemSize;
    return {
      ...whole,
      outputBytes,
      allocatedBytes: outputBytes ?? whole.allocatedBytes,
      intermediateBytes: whole.intermediateBytes + whole.allocatedBytes,
    };
  }

  protected async compute(options: SliceFoldOptions): Promise<Block> {
    // The values are only copied from.
    const block = await this.#base.read({ ...options, readOnly: true });
    const { itemSize } = block.dtype;
    const { maxOutputBytes } = options.limits ?? defaultLimits;
    const values = allocateValues(itemSize, sizeOf(this.shape), maxOutputBytes);
    const unit = unitOf(itemSize);
    const { from, dims } = copyRegionOf(this.#selection, stridesOf(block.shape, unit), stridesOf(this.shape, unit)); // prettier-ignore
    const source = 'bytes' in block ? block : { items: block.items };
    const pause = createPause();
    for (const piece of copyPieces({ from, to: 0, dims }, unit)) {
      copyValues(source, piece.from, values, piece.to, piece.dims, itemSize);
      await pause();
    }
    return toBlock(block.dtype, this.shape, values);
  }
}

function copyRegionOf(
  selection: ResolvedSelection,
  strides: readonly number[],
  to: readonly number[],
): { readonly from: number; readonly dims: readonly CopyDim[] } {
  if (selection.kind === 'points') {
    const fromAt = new Float64Array(selection.count);
    selection.at.forEach((list, d) => {
      for (let p = 0; p < fromAt.length; p++)
        fromAt[p] = defined(fromAt[p]) + defined(list[p]) * defined(strides[d]);
    });
    const along = selection.dropped ? 0 : defined(to[0]);
    return { from: 0, dims: [{ count: selection.count, from: 0, to: along, fromAt }] };
  }
  let [from, kept] = [0, 0];
  const dims = selection.dims.map((dim, d): CopyDim => {
    const stride = defined(strides[d]);
    const along = dim.dropped ? 0 : defined(to[kept++]);
    if (dim.kind === 'list')
      return { count: dim.at.length, from: 0, to: along, fromAt: dim.at.map((i) => i * stride) };
    from += dim.start * stride;
    return { count: dim.count, from: dim.step * stride, to: along };
  });
  return { from, dims };
}

function pickedDims(dims: readonly SliceDim[], selection: ResolvedSelection): SliceDim[] {
  const unknown = { chunks: undefined, start: undefined, step: undefined };
  if (selection.kind === 'points')
    return selection.dropped ? [] : [{ name: null, size: selection.count, ...unknown }];
  return selection.dims.flatMap((dim, d) =>
    dim.dropped
      ? []
      : [{ name: dims[d]?.name ?? null, size: dim.kind === 'range' ? dim.count : dim.at.length, ...unknown }],
  );
}

function pickedOrigin(origin: SliceOrigin, selection: ResolvedSelection): SliceOrigin {
  const { coarsened } = origin;
  if (coarsened === undefined)
    return { ...origin, selection: composeSelections(origin.selection, selection) };
  // Points of blocks have no coordinate.
  if (selection.kind === 'points' || origin.selection.kind === 'points') return withoutCoordinates(selection);
  const left: (ResolvedDim | undefined)[] = [...selection.dims];
  const chosen = origin.selection.dims.map((dim) => (dim.dropped ? undefined : left.shift()));
  const compose = (
    outer: ResolvedDim | undefined,
    inner: ResolvedDim | undefined,
  ): ResolvedDim | undefined => {
    if (outer === undefined || inner === undefined) return inner ?? outer;
    const composed = composeSelections({ kind: 'box', dims: [outer] }, { kind: 'box', dims: [inner] });
    return composed.kind === 'box' ? composed.dims[0] : undefined;
  };
  const picked = origin.selection.dims.map((dim, d): PickedDim => {
    const block = coarsened[d];
    if (block === undefined) return { dim: compose(dim, chosen[d]) ?? dim, block };
    const blocks = compose(block.chosen, chosen[d]);
    if (blocks?.dropped !== true || dim.dropped) return { dim, block: { ...block, chosen: blocks } };
    return {
      dim: { kind: 'range', start: 0, step: 1, count: 1, dropped: true },
      block: { ...block, chosen: blocks, combined: dim },
    };
  });
  return {
    ...origin,
    selection: { kind: 'box', dims: picked.map(({ dim }) => dim) },
    coarsened: picked.map(({ block }) => block),
  };
}

interface PickedDim {
  readonly dim: ResolvedDim;
  readonly block: CoarsenedDim | undefined;
}

/** Restricts the origin to some dimensions. */
export function withDims(
  { dimensionNames, shape, chunks, selection, coarsened, made }: SliceOrigin,
  stays: (d: number) => boolean,
): SliceOrigin {
  const kept = <T>(list: readonly T[]): T[] => list.filter((_, d) => stays(d));
  return {
    dimensionNames: kept(dimensionNames),
    shape: kept(shape),
    chunks: kept(chunks),
    selection: selection.kind === 'box' ? { kind: 'box', dims: kept(selection.dims) } : selection,
    ...(coarsened === undefined ? {} : { coarsened: kept(coarsened) }),
    ...(made === undefined ? {} : { made: kept(made) }),
  };
}

/** Creates an origin with the dimensions that a selection keeps, without coordinates. */
function withoutCoordinates(selection: ResolvedSelection): SliceOrigin {
  return anonymousOrigin(selectedShape(selection));
}

export function anonymousOrigin(shape: readonly number[]): SliceOrigin {
  return {
    dimensionNames: shape.map(() => null),
    shape,
    chunks: shape.map(() => undefined),
    selection: {
      kind: 'box',
      dims: shape.map((count) => ({ kind: 'range', start: 0, step: 1, count, dropped: false })),
    },
  };
}
