/**
 * What a binary request body gives where the schema says NDArray: numbers as bytes, never as lists. The scalar passes it
 * on by reference; what is written to decides what the numbers mean (uint8 as booleans, int64 as times, a trailing
 * dimension of 2 as complex numbers).
 */
export class NDArrayInput {
  /** NumPy's typestr of a number type, little-endian: `|u1`, `<i8`, `<f2`. */
  readonly dtype: string;
  readonly shape: readonly number[];
  /** In C order, exactly as many as the shape takes. A view of the body: not aligned, not to be changed. */
  readonly bytes: Uint8Array;

  constructor(dtype: string, shape: readonly number[], bytes: Uint8Array) {
    this.dtype = dtype;
    this.shape = shape;
    this.bytes = bytes;
  }
}
