/**
 * Results that other slices read box by box. They are computed once and held in memory: computing them again for each box
 * would read their inputs again. One axis may be gathered: repeated for the members of groups.
 */
import { defined } from '../../wire/guards.js';
import { maskedName } from '../../wire/result-types.js';
import { sizeOf } from '../core/bytes/shape.js';
import { destination } from '../core/bytes/values.js';
import {
  type Block,
  type DataType,
  fixedItemSize,
  isFixedSize,
  numberType,
} from '../core/dtype/data-type.js';
import { numberAccess } from '../core/dtype/number-access.js';
import { UnsupportedError } from '../core/errors.js';
import { createPause } from '../core/turns.js';
import { type Gather, gatherRows } from '../compute/gather-rows.js';
import { floatArray, floatPieces, isReal, putFloat } from '../compute/float-elements.js';
import { isRealName } from '../format/plan/element-transform.js';
import type { PlanCost } from '../format/plan/cost.js';
import type { SelectionInput } from '../format/selection/plain.js';
import { resolveSelection } from '../format/selection/resolve.js';
import { countOf, dimSelectionOf, positionAt, type ResolvedDim } from '../format/selection/selection.js';
import { blockSlice } from './block-slice.js';
import { ComputedSlice, framedAs } from './computed-slice.js';
import type { LazySlice, SliceFoldOptions } from './lazy-slice.js';
import { anonymousOrigin, pickSlice } from './picked-slice.js';
import { dimsOfOrigin } from './slice.js';

/** @throws UnsupportedError if values would be missing that have no missing value */
export function holdSlice(base: LazySlice, gather?: Gather): HeldSlice {
  return new HeldSlice(base, gather);
}

export class HeldSlice extends ComputedSlice {
  readonly #base: LazySlice;
  readonly #gather: Gather | undefined;

  /** Whether the base is in memory. */
  readonly isHeld: boolean;

  constructor(
    base: LazySlice,
    gather: Gather | undefined,
    dtype: DataType = typeOf(base, gather),
    isHeld = false,
  ) {
    const shape = gather === undefined ? base.shape : base.shape.with(gather.axis, gather.of.length);
    const origin = anonymousOrigin(shape);
    const frame =
      gather === undefined ? base : framedAs(base, { dtype, origin, shape, dims: dimsOfOrigin(origin) });
    super(frame, [base]);
    this.#base = base;
    this.#gather = gather;
    this.isHeld = isHeld;
  }

