/** Places elements of decoded chunks in a result, as a copy or through a transform. */
import { copyPieces, type BoxCopy } from '../core/bytes/strided-copy.js';
import { copyValues, unitOf, type MutableValues, type Values } from '../core/bytes/values.js';
import type { Element } from '../core/dtype/data-type.js';
import { asValues } from '../core/dtype/item-values.js';
import { UnsupportedError } from '../core/errors.js';
import type { ReadPlan } from '../format/plan/plan.js';
import { tryTransform } from './transform/apply-transform.js';
import { transformNsPerElement } from '../format/plan/element-transform.js';
import { transformBox } from './transform/transform-box.js';

/**
 * Copies a region: `from` in the chunk, `to` in the result. Positions and strides are in bytes (for items, in
 * elements).
 */
export interface Placement {
  /** Whether the result contains the stored elements unchanged. */
  readonly isCopy: boolean;
  /** Approximate time per element, in nanoseconds, in addition to copying. */
  readonly nsPerElement: number;
  /** @throws UnsupportedError if the result's type cannot represent a value */
  place(chunk: Values, result: MutableValues, copy: BoxCopy): void;
  /** Like `place`, in steps of at most a few milliseconds. */
  steps(chunk: Values, result: MutableValues, copy: BoxCopy): Generator<void>;
}

export function createPlacement({ dtype, transform }: ReadPlan): Placement {
  if (transform !== undefined && transform.sourceBytes !== dtype.itemSize)
    throw new UnsupportedError(`the transform does not apply to values of type ${dtype.name}`);
  if (transform === undefined || transform.kind === 'copy') {
    const { itemSize } = dtype;
    const place: Placement['place'] = (chunk, result, { from, to, dims }) =>
      copyValues(chunk, from, result, to, dims, itemSize);
    return {
      isCopy: true,
      nsPerElement: 0,
      place,
      *steps(chunk, result, copy) {
        for (const piece of copyPieces(copy, unitOf(itemSize))) {
          place(chunk, result, piece);
          yield;
        }
      },
    };
  }
  function* steps(chunk: Values, result: MutableValues, copy: BoxCopy): Generator<void> {
    if ('bytes' in chunk && 'bytes' in result && transform !== undefined)
      yield* transformBox(transform, chunk.bytes, result.bytes, copy);
  }
  return {
    isCopy: false,
    nsPerElement: transformNsPerElement(transform),
    place(chunk, result, copy) {
      for (const _ of steps(chunk, result, copy));
    },
    steps,
  };
}

/** The fill value in the data type of the result. */
export interface PlacedFill {
  readonly isZero: boolean;
  /**
   * Call this only for absent chunks.
   * @throws UnsupportedError if the type of the result cannot represent the fill value
   */
  values(): Values;
}

export function placedFill(fill: Element, { dtype, transform }: ReadPlan): PlacedFill {
  if (transform === undefined || !('bytes' in fill))
    return { isZero: 'bytes' in fill && isZero(fill.bytes), values: () => asValues(fill, dtype) };
  const bytes = new Uint8Array(transform.dtype.itemSize);
  const problem = tryTransform(transform, fill.bytes, bytes);
  return {
    isZero: problem === undefined && isZero(bytes),
    values() {
      if (problem !== undefined) throw new UnsupportedError(problem);
      return { bytes };
    },
  };
}

function isZero(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte !== 0) return false;
  return true;
}
