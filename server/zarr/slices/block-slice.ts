/** Values in memory as a slice, such as the labels of groups. */
import { dataTypeName, type Block, isFixedSize } from '../dtype/data-type.js';
import { heldBytes } from '../dtype/item-values.js';
import { type ErrorContext, InputError, SelectionError } from '../errors.js';
import type { LazySlice, SliceReadOptions } from './lazy-slice.js';
import { exceededLimits } from '../read/cost.js';
import type { PlanCost } from '../read/plan.js';
import { resolveSelection } from '../selection/resolve.js';
import { anonymousOrigin, pickSlice } from './picked-slice.js';
import { dimsOfOrigin } from './slice.js';
import { streamSlice } from './stream-slice.js';

/**
 * Creates a slice without inputs.
 * @param block values that nobody modifies
 * @param where location for error messages
 */
export function blockSlice(block: Block, where: ErrorContext): LazySlice {
  const { dtype, shape } = block;
  const origin = anonymousOrigin(shape);
  const bytes = 'bytes' in block ? block.bytes.length : undefined;
  const cost = (): PlanCost => ({
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
  });
  const shared: LazySlice = {
    where,
    inputs: [],
    origin,
    dtype,
    dtypeName: dataTypeName(dtype),
    shape,
    dims: dimsOfOrigin(origin),
    takesOut: false,
    isComputed: true,
    select: (selection) => pickSlice(shared, resolveSelection(selection, shared.dims)),
    field() {
      throw new SelectionError(`values of type ${dtype.name} have no fields; only structs do`);
    },
    cost,
    exceeded: (limits) => exceededLimits(cost(), limits),
    read: async () => block,
    stream: (options) => streamSlice(shared, options),
  };
  const slice: LazySlice = {
    ...shared,
    takesOut: isFixedSize(dtype),
    read: async (options) => copyOf(block, options),
    stream: (options) => streamSlice(slice, options),
  };
  return slice;
}

/** Callers may modify what they read, unless they promise not to. */
function copyOf(block: Block, { out, readOnly = false }: SliceReadOptions = {}): Block {
  if (!('bytes' in block)) return block;
  if (out === undefined) return readOnly ? block : { ...block, bytes: block.bytes.slice() };
  if (out.length !== block.bytes.length)
    throw new InputError(`"out" is ${out.length} bytes; expected ${block.bytes.length}`);
  out.set(block.bytes);
  return { ...block, bytes: out };
}
