/** How elements get from decoded chunks into a result: copied as they are, or through a transform. */
import { copyPieces, type BoxCopy } from '../../bytes/copy-pieces.js';
import { copyValues, unitOf, type MutableValues, type Values } from '../../bytes/values.js';
import type { DataType, Element } from '../../dtype/data-type.js';
import { asValues } from '../../dtype/item-values.js';
import { UnsupportedError } from '../../errors.js';
import type { ReadPlan } from '../plan.js';
import { tryTransform } from '../transform/apply-transform.js';
import { transformNsPerElement } from '../transform/speed.js';
import { transformBox } from '../transform/transform-box.js';

/** Copies: positions and strides are bytes (items: elements), `from` those of the chunk, `to` those of the result. */
export interface Placement {
  /** Whether chunks are in the result what they are in the store. */
  readonly isCopy: boolean;
  /** What an element takes beside copying it, about. */
  readonly nsPerElement: number;
  /** @throws UnsupportedError for a value that the result's type cannot hold */
  place(chunk: Values, result: MutableValues, copy: BoxCopy): void;
  /** The same in steps of at most some milliseconds. */
  steps(chunk: Values, result: MutableValues, copy: BoxCopy): Generator<void>;
}

export function createPlacement({ dtype, transform }: ReadPlan): Placement {
  if (transform !== undefined && transform.sourceBytes !== dtype.itemSize)
    throw new UnsupportedError(`the transform is not one of values of the type ${dtype.name}`);
  if (transform === undefined || transform.kind === 'copy') return copying(dtype);
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

function copying({ itemSize }: DataType): Placement {
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

/** The fill value as a result has it. */
export interface PlacedFill {
  readonly isZero: boolean;
  /** @throws UnsupportedError where the result's type cannot hold it; it matters only where chunks are absent */
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
  return bytes.every((byte) => byte === 0);
}
