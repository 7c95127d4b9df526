/**
 * Innermost loops of strided copies: two dimensions, in units of 1, 2, 4 or 8 bytes. Each unit has a
 * separate function, because a loop over several kinds of typed array is up to 5 times slower. All
 * positions, strides and counts are in units. 8-byte units use BigUint64Array, because Float64Array may
 * change the bits of a NaN.
 */

/**
 * Arguments: source position, destination position, outer count, outer strides, inner count, inner strides.
 */
export type RunKernel = (
  sourceAt: number,
  destAt: number,
  outer: number,
  outerFrom: number,
  outerTo: number,
  inner: number,
  from: number,
  to: number,
) => void;

/** A kernel is created for a pair of buffers, so that views are created only once. */
export type CopyKernel = (source: Uint8Array, dest: Uint8Array) => RunKernel;

const bytes1: CopyKernel = (x, y) => (s, d, outer, outerFrom, outerTo, inner, from, to) => {
  for (let i = 0; i < outer; i++, s += outerFrom, d += outerTo) {
    for (let j = 0, a = s, b = d; j < inner; j++, a += from, b += to) y[b] = x[a] ?? 0;
  }
};

const bytes2: CopyKernel = (source, dest) => {
  const x = new Uint16Array(source.buffer, source.byteOffset, source.byteLength >> 1);
  const y = new Uint16Array(dest.buffer, dest.byteOffset, dest.byteLength >> 1);
  return (s, d, outer, outerFrom, outerTo, inner, from, to) => {
    for (let i = 0; i < outer; i++, s += outerFrom, d += outerTo) {
      for (let j = 0, a = s, b = d; j < inner; j++, a += from, b += to) y[b] = x[a] ?? 0;
    }
  };
};

const bytes4: CopyKernel = (source, dest) => {
  const x = new Int32Array(source.buffer, source.byteOffset, source.byteLength >> 2);
  const y = new Int32Array(dest.buffer, dest.byteOffset, dest.byteLength >> 2);
  return (s, d, outer, outerFrom, outerTo, inner, from, to) => {
    for (let i = 0; i < outer; i++, s += outerFrom, d += outerTo) {
      for (let j = 0, a = s, b = d; j < inner; j++, a += from, b += to) y[b] = x[a] ?? 0;
    }
  };
};

const bytes8: CopyKernel = (source, dest) => {
  const x = new BigUint64Array(source.buffer, source.byteOffset, source.byteLength >> 3);
  const y = new BigUint64Array(dest.buffer, dest.byteOffset, dest.byteLength >> 3);
  const zero = 0n;
  return (s, d, outer, outerFrom, outerTo, inner, from, to) => {
    for (let i = 0; i < outer; i++, s += outerFrom, d += outerTo) {
      for (let j = 0, a = s, b = d; j < inner; j++, a += from, b += to) y[b] = x[a] ?? zero;
    }
  };
};

/** Rows of whole 64-byte groups, contiguous on both sides: the fastest way to copy short rows in V8. */
export const rows64: CopyKernel = (source, dest) => {
  const x = new BigUint64Array(source.buffer, source.byteOffset, source.byteLength >> 3);
  const y = new BigUint64Array(dest.buffer, dest.byteOffset, dest.byteLength >> 3);
  const zero = 0n;
  return (s, d, outer, outerFrom, outerTo, inner) => {
    for (let i = 0; i < outer; i++, s += outerFrom, d += outerTo) {
      for (let a = s, b = d, end = s + inner; a < end; a += 8, b += 8) {
        y[b] = x[a] ?? zero;
        y[b + 1] = x[a + 1] ?? zero;
        y[b + 2] = x[a + 2] ?? zero;
        y[b + 3] = x[a + 3] ?? zero;
        y[b + 4] = x[a + 4] ?? zero;
        y[b + 5] = x[a + 5] ?? zero;
        y[b + 6] = x[a + 6] ?? zero;
        y[b + 7] = x[a + 7] ?? zero;
      }
    }
  };
};

/**
 * Rows of at least 4 bytes, contiguous on both sides but not aligned alike: positions and lengths are in
 * bytes. Twice as fast as a loop over elements of 2 bytes (rows of 32 to 128 bytes, Node 20).
 */
export const unalignedRows: CopyKernel = (source, dest) => {
  const x = new DataView(source.buffer, source.byteOffset, source.byteLength);
  const y = new DataView(dest.buffer, dest.byteOffset, dest.byteLength);
  return (s, d, outer, outerFrom, outerTo, inner) => {
    for (let i = 0; i < outer; i++, s += outerFrom, d += outerTo) {
      const end = s + inner;
      let a = s;
      let b = d;
      for (const last = end - 16; a <= last; a += 16, b += 16) {
        y.setInt32(b, x.getInt32(a, true), true);
        y.setInt32(b + 4, x.getInt32(a + 4, true), true);
        y.setInt32(b + 8, x.getInt32(a + 8, true), true);
        y.setInt32(b + 12, x.getInt32(a + 12, true), true);
      }
      for (const last = end - 4; a <= last; a += 4, b += 4) y.setInt32(b, x.getInt32(a, true), true);
      for (; a < end; a++, b++) y.setInt8(b, x.getInt8(a));
    }
  };
};

/** For long rows: uses the engine's memory copy. */
export const longRows: CopyKernel = (x, y) => (s, d, outer, outerFrom, outerTo, inner) => {
  for (let i = 0; i < outer; i++, s += outerFrom, d += outerTo) y.set(x.subarray(s, s + inner), d);
};

/** The kernel for units of a size in bytes. */
export const kernelOf: Readonly<Record<1 | 2 | 4 | 8, CopyKernel>> = {
  1: bytes1,
  2: bytes2,
  4: bytes4,
  8: bytes8,
};