  select(selection?: SelectionInput): LazySlice {
    const gather = this.#gather;
    if (gather === undefined) return new HeldSlice(this.#base.select(selection), undefined);
    const resolved = resolveSelection(selection, this.dims);
    const along = resolved.kind === 'box' ? resolved.dims[gather.axis] : undefined;
    if (resolved.kind === 'points' || along === undefined || along.dropped) return pickSlice(this, resolved);
    const of = positionsAt(gather.of, along);
    const dims = resolved.dims.map((dim, d) => (d === gather.axis ? ({ kind: 'slice' } as const) : dimSelectionOf(dim))); // prettier-ignore
    const axis = resolved.dims.slice(0, gather.axis).filter(({ dropped }) => !dropped).length;
    return new HeldSlice(this.#base.select({ kind: 'dims', dims }), { axis, of }, this.dtype, this.isHeld);
  }

  cost(): PlanCost {
    const cost = this.#used().base.cost();
    const outputBytes = sizeOf(this.shape) * fixedItemSize(this.dtype);
    const intermediateBytes = cost.intermediateBytes + cost.allocatedBytes;
    return { ...cost, outputBytes, allocatedBytes: outputBytes, intermediateBytes };
  }

  /** Reads the values once. @returns a slice of the same values in memory. @throws errors from `LazySlice.read` */
  async hold(options: SliceFoldOptions): Promise<LazySlice> {
    const { base, gather } = this.#used();
    const held = blockSlice(await base.read(options), this.where);
    return gather === undefined ? held : new HeldSlice(held, gather, this.dtype, true);
  }

  /** The part of the base whose values occur. */
  #used(): { readonly base: LazySlice; readonly gather: Gather | undefined } {
    const gather = this.#gather;
    if (gather === undefined) return { base: this.#base, gather };
    const count = defined(this.#base.shape[gather.axis]);
    const isUsed = new Uint8Array(count);
    for (let i = 0; i < gather.of.length; i++) isUsed[gather.of[i] ?? -1] = 1;
    const indices = [...isUsed.keys()].filter((position) => isUsed[position] === 1);
    if (indices.length === count) return { base: this.#base, gather };
    const numbers = new Int32Array(count).fill(-1);
    indices.forEach((position, i) => {
      numbers[position] = i;
    });
    const dims = this.#base.shape.map((_, d) =>
      d === gather.axis ? ({ kind: 'indices', indices } as const) : ({ kind: 'slice' } as const),
    );
    const of = gather.of.map((position) => (position < 0 ? -1 : defined(numbers[position])));
    return { base: this.#base.select({ kind: 'dims', dims }), gather: { axis: gather.axis, of } };
  }

  protected async compute(options: SliceFoldOptions, out: Uint8Array | undefined): Promise<Block> {
    const { base, gather } = this.#used();
    const block = await base.read({ ...options, readOnly: true });
    if (!('bytes' in block)) throw new UnsupportedError('values of variable length cannot be held');
    if (gather === undefined) {
      const bytes = destination(out, block.bytes.length);
      bytes.set(block.bytes);
      return { ...block, bytes };
    }
    return gathered(block, gather, this.dtype, out);
  }

  /** The values before they are gathered, in the type of this slice. They belong to the caller. */
  async readBase(
    options: SliceFoldOptions,
  ): Promise<{ readonly block: Block; readonly gather?: Gather | undefined }> {
    const { base, gather } = this.#used();
    const block = await base.read(options);
    if (!isFixedSize(this.dtype) || !('bytes' in block))
      throw new TypeError('gathered values have a fixed size');
    return { block: { ...block, dtype: this.dtype, bytes: bytesAs(block, this.dtype) }, gather };
  }
}

/** A run of positions shares their memory, because there may be millions. */
function positionsAt(of: Int32Array, along: ResolvedDim): Int32Array {
  const count = countOf(along);
  if (along.kind === 'range' && along.step === 1) return of.subarray(along.start, along.start + count);
  const some = new Int32Array(count);
  for (let i = 0; i < count; i++) some[i] = defined(of[positionAt(along, i)]);
  return some;
}

function typeOf({ dtype }: LazySlice, gather: Gather | undefined): DataType {
  if (gather === undefined || !gather.of.includes(-1)) return dtype;
  const name = maskedName(dtype.name);
  if (name !== dtype.name && isRealName(name)) return numberType(name);
  if (numberAccess(dtype.name) === undefined)
    throw new UnsupportedError(
      `values of type ${dtype.name} have no missing value for positions without a group`,
    );
  return dtype;
}

async function gathered(
  block: Extract<Block, { bytes: Uint8Array }>,
  gather: Gather,
  dtype: DataType,
  out: Uint8Array | undefined,
): Promise<Block> {
  if (!isFixedSize(dtype)) throw new TypeError('gathered values have a fixed size');
  const shape = block.shape.with(gather.axis, gather.of.length);
  const bytes = destination(out, sizeOf(shape) * dtype.itemSize);
  const pause = createPause();
  for (const _ of gatherRows(bytesAs(block, dtype), block.shape, gather, dtype, bytes)) await pause();
  return { dtype, shape, bytes };
}

function bytesAs(block: Extract<Block, { bytes: Uint8Array }>, dtype: DataType): Uint8Array {
  return block.dtype.name === dtype.name ? block.bytes : floatBytes(block, dtype);
}

function floatBytes(block: Block, dtype: DataType): Uint8Array {
  if (!isReal(block.dtype)) throw new TypeError('only numbers change their type');
  const result = floatArray(dtype, sizeOf(block.shape));
  for (const { values, start, count } of floatPieces(block))
    for (let i = 0; i < count; i++) putFloat(result, start + i, values[i] ?? NaN);
  return result.bytes;
}

/** Whether values depend only on stored ones at their positions, so that boxes cost what they read. */
export function isPointwise(slice: LazySlice): boolean {
  return slice.elements !== undefined || slice.isPointwise === true || slice.inputs[0] === slice;
}
