/**
 * What the scalar NDArray is between a resolver and the wire: the block itself with the options of its field, never one
 * object or one string an element. GraphQL's executor passes it on by reference; a transport writes it.
 */
import { type Block, type DataType, toTypedArray } from '../zarr/index.js';
import { blockText } from './json/block-text.js';
import type { NonFinite } from './json/number-text.js';

/**
 * Values on their way out. In-process callers (`Gateway.execute`) find instances of this class in the result where the
 * schema says NDArray: use `block` for the exact values, or `toNested()` for what JSON would show.
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

  /** Elements along each dimension; a sub-array field's own dimensions come last. */
  get shape(): readonly number[] {
    return this.block.shape;
  }

  /** The values of a type of variable length, one an element in C order; undefined for other types. */
  get items(): readonly unknown[] | undefined {
    return 'items' in this.block ? Array.from(toTypedArray(this.block), (item): unknown => item) : undefined;
  }

  /** Nested lists, exactly as a JSON response holds them (64-bit integers as strings, and so on). */
  toNested(): unknown {
    return JSON.parse([...blockText(this.block, this.nonFinite)].join(''));
  }

  /** For `JSON.stringify`: the same as `toNested()`. */
  toJSON(): unknown {
    return this.toNested();
  }
}
