/** Finds the elements of given ranks in several lists at once, in WebAssembly; see core/wasm/build/glue/ranks.c. */
import { codecs } from '../core/wasm/module.js';

/** Lists side by side: row i holds element i of every list. */
export interface Columns {
  /** Number of elements per list. */
  readonly rows: number;
  /** Number of lists; a multiple of `lanesOf`. */
  readonly columns: number;
  /** Whether the elements are float32; otherwise they are float64. */
  readonly isSingle: boolean;
  /** Writes all elements. Missing ones are NaN. */
  readonly fill: (tile: Uint8Array) => void;
}

export interface ColumnRanks {
  /** For each list, the number of values that are not missing. */
  readonly present: Float64Array;
  /** For each list and quantile, the values of the two ranks next to the quantile; NaN for a list without values. */
  readonly found: Float64Array;
}

/** Number of lists that one vector instruction compares. */
export function lanesOf(isSingle: boolean): 2 | 4 {
  return isSingle ? 4 : 2;
}

const VECTOR_BYTES = 16;
const nothing = new Uint8Array(0);

/** @throws LimitError if memory cannot be allocated */
export function columnRanks(
  { rows, columns, isSingle, fill }: Columns,
  quantiles: readonly number[],
): ColumnRanks {
  const length = rows * columns * (isSingle ? 4 : 8);
  return codecs.run('quantiles', nothing, (call) => {
    const tile = call.allocate(length);
    const keys = call.allocate(rows * VECTOR_BYTES);
    const wanted = call.allocate(quantiles.length * 8);
    const present = call.allocate(columns * 8);
    const found = call.allocate(columns * quantiles.length * 16);
    const numbersAt = (address: number, count: number): Float64Array => {
      const { buffer, byteOffset } = call.view(address, count * 8);
      return new Float64Array(buffer, byteOffset, count);
    };
    fill(call.view(tile, length));
    numbersAt(wanted, quantiles.length).set(quantiles);
    const ranks = isSingle ? call.functions.ranks_float32 : call.functions.ranks_float64;
    ranks(tile, keys, rows, columns, wanted, quantiles.length, present, found);
    return {
      present: numbersAt(present, columns).slice(),
      found: numbersAt(found, 2 * columns * quantiles.length).slice(),
    };
  });
}
