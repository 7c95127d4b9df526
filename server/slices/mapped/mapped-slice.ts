/**
 * Slices whose axes are mapped to fewer positions: the common part of reductions, coarsening and grouping.
 * Selections are passed to the input as far as possible.
 */
import { defined } from '../../../wire/guards.js';
import { firstIndexWhere } from '../../core/bytes/search.js';
import { sizeOf } from '../../core/bytes/shape.js';
import type { Block, DataType } from '../../core/dtype/data-type.js';
import { ComputedSlice, framedAs } from '../computed-slice.js';
import type {
  BlockEnd,
  LazySlice,
  SliceDim,
  SliceFoldOptions,
  SliceReadOptions,
  SliceReduction,
} from '../lazy-slice.js';
import { mappedOrigin, relativeTo, wholeDim } from '../mapped-origin.js';
import { pickSlice } from '../picked-slice.js';
import type { PlanCost } from '../../format/plan/cost.js';
import { mappedLength, mappedShape, type AxisMap } from '../../compute/axis-map.js';
import type { LeadingDim } from '../../compute/made-dim.js';
import { type GroupsMap, someGroups, someSpans, type SpansMap } from '../../compute/groups.js';
import type { SelectionInput } from '../../format/selection/plain.js';
import { resolveSelection } from '../../format/selection/resolve.js';
import {
  boundsOf,
  countOf,
  type DimSelection,
  dimSelectionOf,
  type ResolvedDim,
} from '../../format/selection/selection.js';
import { runToEnd } from '../../core/turns.js';
import { blockEndsAlong } from './block-ends.js';

/** Computes the values of a mapped slice or of any part of it. */
export interface Mapping {
  readonly dtype: DataType;
  /** An additional first dimension, if any. */
  readonly leading?: LeadingDim | undefined;
  cost(input: LazySlice, maps: readonly AxisMap[], outputBytes: number | undefined): PlanCost;
  read(input: LazySlice, maps: readonly AxisMap[], options: SliceReadOptions): Promise<Block>;
  /** How a fold computes the values, if one does. */
  reduction?(input: LazySlice, maps: readonly AxisMap[]): SliceReduction;
}

/** @param maps one map per dimension of the input */
export function mapSlice(input: LazySlice, maps: readonly AxisMap[], mapping: Mapping): LazySlice {
  return new MappedSlice(input, maps, mapping);
}

class MappedSlice extends ComputedSlice {
  readonly #input: LazySlice;
  readonly #maps: readonly AxisMap[];
  readonly #mapping: Mapping;

  constructor(input: LazySlice, maps: readonly AxisMap[], mapping: Mapping) {
    const { dtype, leading } = mapping;
    const inner = mappedShape(maps, input.shape);
    const shape = leading === undefined ? inner : [leading.size, ...inner];
    const [origin, dims] = [mappedOrigin(input, maps, leading), mappedDims(input, maps, leading)];
    super(framedAs(input, { dtype, shape, origin, dims }), [input]);
    this.#input = input;
    this.#maps = maps;
    this.#mapping = mapping;
  }

  /** All quantiles are computed from all values, and the members of groups may be in any chunk. */
  override get isReadWhole(): boolean {
    const isOwn = this.#mapping.leading !== undefined || this.#maps.some(isGrouped);
    return isOwn || super.isReadWhole;
  }

