/** Lists of numbers or text, built value by value. */
import {
  type Block,
  contentsAt,
  type DataType,
  isFixedSize,
  ItemStore,
  NAT,
  numberAccess,
  toTypedArray,
  UnsupportedError,
} from '../../zarr/index.js';

export class ValueList {
  readonly #dtype: DataType;
  readonly #bytes: Uint8Array;
  readonly #write: Writer | undefined;
  /** Values of variable length; undefined for values of fixed size. */
  readonly #items: ItemStore | undefined;

  /** @throws UnsupportedError for values that are neither numbers nor of variable length */
  constructor(dtype: DataType, count: number) {
    this.#dtype = dtype;
    this.#bytes = new Uint8Array(isFixedSize(dtype) ? count * dtype.itemSize : 0);
    this.#write = isFixedSize(dtype) ? writerOf(dtype, new DataView(this.#bytes.buffer)) : undefined;
    this.#items = isFixedSize(dtype) ? undefined : new ItemStore(count);
  }

  setNumber(i: number, value: number | bigint): void {
    this.#write?.(i, value);
  }

  setText(i: number, contents: Uint8Array | null): void {
    this.#items?.set(i, contents);
  }

  /** Sets value `i` to the missing value, or to 0 if the data type has none. */
  setMissing(i: number): void {
    const { name } = this.#dtype;
    this.#items?.set(i, null);
    if (name.startsWith('float')) this.#write?.(i, NaN);
    if (name.startsWith('numpy')) this.#write?.(i, NAT);
  }

  block(shape: readonly number[]): Block {
    const dtype = this.#dtype;
    if (isFixedSize(dtype)) return { dtype, shape, bytes: this.#bytes };
    if (this.#items === undefined || dtype.name === 'unknown')
      throw new TypeError(`values of type ${dtype.name} cannot be listed individually`);
    return { dtype, shape, items: this.#items };
  }
}

type Writer = (i: number, value: number | bigint) => void;

function writerOf({ name }: DataType, view: DataView): Writer {
  const access = numberAccess(name);
  if (access?.parts !== 1) throw new UnsupportedError(`values of type ${name} are not numbers`);
  const { set, unit } = access;
  return (i, value) => set(view, i * unit, value);
}

/** Access to single values of a list. */
export interface ValueSource {
  /** Stores the value midway between two others: the mean for numbers and times, the first one for text. */
  put(into: ValueList, i: number, first: number, last: number): void;
}

export function valueSource(list: Block): ValueSource {
  if ('items' in list) return { put: (into, i, first) => into.setText(i, contentsAt(list.items, first)) };
  const numbers = toTypedArray(list);
  const at = (i: number): number | bigint => {
    const value = numbers[i];
    return typeof value === 'number' || typeof value === 'bigint' ? value : 0;
  };
  return {
    put(into, i, first, last) {
      into.setNumber(i, first === last ? at(first) : middle(at(first), at(last), list.dtype));
    },
  };
}

/** Computes the midpoint. Integers yield a fraction; times yield a whole count, rounded down. */
function middle(a: number | bigint, b: number | bigint, { name }: DataType): number | bigint {
  if (typeof a !== 'bigint' || typeof b !== 'bigint') return Number(a) / 2 + Number(b) / 2;
  return name.startsWith('numpy') ? (a + b) >> 1n : Number(a) + Number(b - a) / 2;
}
