/**
 * Value of the scalar NDArray between resolver and transport: a block and the options of its field, without
 * an object or string per element. GraphQL's executor passes it by reference, and a transport writes it.
 */
import { type Block, type DataType, toTypedArray } from '../zarr/index.js';
import { blockText } from './json/block-text.js';
import type { NonFinite } from './json/number-text.js';

/**
 * Values of a field of type NDArray. Callers of `Gateway.execute` find instances of this class in the result:
 * use `block` for the exact values, or `toNested()` for the form that JSON responses have.
 */
export class NDArrayValue {
  readonly block: Block;
  readonly nonFinite: NonFinite;

  constructor(block: Block, nonFinite: NonFinite) {
    this.block = block;
    this.nonFinite = nonFinite;
  }

  get dtype(): DataType {
    return this.block.dtype;
  }

  /** Number of elements along each dimension. The dimensions of a sub-array field come last. */
  get shape(): readonly number[] {
    return this.block.shape;
  }

  /** The values of a type of variable length, one per element in C order; undefined for other types. */
  get items(): readonly unknown[] | undefined {
    return 'items' in this.block ? Array.from(toTypedArray(this.block), (item): unknown => item) : undefined;
  }

  /**
   * Converts the values to nested lists, exactly as in a JSON response. For example, 64-bit integers are
   * strings.
   */
  toNested(): unknown {
    return JSON.parse([...blockText(this.block, this.nonFinite)].join(''));
  }

  /** Called by `JSON.stringify`; returns the same as `toNested()`. */
  toJSON(): unknown {
    return this.toNested();
  }
}

/**
 * Input of the scalar NDArray from a CBOR body: numbers as bytes. The target array determines their meaning
 * (uint8 as booleans, int64 as times, a trailing dimension of 2 as complex numbers).
 */
export class NDArrayInput {
  /** NumPy's type string of a number type, little-endian: `|u1`, `<i8`, `<f2`. */
  readonly dtype: string;
  readonly shape: readonly number[];
  /** Values in C order. A read-only view of the body, at any offset. */
  readonly bytes: Uint8Array;

  constructor(dtype: string, shape: readonly number[], bytes: Uint8Array) {
    this.dtype = dtype;
    this.shape = shape;
    this.bytes = bytes;
  }
}