  override blockEndAlong(axis: number): BlockEnd | undefined {
    const kept = this.#maps.flatMap(({ kind }, index) => (kind === 'all' ? [] : [index]));
    const d = kept[this.#mapping.leading === undefined ? axis : axis - 1];
    const map = d === undefined ? undefined : this.#maps[d];
    return d === undefined || map === undefined ? undefined : blockEndsAlong(this.#input, map, d);
  }

  select(selection?: SelectionInput): LazySlice {
    return selectMapped(this, this.#input, this.#maps, this.#mapping, selection);
  }

  cost(): PlanCost {
    const { itemSize } = this.dtype;
    const outputBytes = itemSize === null ? undefined : sizeOf(this.shape) * itemSize;
    return this.#mapping.cost(this.#input, this.#maps, outputBytes);
  }

  override get reduction(): SliceReduction | undefined {
    return this.#mapping.reduction?.(this.#input, this.#maps);
  }

  protected compute(options: SliceFoldOptions, out: Uint8Array | undefined): Promise<Block> {
    return this.#mapping.read(this.#input, this.#maps, { ...options, out });
  }
}

function isGrouped(map: AxisMap): map is GroupsMap | SpansMap {
  return map.kind === 'groups' || map.kind === 'spans';
}

function mappedDims(
  { dims }: LazySlice,
  maps: readonly AxisMap[],
  leading: Mapping['leading'],
): readonly SliceDim[] {
  const made = { chunks: undefined, start: undefined, step: undefined };
  const inner = dims.flatMap((dim, d): SliceDim[] => {
    const map = maps[d] ?? { kind: 'keep' };
    if (map.kind === 'all') return [];
    if (map.kind === 'keep') return [dim];
    const name = (isGrouped(map) ? map.made?.labels.name : undefined) ?? dim.name;
    return [{ name, size: mappedLength(map, dim.size), ...made }];
  });
  return leading === undefined ? inner : [{ name: leading.name, size: leading.size, ...made }, ...inner];
}

/**
 * Maps a selection of the result to the input: any selection of kept dimensions, runs of blocks, members of
 * groups. The rest of the selection is applied to the result.
 */
function selectMapped(
  slice: LazySlice,
  input: LazySlice,
  maps: readonly AxisMap[],
  mapping: Mapping,
  selection: SelectionInput | undefined,
): LazySlice {
  const resolved = resolveSelection(selection, slice.dims);
  if (resolved.kind === 'points') return pickSlice(slice, resolved);
  const left = [...resolved.dims];
  const rest: ResolvedDim[] = mapping.leading === undefined ? [] : left.splice(0, 1);
  const stays: AxisMap[] = [];
  const onInput = maps.map((map, d): DimSelection => {
    const dim = map.kind === 'all' ? undefined : left.shift();
    if (dim === undefined) {
      stays.push(map);
      return { kind: 'slice' };
    }
    if (map.kind === 'keep') {
      if (dim.dropped) return dimSelectionOf(dim);
      stays.push(map);
      rest.push(wholeDim(countOf(dim)));
      return dimSelectionOf(dim);
    }
    if (isGrouped(map)) {
      const wanted = distinctOf(dim);
      const part = map.kind === 'spans' ? someSpans(map, wanted) : runToEnd(someGroups(map, wanted));
      stays.push(part.map);
      rest.push(among(dim, wanted));
      return part.selection;
    }
    stays.push(map);
    const { start, stop } = boundsOf(dim);
    rest.push(relativeTo(start, dim));
    const size = map.kind === 'blocks' ? map.size : 1;
    return { kind: 'slice', start: start * size, stop: Math.min(stop * size, defined(input.shape[d])) };
  });
  const part = mapSlice(input.select({ kind: 'dims', dims: onInput }), stays, mapping);
  const isRest = rest.some((dim, d) => !isWhole(dim, defined(part.shape[d])));
  return isRest ? pickSlice(part, { kind: 'box', dims: rest }) : part;
}

function isWhole(dim: ResolvedDim, size: number): boolean {
  if (dim.kind === 'list' || dim.dropped || dim.wrap !== undefined) return false;
  return dim.count === size && (dim.step === 1 || size < 2);
}

/** The positions of a dimension in ascending order, without duplicates. */
function distinctOf(dim: ResolvedDim): Float64Array {
  if (dim.kind === 'list') {
    const isDistinct = dim.at.every((position, i) => i === 0 || position > defined(dim.at[i - 1]));
    return isDistinct ? dim.at : Float64Array.from(new Set(dim.at)).sort();
  }
  const { start } = boundsOf(dim);
  const step = Math.abs(dim.step);
  const positions = new Float64Array(dim.count);
  for (let i = 0; i < positions.length; i++) positions[i] = start + i * step;
  return positions;
}

/** Converts the positions of a dimension to indices into a list that contains them. @param some ascending */
function among(dim: ResolvedDim, some: Float64Array): ResolvedDim {
  if (dim.kind === 'range') {
    const step = dim.step > 0 ? 1 : -1;
    return { ...dim, start: step > 0 ? 0 : Math.max(0, dim.count - 1), step };
  }
  const at = new Float64Array(dim.at.length);
  for (let i = 0; i < at.length; i++)
    at[i] = firstIndexWhere(0, some.length, (k) => defined(some[k]) >= defined(dim.at[i]));
  return { ...dim, at };
}
