/** Values in memory as a slice, such as the labels of groups. */
import { bytesInPieces, PIECE_BYTES } from '../core/bytes/strided-copy.js';
import { createPause } from '../core/turns.js';
import { destination } from '../core/bytes/values.js';
import { dataTypeName, type Block } from '../core/dtype/data-type.js';
import { heldBytes } from '../core/dtype/item-values.js';
import type { ErrorContext } from '../core/errors.js';
import { ComputedSlice } from './computed-slice.js';
import type { LazySlice, SliceFoldOptions, SliceOrigin, SliceReadOptions } from './lazy-slice.js';
import type { SelectionInput } from '../format/selection/plain.js';
import type { PlanCost } from '../format/plan/cost.js';
import { resolveSelection } from '../format/selection/resolve.js';
import { anonymousOrigin, pickSlice } from './picked-slice.js';
import { dimsOfOrigin } from './slice.js';

/**
 * Creates a slice without inputs.
 * @param block values that nobody modifies
 * @param where location for error messages
 * @param names names of the dimensions
 */
export function blockSlice(block: Block, where: ErrorContext, names?: readonly (string | null)[]): LazySlice {
  const origin = anonymousOrigin(block.shape);
  return new BlockSlice(block, where, names === undefined ? origin : { ...origin, dimensionNames: names });
}

class BlockSlice extends ComputedSlice {
  readonly #block: Block;

  constructor(block: Block, where: ErrorContext, origin: SliceOrigin) {
    const { dtype, shape } = block;
    super({ where, origin, dtype, dtypeName: dataTypeName(dtype), shape, dims: dimsOfOrigin(origin) }, []);
    this.#block = block;
  }

  select(selection?: SelectionInput): LazySlice {
    return pickSlice(this, resolveSelection(selection, this.dims));
  }

  cost(): PlanCost {
    const block = this.#block;
    const bytes = 'bytes' in block ? block.bytes.length : undefined;
    return {
      chunks: 0,
      requests: 0,
      decodedBytes: 0,
      reducedBytes: 0,
      work: 0,
      indexBytes: 0,
      chunkBytes: 0,
      stepBytes: 0,
      outputBytes: bytes,
      allocatedBytes: 'bytes' in block ? block.bytes.length : heldBytes(block.items),
      intermediateBytes: 0,
    };
  }

  /** Callers may modify what they read, unless they promise not to. */
  override async read(options: SliceReadOptions = {}): Promise<Block> {
    return options.readOnly === true && options.out === undefined ? this.#block : super.read(options);
  }

  protected async compute(_: SliceFoldOptions, out: Uint8Array | undefined): Promise<Block> {
    const block = this.#block;
    if (!('bytes' in block)) return block;
    const bytes = destination(out, block.bytes.length);
    const pause = createPause();
    let at = 0;
    for (const piece of bytesInPieces(block.bytes, PIECE_BYTES)) {
      bytes.set(piece, at);
      at += piece.length;
      await pause();
    }
    return { ...block, bytes };
  }
}
