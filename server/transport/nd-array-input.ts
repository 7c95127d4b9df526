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
