/** A slice of a variable whose values are decoded as they are read. */
import {
  type ArraySlice,
  ElementwiseSlice,
  type SliceFoldOptions,
  withContext,
  type Block,
  createPause,
  type LazySlice,
  dataTypeName,
  isStored,
  type PlanCost,
  resolveSelection,
  type Selection,
  type SelectionInput,
  type SliceOrigin,
  sizeOf,
  transformedCost,
  UnsupportedError,
} from '../zarr/index.js';
import { decodeCooperatively } from './decode/decode-cooperatively.js';
import type { VariableDecoding } from './decode/decoding.js';
import { selectionOf } from './positions.js';

/**
 * @param stored stored values, with the whole last dimension if decoding joins characters
 * @returns `stored` if there is nothing to decode
 */
export function decodeSlice(stored: LazySlice, decoding: VariableDecoding): LazySlice {
  return decoding.isIdentity ? stored : new DecodedSlice(stored, decoding);
}

class DecodedSlice extends ElementwiseSlice {
  readonly #decoding: VariableDecoding;
  readonly #transformed: TransformedArray | undefined;

  constructor(stored: LazySlice, decoding: VariableDecoding) {
    const { dtype, joinedCharacters, transform } = decoding;
    const rank = stored.shape.length - (joinedCharacters === undefined ? 0 : 1);
    const origin = joinedCharacters === undefined ? stored.origin : withoutLast(stored.origin);
    const [shape, dims] = [stored.shape.slice(0, rank), stored.dims.slice(0, rank)];
    super({ where: stored.where, origin, dtype, dtypeName: dataTypeName(dtype), shape, dims }, stored);
    this.#decoding = decoding;
    // Only stored elements are transformed as they are read.
    this.#transformed =
      isStored(stored) && transform !== undefined ? { array: stored, transform } : undefined;
  }

  override get takesOut(): boolean {
    return this.#transformed !== undefined;
  }

  override get elements(): LazySlice['elements'] {
    if (this.#transformed?.array.elements === undefined) return undefined;
    const { array: stored, transform } = this.#transformed;
    return { stored, transform };
  }

  override get planned(): LazySlice['planned'] {
    if (this.#transformed === undefined) return undefined;
    const { array: stored, transform } = this.#transformed;
    return { stored, transform };
  }

  select(selection?: SelectionInput): LazySlice {
    const isJoined = this.#decoding.joinedCharacters !== undefined;
    const chosen = this.base.select(isJoined ? wholeTexts(selection, this.dims) : selection);
    return new DecodedSlice(chosen, this.#decoding);
  }

  cost(): PlanCost {
    const plan = this.base.cost();
    if (this.#transformed !== undefined)
      return transformedCost(plan, this.shape, this.#transformed.transform);
    const { itemSize } = this.dtype;
    const count = sizeOf(this.shape);
    return {
      ...plan,
      // Decoded values may need far more memory than stored values, for example dates as text.
      allocatedBytes: Math.max(plan.allocatedBytes, count * this.#decoding.elementBytes),
      outputBytes: itemSize === null ? undefined : count * itemSize,
      intermediateBytes: plan.allocatedBytes,
    };
  }

  protected compute(options: SliceFoldOptions, out: Uint8Array | undefined): Promise<Block> {
    if (this.#transformed === undefined) return readDecoded(this.base, this.#decoding, options);
    const { array, transform } = this.#transformed;
    return array.read({ ...options, out, transform });
  }

  override get joinKey(): string | undefined {
    const { array, transform } = this.#transformed ?? {};
    const key = array?.joinKey;
    return key === undefined ? undefined : `${key} ${transform?.dtype.name}`;
  }

  override get fold(): LazySlice['fold'] {
    if (this.#transformed === undefined) return undefined;
    const { array, transform } = this.#transformed;
    return (fold, options) => array.fold(fold, { ...options, transform });
  }
}

/** A stored slice whose elements are transformed as they are read. */
interface TransformedArray {
  readonly array: ArraySlice;
  readonly transform: NonNullable<VariableDecoding['transform']>;
}

/** Excludes the dimension of the characters, which is always read completely. */
function withoutLast({ dimensionNames, shape, chunks, selection }: SliceOrigin): SliceOrigin {
  return {
    dimensionNames: dimensionNames.slice(0, -1),
    shape: shape.slice(0, -1),
    chunks: chunks.slice(0, -1),
    selection: selection.kind === 'box' ? { kind: 'box', dims: selection.dims.slice(0, -1) } : selection,
  };
}

/** The selection of the stored characters. It includes the whole dimension of the characters. */
function wholeTexts(selection: SelectionInput | undefined, dims: LazySlice['dims']): Selection {
  const resolved = resolveSelection(selection, dims);
  if (resolved.kind === 'points')
    throw new UnsupportedError(
      'points cannot be selected in text stored as characters; select along each dimension, or set decode: false',
    );
  return selectionOf(resolved);
}

async function readDecoded(
  stored: LazySlice,
  decoding: VariableDecoding,
  options: SliceFoldOptions,
): Promise<Block> {
  const block = await stored.read(options);
  try {
    return await decodeCooperatively(decoding, block, createPause(options.signal));
  } catch (error) {
    throw withContext(error, stored.where);
  }
}
