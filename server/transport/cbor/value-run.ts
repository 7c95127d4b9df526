/** Values to write as CBOR: a block, or one field of a block of structs, which is extracted part by part. */
import { type Block, type DataType, type StructField, sizeOf } from '../../zarr/index.js';
import { blockPart, structFieldBlock } from '../block-part.js';

/** Maximum size of a part in bytes: large enough that the overhead of each part is negligible. */
const PART_BYTES = 2 ** 17;

/** Maximum number of elements per part, because elements of some types become objects. */
const PART_ITEMS = 2 ** 12;

export class ValueRun {
  readonly dtype: DataType;
  /** Shape of the values. The dimensions of a sub-array field come last. */
  readonly shape: readonly number[];
  readonly #block: Block;
  /** The nested fields, outermost first. */
  readonly #fields: readonly StructField[];

  constructor(block: Block, fields: readonly StructField[] = []) {
    this.#block = block;
    this.#fields = fields;
    this.dtype = fields.at(-1)?.dtype ?? block.dtype;
    this.shape = [...block.shape, ...fields.flatMap((field) => field.shape)];
  }

  field(field: StructField): ValueRun {
    return new ValueRun(this.#block, [...this.#fields, field]);
  }

  /** All values if they are contiguous in memory; undefined if they must be extracted from structs. */
  get bytes(): Uint8Array | undefined {
    return this.#fields.length === 0 && 'bytes' in this.#block ? this.#block.bytes : undefined;
  }

  /** The values in C order, part by part, as blocks of one dimension or more. */
  *parts(): Generator<Block> {
    const count = sizeOf(this.#block.shape);
    const size = this.#block.dtype.itemSize ?? 0;
    const step = Math.min(PART_ITEMS, Math.max(1, Math.floor(PART_BYTES / Math.max(1, size))));
    for (let from = 0; from < count; from += step) {
      let part = blockPart(this.#block, from, Math.min(count, from + step));
      for (const field of this.#fields) if ('bytes' in part) part = structFieldBlock(part, field);
      yield part;
    }
  }
}

/** Bytes within a byte string or text whose head is already written. */
export class RawBytes {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** A text that is already encoded as UTF-8, without its head. */
export class Utf8Text {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}
