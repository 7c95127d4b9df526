/** Values taken from a list by the positions that a slice computes, such as the labels of extremes. */
import { sizeOf } from '../core/bytes/shape.js';
import { destination } from '../core/bytes/values.js';
import { takeElements, toTypedArray } from '../core/dtype/arrays.js';
import type { Block } from '../core/dtype/data-type.js';
import { heldBytes } from '../core/dtype/item-values.js';
import { createPause } from '../core/turns.js';
import type { PlanCost } from '../format/plan/cost.js';
import type { SelectionInput } from '../format/selection/plain.js';
import { ComputedSlice, framedAs } from './computed-slice.js';
import type { LazySlice, SliceFoldOptions } from './lazy-slice.js';

/**
 * @param positions int64; negative ones take the last element of the list
 * @param list one dimension
 */
export function takeSlice(positions: LazySlice, list: Block): LazySlice {
  return new TakenSlice(positions, list);
}

class TakenSlice extends ComputedSlice {
  readonly #positions: LazySlice;
  readonly #list: Block;

  constructor(positions: LazySlice, list: Block) {
    super(framedAs(positions, { dtype: list.dtype }), [positions]);
    this.#positions = positions;
    this.#list = list;
  }

  select(selection?: SelectionInput): LazySlice {
    return new TakenSlice(this.#positions.select(selection), this.#list);
  }

  cost(): PlanCost {
    const cost = this.#positions.cost();
    const { itemSize } = this.dtype;
    const outputBytes = itemSize === null ? undefined : sizeOf(this.shape) * itemSize;
    const listBytes = 'bytes' in this.#list ? this.#list.bytes.length : heldBytes(this.#list.items);
    return {
      ...cost,
      outputBytes,
      allocatedBytes: outputBytes ?? cost.allocatedBytes,
      intermediateBytes: cost.intermediateBytes + cost.allocatedBytes + listBytes,
    };
  }

  protected async compute(options: SliceFoldOptions, out: Uint8Array | undefined): Promise<Block> {
    const list = this.#list;
    const block = await this.#positions.read(options);
    const last = (list.shape[0] ?? 0) - 1;
    const positions = Float64Array.from(toTypedArray(block), Number).map((at) => (at < 0 ? last : at));
    if (!('bytes' in list)) return takeElements(list, positions, this.shape);
    const bytes = destination(out, positions.length * list.dtype.itemSize);
    const pause = createPause();
    for (let start = 0; start < positions.length; start += STEP) {
      const some = positions.subarray(start, start + STEP);
      const taken = takeElements(list, some, [some.length]);
      if ('bytes' in taken) bytes.set(taken.bytes, start * list.dtype.itemSize);
      await pause();
    }
    return { dtype: list.dtype, shape: this.shape, bytes };
  }
}

/** Number of elements taken at once. */
const STEP = 16_384;
