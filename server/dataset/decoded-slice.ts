/** A slice of a variable whose values are decoded as they are read. */
import {
  withContext,
  type Block,
  createPause,
  type LazySlice,
  dataTypeName,
  exceededLimits,
  isStored,
  type PlanCost,
  resolveSelection,
  type Selection,
  type SelectionInput,
  type SliceOrigin,
  type SliceReadOptions,
  SelectionError,
  sizeOf,
  streamSlice,
  transformedCost,
  UnsupportedError,
} from '../zarr/index.js';
import { decodeCooperatively } from './decode/decode-cooperatively.js';
import type { Decoding } from './decode/decoding.js';
import { selectionOf } from './positions.js';

/**
 * @param stored stored values, with the whole last dimension if decoding joins characters
 * @returns `stored` if there is nothing to decode
 */
export function decodeSlice(stored: LazySlice, decoding: Decoding): LazySlice {
  return decoding.isIdentity ? stored : decodedSlice(stored, decoding);
}

function decodedSlice(stored: LazySlice, decoding: Decoding): LazySlice {
  const { dtype, joinedCharacters } = decoding;
  const array = isStored(stored) ? stored : undefined;
  // Only stored elements are transformed as they are read.
  const transform = array === undefined ? undefined : decoding.transform;
  const rank = stored.shape.length - (joinedCharacters === undefined ? 0 : 1);
  const [shape, dims] = [stored.shape.slice(0, rank), stored.dims.slice(0, rank)];
  const origin = joinedCharacters === undefined ? stored.origin : withoutLast(stored.origin);
  const cost = (): PlanCost => {
    const plan = stored.cost();
    if (transform !== undefined) return transformedCost(plan, shape, transform);
    return {
      ...plan,
      // Decoded values may need far more memory than stored values, for example dates as text.
      allocatedBytes: Math.max(plan.allocatedBytes, sizeOf(shape) * decoding.elementBytes),
      outputBytes: dtype.itemSize === null ? undefined : sizeOf(shape) * dtype.itemSize,
      intermediateBytes: plan.allocatedBytes,
    };
  };
  const slice: LazySlice = {
    where: stored.where,
    inputs: stored.inputs,
    readBefore: stored.readBefore,
    origin,
    dtype,
    dtypeName: dataTypeName(dtype),
    shape,
    dims,
    takesOut: transform !== undefined,
    elements:
      array?.elements === undefined || transform === undefined ? undefined : { stored: array, transform },
    select: (selection) =>
      decodedSlice(
        stored.select(joinedCharacters === undefined ? selection : wholeTexts(selection, dims)),
        decoding,
      ),
    field() {
      throw new SelectionError(`decoded values of type ${dtype.name} have no fields; only structs do`);
    },
    cost,
    exceeded: (limits) => exceededLimits(cost(), limits),
    read: (options = {}) =>
      array === undefined || transform === undefined
        ? readDecoded(stored, decoding, options)
        : array.read({ ...options, transform }),
    stream: (options) => streamSlice(slice, options),
    ...(array === undefined || transform === undefined
      ? {}
      : { fold: (fold, options) => array.fold(fold, { ...options, transform }) }),
  };
  return slice;
}

/** Excludes the dimension of the characters, which is always read completely. */
function withoutLast({ dimensionNames, shape, chunkShape, selection }: SliceOrigin): SliceOrigin {
  return {
    dimensionNames: dimensionNames.slice(0, -1),
    shape: shape.slice(0, -1),
    chunkShape: chunkShape.slice(0, -1),
    selection: selection.kind === 'box' ? { kind: 'box', dims: selection.dims.slice(0, -1) } : selection,
  };
}

/** The selection of the stored characters. It includes the whole dimension of the characters. */
function wholeTexts(selection: SelectionInput, dims: LazySlice['dims']): Selection {
  const resolved = resolveSelection(selection, dims);
  if (resolved.kind === 'points')
    throw new UnsupportedError(
      'points cannot be selected in text stored as characters; select along each dimension, or set decode: false',
    );
  return selectionOf(resolved);
}

async function readDecoded(stored: LazySlice, decoding: Decoding, options: SliceReadOptions): Promise<Block> {
  const { out, readOnly: _, ...reading } = options;
  if (out !== undefined)
    throw new UnsupportedError(
      `decoded values of type ${decoding.dtype.name} cannot be read into an "out" buffer; omit "out"`,
    );
  const block = await stored.read(reading);
  try {
    return await decodeCooperatively(decoding, block, createPause(options.signal));
  } catch (error) {
    throw withContext(error, stored.where);
  }
}
